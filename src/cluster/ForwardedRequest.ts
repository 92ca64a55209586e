import { type Sent, UNSENT } from "../../engine/cluster/Resending.ts"
import type { Peer } from "../runtime/ServerRuntime.ts"
import type { NodeCredential } from "./NodeCredential.ts"

/** The sender's credential. */
const CREDENTIAL = "x-emporion-node"

/** The other end of the caller's connection: its address and port. */
const PEER = "x-emporion-peer"

/**
 * Marks a request that wants to become a WebSocket, because HTTP between nodes cannot say it as the caller did: on the node
 * that is asked, or on the one that asks, which wants to know whether it may.
 */
const UPGRADE = "x-emporion-upgrade"

type Upgrade = "websocket" | "admission"

/** The node that asks: its address, and a text that is another one each time that it starts. */
const ASKING = "x-emporion-asking"

/** Marks a caller's request. Without it, a node asks for itself. */
const FORWARDED = "x-emporion-forwarded"

/** Names the connection that begins, for ever. */
export const CONNECTION = "x-emporion-connection"

/** On an answer: the caller may connect to the node that asked. */
export const ADMITTED = "x-emporion-admitted"

/** On an answer: the caller's connection ends with it. */
export const LAST = "x-emporion-last"

/** On an answer: the node does not write, and did nothing. */
export const ELSEWHERE = "x-emporion-elsewhere"

/** The path that asks a node to let another one write. */
export const HAND_OVER = "/cluster/hand-over"

/** The path at which the node that writes shows that it can be reached. */
export const ALIVE = "/cluster/alive"

/** The path at which a node follows the one that writes. */
export const FOLLOW = "/cluster/follow"

/** The path at which every node shows how far it is behind the one that writes. */
export const LAG = "/cluster/lag"

/** The path at which a node asks whether the credentials of its callers still hold. */
export const CALLERS = "/cluster/callers"

/** The path at which a node asks whether it may answer its callers' reads itself. */
export const READS = "/cluster/reads"

/** The path at which a node says what it borrowed of its callers' quotas. */
export const QUOTA = "/cluster/quota"

/** The path at which a node says that it is there, and holds connections of its callers. */
export const HELD = "/cluster/held"

/**
 * The path at which a node's connection for many callers' requests begins. Its messages have another form than those of
 * releases with another path: to each other, nodes of the two send each request by itself.
 */
export const REQUESTS = "/cluster/requests/5"

/** Headers that hold for one connection alone. RFC 9110, section 7.6.1. */
export const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect"
]

/** Headers of nodes, which callers cannot send. */
export const OWN = [CREDENTIAL, PEER, UPGRADE, FORWARDED, ASKING]

/** A node, from one start to its end. */
export interface Asking {
  /** Its address. */
  readonly node: string
  /** Another text each time that it starts. */
  readonly run: string
}

/** What a node says with a caller's request. */
interface ForwardedFields {
  readonly upgrade?: Upgrade
  /** The node's own `Idempotency-Key`. */
  readonly key?: string | undefined
  readonly asking?: Asking
}

/** The headers of a forwarded request. The caller's `Host` stays, because it gives the address. */
export const forwardedHeaders = (
  given: Headers,
  peer: Peer,
  { text }: NodeCredential,
  { asking, key, upgrade }: ForwardedFields = {}
): Headers => {
  const headers = new Headers(given)
  for (const name of [...HOP_BY_HOP, ...OWN, "content-length"]) headers.delete(name)
  headers.set(CREDENTIAL, text)
  headers.set(PEER, `${peer.address} ${peer.port}`)
  headers.set(FORWARDED, "true")
  if (upgrade !== undefined) headers.set(UPGRADE, upgrade)
  if (key !== undefined) headers.set("idempotency-key", key)
  if (asking !== undefined) headers.set(ASKING, askingText(asking))
  // Without one, the HTTP client would ask for the encodings that it can unpack itself.
  if (!given.has("accept-encoding")) headers.set("accept-encoding", "identity")
  if (!given.has("user-agent")) headers.set("user-agent", "")
  return headers
}

/** The headers of a node's own requests. */
export const nodeHeaders = (credential: NodeCredential): Headers => {
  const headers = forwardedHeaders(new Headers(), { address: "", port: 0 }, credential)
  headers.delete(FORWARDED)
  return headers
}

/** Whether it is a caller's, to whom a node's own paths are not there. */
export const isForwarded = ({ headers }: Request): boolean => headers.has(FORWARDED)

/** The caller of a forwarded request, as the other node reports it; undefined if no node sent the request. */
export const callerOf = ({ headers }: Request, credential: NodeCredential): Peer | undefined => {
  if (!credential.isSame(headers.get(CREDENTIAL))) return undefined
  const [address = "", port = "0"] = (headers.get(PEER) ?? "").split(" ")
  return { address, port: Number(port) }
}

/** A node as text. */
export const askingText = ({ node, run }: Asking): string => `${node} ${run}`

/** Reads a node from text; undefined where it is none. */
export const askingFrom = (text: string): Asking | undefined => {
  const [node, run] = text.split(" ")
  return node === undefined || run === undefined ? undefined : { node, run }
}

/** Which node asks; undefined where its release does not say it. */
export const askingOf = ({ headers }: Request): Asking | undefined => askingFrom(headers.get(ASKING) ?? "")

/** Whether another node asks whether it may upgrade a caller's request. */
export const isAdmission = ({ headers }: Request): boolean => headers.get(UPGRADE) === ("admission" satisfies Upgrade)

/** The request as its caller sent it. */
export const restored = (request: Request): Request => {
  const { headers } = request
  const upgrade = headers.get(UPGRADE)
  for (const name of OWN) headers.delete(name)
  if (upgrade !== null) headers.set("upgrade", "websocket")
  return request
}

/** An answer for another node. If it ends a connection, that is the caller's. */
export const answered = (response: Response): Response => {
  if (response.headers.get("connection") !== "close") return response
  response.headers.delete("connection")
  response.headers.set(LAST, "true")
  return response
}

/** The answer of a node that does not write. */
export const elsewhere = (): Response => new Response(null, { status: 421, headers: { [ELSEWHERE]: "true" } })

/** Whether the request did nothing, because the node does not write. */
const isElsewhere = ({ headers }: Response): boolean => headers.has(ELSEWHERE)

/**
 * The answer of another node for the caller.
 *
 * @param isKeyed - whether the key was ours, so that a repetition is not the caller's
 */
export const returned = (response: Response, body: BodyInit | null, isKeyed: boolean): Response => {
  const headers = new Headers(response.headers)
  for (const name of [...HOP_BY_HOP, "content-length", "date"]) headers.delete(name)
  if (isKeyed) headers.delete("idempotency-replayed")
  if (headers.has(LAST)) {
    headers.delete(LAST)
    headers.set("connection", "close")
  }
  const { status, statusText } = response
  return new Response(body, { status, statusText, headers })
}

/** What became of a request that was sent, by its answer and the answer's body. */
export const sentOf = (response: Response, body: BodyInit | null, isKeyed: boolean): Sent<Response> =>
  isElsewhere(response) ? UNSENT : { _tag: "Answered", response: returned(response, body, isKeyed) }
