import { Result } from "effect"

/** An event as it is stored or exported: the bytes that were hashed, unread. */
export interface StoredEvent {
  /** Its place in all events, gapless from 1. */
  readonly seq: number
  readonly stream: string
  /** Its place in its stream, gapless from 1. */
  readonly version: number
  readonly type: string
  /** The event's JSON, byte for byte as it was recorded. */
  readonly data: string
  /** SHA-256(previous hash of the stream ‖ data), in hex. */
  readonly hash: string
}

/** Something about a stored event that cannot be, in one sentence without its subject. */
export interface Finding {
  readonly seq: number
  readonly stream: string
  readonly version: number
  readonly type: string
  readonly problem: string
}

export const findingAt = ({ seq, stream, version, type }: StoredEvent, problem: string): Finding => ({
  seq,
  stream,
  version,
  type,
  problem
})

/** One line of an exported file, without its end. `sum` is the log's running hash up to and with this event. */
export const encodeLine = ({ seq, stream, version, type, data, hash }: StoredEvent, sum: string): string =>
  JSON.stringify({ seq, stream, version, type, data, hash, sum })

/** The last line of an exported file, by which a file that was cut is noticed. */
export const encodeEnd = (events: number): string => JSON.stringify({ end: events })

export type Line =
  | { readonly _tag: "Event"; readonly event: StoredEvent; readonly sum: string }
  | { readonly _tag: "End"; readonly events: number }

/** Reads a line back. Only the very bytes that {@link encodeLine} and {@link encodeEnd} write are taken. */
export const decodeLine = (line: string): Result.Result<Line, string> => {
  const value = parsed(line)
  const read = isRecord(value) ? (endOf(value) ?? eventOf(value)) : undefined
  if (read === undefined) return Result.fail("is not the JSON of an event")
  const written = read._tag === "End" ? encodeEnd(read.events) : encodeLine(read.event, read.sum)
  return written === line ? Result.succeed(read) : Result.fail("is not written as an export writes it")
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const isPlace = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

const isText = (value: unknown): value is string => typeof value === "string"

const endOf = ({ end }: Readonly<Record<string, unknown>>): Line | undefined =>
  Number.isSafeInteger(end) ? { _tag: "End", events: Number(end) } : undefined

const eventOf = (value: Readonly<Record<string, unknown>>): Line | undefined => {
  const { seq, stream, version, type, data, hash, sum } = value
  return isPlace(seq) &&
    isPlace(version) &&
    isText(stream) &&
    isText(type) &&
    isText(data) &&
    isText(hash) &&
    isText(sum)
    ? { _tag: "Event", event: { seq, stream, version, type, data, hash }, sum }
    : undefined
}
