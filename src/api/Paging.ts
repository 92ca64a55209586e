import { Schema } from "effect"
import { optional } from "./Optional.ts"

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
  return Schema.String.annotate({ format: "integer", description })
    .check(Schema.isPattern(/^\d{1,9}$/, { expected }))
    .pipe(
      Schema.decodeTo(Schema.FiniteFromString),
      Schema.check(Schema.makeFilter((value: number) => (value >= min && value <= max) || `Expected ${expected}`))
    )
}

const pageQueryOf = (usual: number) => ({
  limit: optional(wholeNumber(1, MAX_LIMIT, usual)),
  offset: optional(wholeNumber(0, MAX_OFFSET, 0))
})

/** The query fields of a list: `limit` (1 to 100, default 100) and `offset` (from 0, default 0). */
export const pageQuery = pageQueryOf(DEFAULT_LIMIT)

/** The query fields of the list of arena orders: `limit` (1 to 100, default 20) and `offset`. Specification 4.3. */
export const orderPageQuery = pageQueryOf(DEFAULT_ORDER_LIMIT)

/** What a list in the arena tells of its page: `total` counts the rows of all pages. */
export const pageFields = { total: Schema.Int, offset: Schema.Int, limit: Schema.Int }

/** A page as a repository takes it. */
export interface Page {
  readonly limit: number
  readonly offset: number
}

/** The page that a query asks for. */
export const pageOf = (
  query: { readonly limit?: number; readonly offset?: number },
  usual: number = DEFAULT_LIMIT
): Page => ({
  limit: query.limit ?? usual,
  offset: query.offset ?? 0
})
