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

/** One line for the caller, such as `payload.proposed_entry_price: Expected a finite number`. */
export const of = (error: HttpApiError.HttpApiSchemaError): string => {
  const { issues } = format(error.cause.issue)
  const lines = issues.slice(0, MAX_ISSUES).map((issue) => {
    const path = [PLACES[error.kind], ...(issue.path ?? []).map(name)].join(".")
    return `${path}: ${issue.message}`
  })
  return [...new Set(lines)].join("; ").slice(0, MAX_LENGTH)
}
