import type { HttpApiError } from "effect/http-api"
import { SchemaIssue } from "effect"

/** Problems named in one message. */
const MAX_ISSUES = 5

/** Longest message. */
const MAX_LENGTH = 1000

const PLACES = {
  Params: "path",
  Headers: "headers",
  Query: "query",
  Payload: "payload",
  Body: "response",
  ResponseHeaders: "response"
} as const

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) =>
    issue._tag === "MissingKey"
      ? "Expected a value, and none was given"
      : issue._tag === "UnexpectedKey"
        ? "Expected no field of this name"
        : SchemaIssue.defaultLeafHook(issue)
})

type Segment = PropertyKey | { readonly key: PropertyKey }

const name = (segment: Segment): string => String(typeof segment === "object" ? segment.key : segment)

/** One line for the caller about what was sent at a place, such as `payload.quantity: Expected a finite number`. */
export const at = (place: string, issue: SchemaIssue.Issue): string => {
  const { issues } = format(issue)
  const lines = issues.slice(0, MAX_ISSUES).map((each) => {
    const path = [place, ...(each.path ?? []).map(name)].join(".")
    return `${path}: ${each.message}`
  })
  return [...new Set(lines)].join("; ").slice(0, MAX_LENGTH)
}

/** One line for the caller, such as `payload.proposed_entry_price: Expected a finite number`. */
export const of = (error: HttpApiError.HttpApiSchemaError): string => at(PLACES[error.kind], error.cause.issue)
