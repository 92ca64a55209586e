/** Requests of callers on their way to the node that writes, and their answers: many in one message, as text. */

import { Predicate } from "effect"

/** Headers as they are sent: by name and value, a name perhaps several times. */
export type Fields = ReadonlyArray<readonly [name: string, value: string]>

/** A caller's request. */
export interface SentRequest {
  /** Of one connection, by which its answer names it: each is higher than the one before. */
  readonly id: number
  readonly method: string
  /** Without a query. */
  readonly path: string
  /** The other end of the caller's connection. */
  readonly address: string
  readonly port: number
  readonly headers: Fields
  readonly body: string
  /**
   * Where its caller gave no key, and it was never sent before: an event that the node knew of before. It is named by that,
   * the connection and its id.
   */
  readonly behind?: number
  /** Where its caller gave no key, and it was sent before: what it was named then. */
  readonly name?: string
}

/** The answer to one. */
export interface SentResponse {
  readonly id: number
  /** From 200 to 599. */
  readonly status: number
  readonly headers: Fields
  readonly body: string
}

type Unread = Readonly<Record<PropertyKey, unknown>>

const isField = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && typeof value[1] === "string"

const isSent = ({ body, headers, id }: Unread): boolean =>
  Number.isSafeInteger(id) && typeof body === "string" && Array.isArray(headers) && headers.every(isField)

const isRequest = (value: unknown): boolean =>
  Predicate.isObject(value) &&
  isSent(value) &&
  typeof value["method"] === "string" &&
  typeof value["path"] === "string" &&
  typeof value["address"] === "string" &&
  Number.isSafeInteger(value["port"]) &&
  (value["behind"] === undefined || Number.isSafeInteger(value["behind"])) &&
  (value["name"] === undefined || typeof value["name"] === "string")

const isResponse = (value: unknown): boolean =>
  Predicate.isObject(value) &&
  isSent(value) &&
  Number.isSafeInteger(value["status"]) &&
  Number(value["status"]) >= 200 &&
  Number(value["status"]) <= 599

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Each message is a look at every header of a hundred requests: a schema took longer for it than the parser. */
const listOf =
  <Item>(isItem: (value: unknown) => boolean) =>
  (text: string): ReadonlyArray<Item> | undefined => {
    const items = parsed(text)
    return Array.isArray(items) && items.every(isItem) ? items : undefined
  }

export const encodeRequests = (requests: ReadonlyArray<SentRequest>): string => JSON.stringify(requests)

export const encodeResponses = (responses: ReadonlyArray<SentResponse>): string => JSON.stringify(responses)

/** Undefined where the text holds no requests, as far as this release knows. */
export const decodeRequests = listOf<SentRequest>(isRequest)

/** Undefined where the text holds no responses, as far as this release knows. */
export const decodeResponses = listOf<SentResponse>(isResponse)
