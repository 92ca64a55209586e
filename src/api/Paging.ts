import { Schema } from "effect"
import type { MetadataPair } from "../../engine/metadata/Metadata.ts"
import { optional } from "./Optional.ts"
import { text } from "./Text.ts"

/** Rows in a page when none is asked for: the most, so that a list whose paging the specification does not show is whole. */
export const DEFAULT_LIMIT = 100

/** Rows in a page of arena orders when none is asked for. Specification 8. */
export const DEFAULT_ORDER_LIMIT = 20

/** Most rows in a page. Specification 8. */
export const MAX_LIMIT = 100

/** Farthest row a page may start at. */
export const MAX_OFFSET = 1_000_000

/** An integer in a query, as plain digits. `usual` is what is taken where none is given. */
export const wholeNumber = (min: number, max: number, usual?: number) => {
  const expected = `an integer from ${min} to ${max}`
  const description = `An integer from ${min} to ${max}${usual === undefined ? "" : `, by default ${usual}`}.`
  const format = ["integer", min, max, ...(usual === undefined ? [] : [usual])].join(" ")
  return Schema.String.annotate({ format, description })
    .check(Schema.isPattern(/^\d{1,9}$/, { expected }))
    .pipe(
      Schema.decodeTo(Schema.FiniteFromString),
      Schema.check(Schema.makeFilter((value: number) => (value >= min && value <= max) || `Expected ${expected}`))
    )
}

/** Longest cursor, in characters. */
export const MAX_CURSOR = 200

/** The id of a row, or a place that the Link of a page before had: the page begins behind it. */
export const Cursor = text(1, MAX_CURSOR).annotate({
  description:
    "Extension: the id of a row of this list, or what the Link header of the page before has. The page begins behind it, " +
    "so that nothing is doubled or missed while rows are added or removed. The Link header of an answer has the address " +
    "of the next page; the last page has none."
})

const pageQueryOf = (usual: number) => ({
  limit: optional(wholeNumber(1, MAX_LIMIT, usual)),
  offset: optional(wholeNumber(0, MAX_OFFSET, 0)),
  after: optional(Cursor)
})

/** The query fields of a list: `limit` (1 to 100, default 100), `offset` (from 0, default 0) and `after`, a {@link Cursor}. */
export const pageQuery = pageQueryOf(DEFAULT_LIMIT)

/** The query fields of the list of arena orders: `limit` (1 to 100, default 20), `offset` and `after`. Specification 4.3. */
export const orderPageQuery = pageQueryOf(DEFAULT_ORDER_LIMIT)

/** What a list in the arena tells of its page: `total` counts the rows of all pages. */
export const pageFields = { total: Schema.Int, offset: Schema.Int, limit: Schema.Int }

/** A page as a repository takes it. */
export interface Page {
  readonly limit: number
  readonly offset: number
  /** The id of the row that it begins behind. */
  readonly after?: string | undefined
  /** What the metadata of its rows has. */
  readonly metadata?: MetadataPair | undefined
  /** The same as it is sealed, by whoever may keep it. */
  readonly sealedMetadata?: ReadonlyArray<MetadataPair>
}

/** The page that a query asks for. */
export const pageOf = (
  query: {
    readonly limit?: number
    readonly offset?: number
    readonly after?: string
    readonly metadata?: MetadataPair
  },
  usual: number = DEFAULT_LIMIT
): Page => ({
  limit: query.limit ?? usual,
  offset: query.offset ?? 0,
  after: query.after,
  metadata: query.metadata
})
