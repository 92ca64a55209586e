/**
 * Requests of callers on their way to the node that writes, and their answers: many in one message. Its first line is JSON, what
 * follows are their bodies as they are.
 */

import type { Outlined, SaidOutlines, HeardOutlines } from "./Outlines.ts"

/** What a request is known by where its caller gave no key. */
export interface SentName {
  /** Where it was never sent before: an event that the node knew of before. It is named by that, the connection and its id. */
  readonly behind?: number
  /** Where it was sent before: what it was named then. */
  readonly name?: string
}

interface Sendable {
  /** Of one connection, by which its answer names it: each is higher than the one before. */
  readonly id: number
  readonly body: string
}

interface Requested extends Sendable, SentName {
  /** Without a query. */
  readonly path: string
  /** The other end of the caller's connection. */
  readonly address: string
  readonly port: number
}

interface Answered extends Sendable {
  /** From 200 to 599. */
  readonly status: number
}

/** A caller's request, which is a POST. */
export interface SentRequest extends Requested, Outlined {}

/** The answer to one. */
export interface SentResponse extends Answered, Outlined {}

/** What an outline was kept as, and the values that it leaves open. */
interface Heard<Kept> {
  readonly outline: Kept
  readonly values: ReadonlyArray<string>
}

export interface HeardRequest<Kept> extends Requested, Heard<Kept> {}

export interface HeardResponse<Kept> extends Answered, Heard<Kept> {}

/** What outlines are kept as tells how many values they leave open. */
export interface Open {
  readonly open: number
}

const LINE_END = "\n"

const encoded = <Item extends Sendable>(items: ReadonlyArray<Item>, entryOf: (item: Item) => unknown): string => {
  let text = JSON.stringify(items.map(entryOf)) + LINE_END
  for (const { body } of items) text += body
  return text
}

export const encodeRequests = (requests: ReadonlyArray<SentRequest>, said: SaidOutlines): string =>
  encoded(requests, ({ address, behind, body, id, name, outline, path, port, values }) => [
    id,
    said.name(outline),
    values,
    body.length,
    path,
    address,
    port,
    name ?? behind ?? null
  ])

export const encodeResponses = (responses: ReadonlyArray<SentResponse>, said: SaidOutlines): string =>
  encoded(responses, ({ body, id, outline, status, values }) => [id, said.name(outline), values, body.length, status])

const entriesIn = (text: string, end: number): ReadonlyArray<unknown> | undefined => {
  try {
    const entries: unknown = JSON.parse(text.slice(0, end))
    return Array.isArray(entries) ? entries : undefined
  } catch {
    return undefined
  }
}

const isText = (value: unknown): boolean => typeof value === "string"

/** What each is whatever it says, but for its body. */
const sendableOf = <Kept extends Open>(
  [id, said, values, length]: ReadonlyArray<unknown>,
  outlines: HeardOutlines<Kept>
) => {
  const outline = outlines.named(said)
  const isRead =
    outline !== undefined &&
    Number.isSafeInteger(id) &&
    Number.isSafeInteger(length) &&
    Array.isArray(values) &&
    values.length === outline.open &&
    values.every(isText)
  return isRead
    ? { id: id as number, outline, values: values as ReadonlyArray<string>, length: length as number }
    : undefined
}

/** Each message is a look at a hundred requests: a schema took longer for it than the parser. */
const decoded = <Kept extends Open, Own extends object>(
  text: string,
  outlines: HeardOutlines<Kept>,
  ownOf: (own: ReadonlyArray<unknown>) => Own | undefined
): ReadonlyArray<Own & Heard<Kept> & Sendable> | undefined => {
  const end = text.indexOf(LINE_END)
  const entries = end === -1 ? undefined : entriesIn(text, end)
  if (entries === undefined) return undefined
  const items: Array<Own & Heard<Kept> & Sendable> = []
  let at = end + LINE_END.length
  for (const entry of entries) {
    if (!Array.isArray(entry)) return undefined
    const shared = sendableOf(entry, outlines)
    const own = ownOf(entry)
    if (shared === undefined || own === undefined || shared.length < 0 || at + shared.length > text.length)
      return undefined
    const { id, length, outline, values } = shared
    items.push({ ...own, id, outline, values, body: text.slice(at, at + length) })
    at += length
  }
  return at === text.length ? items : undefined
}

const nameOf = (said: unknown): SentName | undefined => {
  if (said === null) return {}
  if (typeof said === "string") return { name: said }
  return Number.isSafeInteger(said) ? { behind: said as number } : undefined
}

const requestedOf = ([, , , , path, address, port, said]: ReadonlyArray<unknown>) => {
  const name = nameOf(said)
  if (name === undefined || typeof path !== "string" || typeof address !== "string") return undefined
  return Number.isSafeInteger(port) ? { ...name, path, address, port: port as number } : undefined
}

const answeredOf = ([, , , , status]: ReadonlyArray<unknown>) =>
  Number.isSafeInteger(status) && Number(status) >= 200 && Number(status) <= 599
    ? { status: Number(status) }
    : undefined

/** Undefined where the text holds no requests, as far as this release knows. */
export const decodeRequests = <Kept extends Open>(
  text: string,
  outlines: HeardOutlines<Kept>
): ReadonlyArray<HeardRequest<Kept>> | undefined => decoded(text, outlines, requestedOf)

/** Undefined where the text holds no responses, as far as this release knows. */
export const decodeResponses = <Kept extends Open>(
  text: string,
  outlines: HeardOutlines<Kept>
): ReadonlyArray<HeardResponse<Kept>> | undefined => decoded(text, outlines, answeredOf)
