/** The answer to a caller's request as it shares a message with others. */

import { type Sent, UNSENT } from "../../engine/cluster/Resending.ts"
import { POSITION } from "../http/AnswerPosition.ts"
import type { CarriedResponse, WholeResponse } from "../runtime/ServerRuntime.ts"
import type { HeardResponse, Open, SentResponse } from "./ForwardedFrame.ts"
import { ELSEWHERE, HOP_BY_HOP, LAST } from "./ForwardedRequest.ts"
import { fieldsOf, type MadeOutline, type Outlined, outlineOf, valuesBy } from "./Outlines.ts"

const REPLAYED = "idempotency-replayed"

const TYPE = "content-type"

const UNRETURNED: ReadonlySet<string> = new Set([...HOP_BY_HOP, "content-length", "date"])

/** What differs from one answer to the next. */
const VARYING: ReadonlySet<string> = new Set(["x-request-id", "x-ratelimit-remaining", POSITION])

/** Outlines that are tried before one is made: answers to a kind of request have few. */
const MAX_TRIED = 8

type Fields = Readonly<Record<string, string>>

/** The outlines of answers as they are made: most have the one of an answer before. */
export class ResponseOutlines {
  #tried: ReadonlyArray<MadeOutline> = []

  of(names: ReadonlyArray<string>, values: ReadonlyArray<string>): Outlined {
    for (const one of this.#tried) {
      const own = valuesBy(one, names, values)
      if (own !== undefined) return { outline: one.outline, values: own }
    }
    const made = outlineOf(names, values, VARYING)
    this.#tried = [made, ...this.#tried.slice(0, MAX_TRIED - 1)]
    return { outline: made.outline, values: valuesBy(made, names, values) ?? [] }
  }
}

/** For another node. What ends a connection ends the caller's. */
const returning = (headers: Fields): Fields => {
  const { connection, ...others } = headers
  return connection === "close" ? { ...others, [LAST]: "true" } : headers
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

const textOf = (body: WholeResponse["body"]): string =>
  typeof body === "string" ? body : body === undefined ? "" : decoder.decode(body)

const sentWeb = async (id: number, response: Response, outlines: ResponseOutlines): Promise<SentResponse> => {
  const { headers, status } = response
  const last = headers.get("connection") === "close" ? [[LAST, "true"] as const] : []
  const fields = [...headers, ...last]
  const given = outlines.of(
    fields.map(([name]) => name),
    fields.map(([, value]) => value)
  )
  return { id, status, ...given, body: decoder.decode(await response.arrayBuffer()) }
}

/** An answer on its way back. */
export const sentResponse = (
  id: number,
  response: CarriedResponse,
  outlines: ResponseOutlines
): SentResponse | Promise<SentResponse> => {
  if (response instanceof Response) return sentWeb(id, response, outlines)
  const { body, status } = response
  const headers = "connection" in response.headers ? returning(response.headers) : response.headers
  const { outline, values } = outlines.of(Object.keys(headers), Object.values(headers))
  return { id, status, outline, values, body: textOf(body) }
}

/** The outline of answers as it is kept: their headers, but for those that each has for itself. */
export class ResponseOutline implements Open {
  /** The node does not write, and did nothing. */
  readonly isElsewhere: boolean
  /** The caller's repetition of a request, or the node's own. */
  readonly isReplayed: boolean
  readonly isTyped: boolean
  readonly headers = new Headers()
  /** Undefined where a value is for the nodes alone. */
  readonly names: ReadonlyArray<string | undefined>

  constructor(outline: string) {
    const fields = fieldsOf(outline)
    const names: Array<string | undefined> = []
    for (const [name, value] of fields) {
      const isReturned = !UNRETURNED.has(name) && name !== LAST
      if (value === undefined) names.push(isReturned ? name : undefined)
      else if (isReturned) this.headers.append(name, value)
    }
    this.names = names
    this.isElsewhere = fields.some(([name]) => name === ELSEWHERE)
    this.isReplayed = fields.some(([name]) => name === REPLAYED)
    this.isTyped = fields.some(([name]) => name === TYPE)
    if (fields.some(([name]) => name === LAST)) this.headers.set("connection", "close")
  }

  get open(): number {
    return this.names.length
  }
}

const encoder = new TextEncoder()

/** A text would be given a type. */
const bodyOf = (body: string, { isTyped }: ResponseOutline) => {
  if (body === "") return null
  return isTyped ? body : encoder.encode(body)
}

/**
 * What became of a request that was sent, by its answer.
 *
 * @param isKeyed - whether the key was the node's own, so that a repetition is not the caller's
 */
export const sentOfCarried = (
  { body, outline, status, values }: HeardResponse<ResponseOutline>,
  isKeyed: boolean
): Sent<Response> => {
  if (outline.isElsewhere) return UNSENT
  const response = new Response(bodyOf(body, outline), { status, headers: outline.headers })
  const { headers } = response
  const { names } = outline
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at]
    if (name !== undefined) headers.append(name, values[at] ?? "")
  }
  if (isKeyed && outline.isReplayed) headers.delete(REPLAYED)
  return { _tag: "Answered", response }
}
