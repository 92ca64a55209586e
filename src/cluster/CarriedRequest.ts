/** A caller's request, and its answer, as they share a message with others. */

import { type Sent, UNSENT } from "../../engine/cluster/Resending.ts"
import { POSITION } from "../http/AnswerPosition.ts"
import type { Fields, SentRequest, SentResponse } from "./ForwardedFrame.ts"
import { ELSEWHERE, HOP_BY_HOP, LAST, OWN } from "./ForwardedRequest.ts"

const KEY = "idempotency-key"

const REPLAYED = "idempotency-replayed"

/** What a message says otherwise than by headers, or its sender knows better. */
const UNSENT_HEADERS: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...OWN, "content-length"])

const UNRETURNED_HEADERS: ReadonlySet<string> = new Set([...HOP_BY_HOP, "content-length", "date"])

/** What a node adds to its caller's headers. */
export interface Addition {
  /** The node's own key, where the caller gave none. */
  readonly key: string | undefined
  /** The position that the answer must have, where one is known. */
  readonly position: string | undefined
  /** Bytes of the body. */
  readonly length: number
}

/** The headers of a request that shares a message with others. */
export const carriedFields = (given: Headers, { key, length, position }: Addition): Fields => {
  const fields: Array<readonly [string, string]> = []
  for (const field of given) {
    const [name] = field
    if (!UNSENT_HEADERS.has(name) && (name !== POSITION || position === undefined)) fields.push(field)
  }
  if (key !== undefined) fields.push([KEY, key])
  if (position !== undefined) fields.push([POSITION, position])
  fields.push(["content-length", String(length)])
  return fields
}

const BYTE_ORDER_MARK = "\uFEFF"

/** A request that came in a message, with its body, which the runtime need not keep and read again as a stream. */
export class CarriedRequest extends Request {
  readonly #text: string

  constructor({ body, headers, method, path }: SentRequest) {
    super(`http://node${path}`, { method, headers: headers as Array<[string, string]> })
    this.#text = body
  }

  override text(): Promise<string> {
    const text = this.#text
    return Promise.resolve(text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text)
  }

  override async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(new TextEncoder().encode(this.#text).buffer)
  }
}

/** An answer on its way back. */
export const sentResponse = async (id: number, response: Response): Promise<SentResponse> => {
  const { headers, status } = response
  return { id, status, headers: [...headers], body: await response.text() }
}

/**
 * What became of a request that was sent, by its answer.
 *
 * @param isKeyed - whether the key was the node's own, so that a repetition is not the caller's
 */
export const sentOfCarried = ({ body, headers, status }: SentResponse, isKeyed: boolean): Sent<Response> => {
  const kept: Array<[string, string]> = []
  let isLast = false
  for (const [name, value] of headers) {
    if (name === ELSEWHERE) return UNSENT
    if (name === LAST) isLast = true
    else if (!UNRETURNED_HEADERS.has(name) && !(isKeyed && name === REPLAYED)) kept.push([name, value])
  }
  if (isLast) kept.push(["connection", "close"])
  return { _tag: "Answered", response: new Response(body, { status, headers: kept }) }
}
