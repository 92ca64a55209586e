/** What the node that writes tells those that follow it, as text. */

import { Option, Schema } from "effect"
import { toHex } from "../../engine/actor/EventChain.ts"
import type { FollowedRow } from "../../engine/journal/JournalFollower.ts"
import { Amount } from "../../engine/money/Amount.ts"
import { encoderOf } from "../../engine/wire/JsonEncoder.ts"

/** What is told beside rows: how far the journal goes, a price, and whose sign-ins may have ended (null: anybody's). */
const News = Schema.Union([
  Schema.TaggedStruct("Head", { seq: Schema.Int }),
  Schema.TaggedStruct("Price", { asset: Schema.String, price: Amount, source: Schema.String, at: Schema.Int }),
  Schema.TaggedStruct("Changed", { userId: Schema.NullOr(Schema.String) })
])

export type News = typeof News.Type

/** A row that stands in the journal, or other news. */
export type FollowerFrame = { readonly _tag: "Row"; readonly row: FollowedRow } | News

const LINE_END = "\n"

const ROW = "R"

const TERM = /^\d{1,19}$/

type Place = readonly [
  firstSeq: number,
  count: number,
  term: string,
  recordedAt: number,
  hash: string,
  answersDigest: string
]

const isPlace = (value: unknown): value is Place => {
  if (!Array.isArray(value) || value.length !== 6) return false
  const [firstSeq, count, term, recordedAt, hash, answersDigest] = value as ReadonlyArray<unknown>
  return (
    [firstSeq, count, recordedAt].every(Number.isSafeInteger) &&
    typeof term === "string" &&
    TERM.test(term) &&
    typeof hash === "string" &&
    typeof answersDigest === "string"
  )
}

/** The place of a row; undefined where the text is none. A schema took as long for it as all else about a row. */
const placeOf = (text: string): Place | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isPlace(value) ? value : undefined
  } catch {
    return undefined
  }
}

const decodeNews = Schema.decodeUnknownOption(Schema.fromJsonString(News))

/** The text of news. */
export const encodeNews = encoderOf(News)

/** The text of a row: its place in one line, then its body as it is. */
export const encodeRow = ({ answersDigest, body, count, firstSeq, hash, recordedAt, term }: FollowedRow): string =>
  `${ROW}${JSON.stringify([firstSeq, count, String(term), recordedAt, toHex(hash), toHex(answersDigest)])}${LINE_END}${body}`

const decodeRow = (text: string): FollowerFrame | undefined => {
  const end = text.indexOf(LINE_END)
  const place = end === -1 ? undefined : placeOf(text.slice(ROW.length, end))
  if (place === undefined) return undefined
  const [firstSeq, count, term, recordedAt, hash, answersDigest] = place
  return {
    _tag: "Row",
    row: {
      firstSeq,
      count,
      term: BigInt(term),
      recordedAt,
      hash: Buffer.from(hash, "hex"),
      answersDigest: Buffer.from(answersDigest, "hex"),
      body: text.slice(end + LINE_END.length)
    }
  }
}

/** Whether a frame has a row. */
export const isRow = (text: string): boolean => text.startsWith(ROW)

/** Reads a frame; undefined where it is none that this node knows, which is another release's. */
export const decodeFrame = (text: string): FollowerFrame | undefined =>
  isRow(text) ? decodeRow(text) : Option.getOrUndefined(decodeNews(text))
