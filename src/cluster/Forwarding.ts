import { Clock, Context, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { Api } from "../api/Api.ts"
import { body as errorBody, CATALOGUE, shapeOf } from "../api/ApiError.ts"
import { Settings } from "../Config.ts"
import { make as endpointTable } from "../http/EndpointTable.ts"
import { MAX_BODY_BYTES, pathOf as withoutQuery } from "../http/RequestRules.ts"
import type { Peer, RuntimeServer } from "../runtime/ServerRuntime.ts"
import * as Worker from "../Worker.ts"
import { ALIVE, forwardedHeaders, isElsewhere, returned } from "./ForwardedRequest.ts"
import { connect, ForwardedSocket } from "./ForwardedSocket.ts"
import type { OwnSocket } from "./LocalApp.ts"
import { make as makeCredential, type NodeCredential } from "./NodeCredential.ts"
import { Nodes, type ServingWriter } from "./Nodes.ts"

/** How long a request is held while nobody writes, in milliseconds. */
const HOLD_LIMIT = 15_000

/** The pause before a request is sent again, in milliseconds. */
const AGAIN = 50

/** How long it is waited whether a node that refuses is one that leaves, in milliseconds. */
const LEAVING = 300

/** How often the node that writes is asked for a sign, and how long one may take. */
const SIGN_INTERVAL = "250 millis"
const SIGN_LIMIT = "1 second"

/** How long after its last sign a node counts as out of reach, in nanoseconds. */
const OUT_OF_REACH = 2_000_000_000n

/** Longest answer that is read before any of it is passed on, in bytes. */
const MAX_READ_BYTES = 1_048_576

/** RFC 6455, 7.4.1. */
const NORMAL = 1000

const NO_WRITER = "No node takes requests at the moment: try again."
const ENDED =
  "The node that served this request ended: whether it was carried out is unknown. Look before you send it again."

/** What became of a request that was sent. */
type Sent =
  | { readonly _tag: "Answered"; readonly response: Response }
  /** It surely did nothing. */
  | { readonly _tag: "Unsent" }
  /** It may have been carried out. */
  | { readonly _tag: "Unknown" }

const UNSENT: Sent = { _tag: "Unsent" }
const UNKNOWN: Sent = { _tag: "Unknown" }

/** A request as it is sent, again and again. */
interface Plan {
  readonly path: string
  readonly method: string
  readonly headers: Headers
  readonly body: Uint8Array<ArrayBuffer> | undefined
  /** Sent again it is executed once. */
  readonly isRepeatable: boolean
  /** The key is the node's own and not the caller's. */
  readonly isKeyed: boolean
}

const table = endpointTable(Api, [])

const pathOf = (url: string): string => url.slice(url.indexOf("/", url.indexOf("//") + 2))

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

/** What a key does for a request: on other paths it is not looked at. */
const takesKey = (method: string, path: string): boolean =>
  method === "POST" && table.find(method, path)?.entry.answersSecret === false

/** Its text, as far as it is needed to say that it is too long. */
const readBody = async (request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  if (request.body === null) return undefined
  const length = Number(request.headers.get("content-length") ?? Number.NaN)
  if (length <= MAX_BODY_BYTES) return new Uint8Array(await request.arrayBuffer())
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_BODY_BYTES) break
  }
  return new Uint8Array(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES + 1))
}

const refused = (path: string, message: string): Response =>
  Response.json(errorBody(shapeOf(withoutQuery(path)), "unavailable", message), {
    status: CATALOGUE.unavailable.status,
    headers: { "retry-after": "1" }
  })

const UNSENT_CODES: ReadonlySet<unknown> = new Set(["ConnectionRefused", "FailedToOpenSocket", "ECONNREFUSED"])

const isUnsent = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && UNSENT_CODES.has(error.code)

/** Whether an answer can be read at once, so that a node which dies on the way costs nobody an answer. */
const isShort = ({ headers }: Response): boolean =>
  Number(headers.get("content-length") ?? Number.NaN) <= MAX_READ_BYTES

const asked = async (signal: AbortSignal, address: string, plan: Plan): Promise<Sent> => {
  const { body, headers, isKeyed, method, path } = plan
  const init = { method, headers, body: body ?? null, signal, redirect: "manual", decompress: false }
  const response = await fetch(`http://${address}${path}`, init as RequestInit)
  if (isElsewhere(response)) return UNSENT
  const read = isShort(response) ? await response.arrayBuffer() : response.body
  return { _tag: "Answered", response: returned(response, read, isKeyed) }
}

const ask = (address: string, plan: Plan): Effect.Effect<Sent> =>
  Effect.promise((signal) =>
    asked(signal, address, plan).catch((error: unknown) => (isUnsent(error) ? UNSENT : UNKNOWN))
  )

/** Its writer's answer, unless another one takes its place before. */
const send = (writer: ServingWriter, plan: Plan): Effect.Effect<Sent> =>
  Effect.raceFirst(ask(writer.address, plan), Effect.as(writer.replaced, UNKNOWN))

/** Whether a writer is replaced within a moment. */
const isLeaving = ({ replaced }: ServingWriter): Effect.Effect<boolean> =>
  Effect.timeoutOrElse(Effect.as(replaced, true), { duration: LEAVING, orElse: () => Effect.succeed(false) })

/** Hands on what callers ask of this node to the node that writes. */
export class Forwarding extends Context.Service<
  Forwarding,
  {
    /** `undefined`: the request was upgraded. */
    readonly answer: (request: Request, peer: Peer, server: RuntimeServer<unknown>) => Promise<Response | undefined>
    /** Whether the node that writes answered this one a moment ago. */
    readonly reaches: () => boolean
    /** Requests that have no answer yet. */
    readonly pending: () => number
    /** Closes the connections that were forwarded. */
    readonly closeSockets: (code: number, reason: string) => void
  }
>()("emporion/cluster/Forwarding") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

/** What requests are handed on with. */
interface Parts {
  readonly nodes: Nodes["Service"]
  readonly credential: NodeCredential
  readonly sockets: Set<ForwardedSocket>
}

const planOf = (
  { credential }: Parts,
  { headers, method, url }: Request,
  peer: Peer,
  body: Uint8Array<ArrayBuffer> | undefined
): Plan => {
  const path = pathOf(url)
  const isTaken = takesKey(method, withoutQuery(path))
  const isKeyed = isTaken && !headers.has("idempotency-key")
  const key = isKeyed ? `node-${randomUUID()}` : undefined
  return {
    path,
    method,
    body,
    isKeyed,
    isRepeatable: isTaken || SAFE.has(method),
    headers: forwardedHeaders(headers, peer, credential, { key })
  }
}

/** Whether a repetition under the node's own key has met the first one, which still runs. */
const isRunning = ({ isKeyed }: Plan, { headers, status }: Response, times: number): boolean =>
  isKeyed && times > 0 && status === CATALOGUE.conflict.status && headers.has("retry-after")

/** The answer that the caller gets, or nothing where the request is to be sent again. */
const outcome = Effect.fnUntraced(function* (plan: Plan, writer: ServingWriter, sent: Sent, times: number) {
  if (sent._tag === "Unsent") return undefined
  if (sent._tag === "Unknown") return plan.isRepeatable ? undefined : refused(plan.path, ENDED)
  const { response } = sent
  if (isRunning(plan, response, times)) return undefined
  if (response.status !== CATALOGUE.unavailable.status || !plan.isRepeatable) return response
  return (yield* isLeaving(writer)) ? undefined : response
})

/** The node that takes requests, waited for as long as it may take. */
const writerWithin = ({ nodes }: Parts, millis: number): Effect.Effect<ServingWriter | undefined> =>
  Effect.timeoutOrElse(nodes.serving, { duration: millis, orElse: () => Effect.succeed(undefined) })

const forward = Effect.fnUntraced(function* (parts: Parts, plan: Plan) {
  const until = (yield* Clock.currentTimeMillis) + HOLD_LIMIT
  for (let times = 0; ; times += 1) {
    const left = until - (yield* Clock.currentTimeMillis)
    if (left <= 0) return refused(plan.path, NO_WRITER)
    const writer = yield* writerWithin(parts, left)
    if (writer === undefined) continue
    const response = yield* outcome(plan, writer, yield* send(writer, plan), times)
    if (response !== undefined) return response
    yield* Effect.sleep(AGAIN)
  }
})

/** The handshake's own headers: each connection has its own. */
const HANDSHAKE = ["sec-websocket-key", "sec-websocket-version", "sec-websocket-extensions"]

/** A socket that is open until both of its ends know of its end. */
const kept = (sockets: Set<ForwardedSocket>, upstream: WebSocket): OwnSocket & { readonly end: () => void } => {
  const socket = new ForwardedSocket(upstream)
  const { listener } = socket
  sockets.add(socket)
  return {
    end: () => {
      sockets.delete(socket)
      socket.end(NORMAL, "")
    },
    listener: {
      ...listener,
      close: (...closed) => {
        sockets.delete(socket)
        listener.close(...closed)
      }
    }
  }
}

const upgrade = Effect.fnUntraced(function* (
  parts: Parts,
  request: Request,
  peer: Peer,
  server: RuntimeServer<unknown>
): Effect.fn.Return<Response | undefined> {
  const path = pathOf(request.url)
  const writer = yield* writerWithin(parts, HOLD_LIMIT)
  if (writer === undefined) return refused(path, NO_WRITER)
  const headers = forwardedHeaders(request.headers, peer, parts.credential)
  for (const name of HANDSHAKE) headers.delete(name)
  const upstream = yield* Effect.promise(() => connect(`ws://${writer.address}${path}`, headers))
  if (upstream === undefined) {
    // Who connects is not told why not: it is asked for by HTTP.
    const asked = forwardedHeaders(request.headers, peer, parts.credential, { isUpgrade: true })
    return yield* forward(parts, { ...planOf(parts, request, peer, undefined), headers: asked })
  }
  const data = kept(parts.sockets, upstream)
  if (server.upgrade(request, { data, headers: { "sec-websocket-protocol": upstream.protocol } })) return undefined
  data.end()
  return refused(path, "The WebSocket handshake is incomplete.")
})

const isThere = async (signal: AbortSignal, address: string, headers: Headers): Promise<boolean> =>
  (await fetch(`http://${address}${ALIVE}`, { headers, signal })).status === 204

/** Asks the node that writes for a sign of life, again and again. Answers whether there was one a moment ago. */
const signs = Effect.fnUntraced(function* ({ credential, nodes }: Parts) {
  const clock = yield* Clock.Clock
  const headers = forwardedHeaders(new Headers(), { address: "", port: 0 }, credential)
  let last: bigint | undefined
  const look = Effect.gen(function* () {
    const writer = nodes.writer()
    if (writer?.isServing !== true) return
    const asked = Effect.promise((signal) => isThere(signal, writer.address, headers).catch(() => false))
    const isReached = yield* Effect.timeoutOrElse(asked, {
      duration: SIGN_LIMIT,
      orElse: () => Effect.succeed(false)
    })
    if (isReached) last = clock.monotonicTimeNanosUnsafe()
  })
  yield* Worker.every(SIGN_INTERVAL, "The look at the node that writes", look)
  return () => last !== undefined && clock.monotonicTimeNanosUnsafe() - last < OUT_OF_REACH
})

const make = Effect.gen(function* () {
  const { cluster } = yield* Settings
  if (cluster === undefined) return yield* Effect.die(new Error("CLUSTER is off"))
  const parts: Parts = { nodes: yield* Nodes, credential: makeCredential(cluster.secret), sockets: new Set() }
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const reaches = yield* signs(parts)
  let pending = 0

  const answer = async (request: Request, peer: Peer, server: RuntimeServer<unknown>) =>
    request.headers.get("upgrade")?.toLowerCase() === "websocket"
      ? run(upgrade(parts, request, peer, server))
      : run(forward(parts, planOf(parts, request, peer, await readBody(request))))

  return Forwarding.of({
    answer: (...asked) => {
      pending += 1
      return answer(...asked).finally(() => {
        pending -= 1
      })
    },
    reaches,
    pending: () => pending,
    closeSockets: (code, reason) => {
      for (const socket of parts.sockets) socket.end(code, reason)
    }
  })
})
