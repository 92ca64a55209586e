import { Schema } from "effect"

/** What a number is between, as JSON Schema says it. */
export interface Bounds {
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum: number
}

/**
 * Says bounds in the documents that follow from a schema, and refuses nothing: for a number whose decoding refuses what
 * is outside by itself, with what it expects in its own words.
 */
export const documented = (bounds: Bounds) =>
  Schema.makeFilter<number>(() => true, { toJsonSchema: () => ({ ...bounds }) })
