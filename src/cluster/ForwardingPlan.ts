import { isUtf8 } from "node:buffer"
import { randomUUID } from "node:crypto"
import { type AcknowledgedPosition, positionOf, positionText } from "../../engine/cluster/Position.ts"
import type { Resent } from "../../engine/cluster/Resending.ts"
import { POSITION } from "../http/AnswerPosition.ts"
import { FAST_TYPE } from "../http/FastEndpoints.ts"
import { pathOf as withoutQuery } from "../http/RequestRules.ts"
import type { Peer } from "../runtime/ServerRuntime.ts"
import type { RequestOutlines } from "./CarriedRequest.ts"
import { isReading, table } from "./ContractTable.ts"
import { forwardedHeaders } from "./ForwardedRequest.ts"
import type { NodeCredential } from "./NodeCredential.ts"
import type { Carried, Naming } from "./WriterSocket.ts"

/** A request in the form in which it is sent, perhaps several times. */
export interface ForwardingPlan extends Resent {
  readonly path: string
  readonly method: string
  /** Of a request of its own. */
  readonly headers: () => Headers
  readonly body: Uint8Array<ArrayBuffer> | undefined
  /** Set where it goes with others over the node's own connection, if that is open. */
  readonly carried: Carried | undefined
  /** Set where its first sending decides what it is known by: a name on that connection, or a key that the node makes. */
  readonly identity: OwnIdentity | undefined
}

/** What a request without its caller's key is known by. */
class OwnIdentity implements Naming {
  readonly behind: number
  name: string | undefined
  #key: string | undefined

  constructor(behind: number) {
    this.behind = behind
  }

  /** Of a request of its own. */
  get key(): string {
    return (this.#key ??= madeKey())
  }

  /** Whether it was sent by itself, under that key. */
  get hasKey(): boolean {
    return this.#key !== undefined
  }
}

const madeKey = (): string => `node-${randomUUID()}`

/** The path of a request, with its query. */
export const targetOf = (url: string): string => url.slice(url.indexOf("/", url.indexOf("//") + 2))

/** The longest body that shares a message with others, in bytes. */
const MAX_CARRIED_BYTES = 16_384

/** Whether nothing about a request's form is unusual, so that it may share a message with others, which is text. */
const isUsual = (path: string, headers: Headers, body: Uint8Array | undefined): body is Uint8Array<ArrayBuffer> =>
  body !== undefined &&
  body.length > 0 &&
  body.length <= MAX_CARRIED_BYTES &&
  headers.get("content-type") === FAST_TYPE &&
  headers.has("host") &&
  !path.includes("?") &&
  isUtf8(body)

/** What a plan is made with. */
export interface PlanParts {
  readonly credential: NodeCredential
  readonly outlines: RequestOutlines
  /** How far callers of this node were answered. */
  readonly acknowledged: AcknowledgedPosition
  /** The last event that this node follows the journal to. */
  readonly followed: () => number
}

/** An event that this node knows of: whatever is sent from now on is recorded behind it. Undefined where it knows none. */
const knownBy = ({ acknowledged, followed }: PlanParts): number | undefined => {
  const known = Math.max(acknowledged.required(undefined)?.seq ?? 0, followed())
  return known === 0 ? undefined : known
}

/**
 * The position from which a request is to be answered: no earlier than its caller says, and than this node has answered
 * before. Undefined where none is known, and where the caller names no position, which the node that writes refuses.
 */
const requiredBy = ({ acknowledged }: PlanParts, headers: Headers): string | undefined => {
  const given = headers.get(POSITION)
  const asked = given === null ? undefined : positionOf(given)
  if (given !== null && asked === undefined) return undefined
  const required = acknowledged.required(asked)
  return required === undefined ? undefined : positionText(required)
}

/** The headers of a request of its own. */
const requiring = (headers: Headers, position: string | undefined): Headers => {
  if (position !== undefined) headers.set(POSITION, position)
  return headers
}

/** Plans how a caller's request is sent to the node that writes. */
export const planOf = (
  parts: PlanParts,
  request: Request,
  peer: Peer,
  body: Uint8Array<ArrayBuffer> | undefined
): ForwardingPlan => {
  const { headers, method, url } = request
  const path = targetOf(url)
  const entry = method === "POST" ? table.find(method, withoutQuery(path))?.entry : undefined
  // On other paths nobody looks at a key.
  const isTaken = entry?.answersSecret === false
  const isKeyed = isTaken && !headers.has("idempotency-key")
  const isCarried = entry?.isFast === true && isUsual(path, headers, body)
  const behind = isKeyed && isCarried ? knownBy(parts) : undefined
  const identity = behind === undefined ? undefined : new OwnIdentity(behind)
  const key = isKeyed && identity === undefined ? madeKey() : undefined
  const position = requiredBy(parts, headers)
  return {
    path,
    method,
    body,
    isKeyed,
    isRepeatable: isTaken || isReading(request),
    identity,
    headers: () =>
      requiring(forwardedHeaders(headers, peer, parts.credential, { key: identity?.key ?? key }), position),
    carried: isCarried
      ? {
          ...peer,
          ...parts.outlines.of(headers, peer.port, { key, position, length: body.length }),
          isKeyed,
          naming: identity,
          path,
          body: Buffer.from(body.buffer, body.byteOffset, body.length).toString()
        }
      : undefined
  }
}
