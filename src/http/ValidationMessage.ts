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

/** Whether the first field of a struct, by which one tells it from others, was not sent. */
const lacksItsFirst = (issue: SchemaIssue.Issue): boolean => {
  if (issue._tag !== "Composite" || issue.ast._tag !== "Objects") return false
  const [first] = issue.issues
  const mark = issue.ast.propertySignatures[0]?.name
  return first?._tag === "Pointer" && first.path[0] === mark && first.issue._tag === "MissingKey"
}

/**
 * What is worth telling of a union's refusal: what those of its members refuse whose first field was sent, or else all.
 * A caller who gets a field of one body wrong learns of that field, not of another body.
 */
const meant = (issue: SchemaIssue.Issue): ReadonlyArray<SchemaIssue.Issue> => {
  if (issue._tag !== "AnyOf" || issue.issues.length === 0) return [issue]
  const members = issue.issues.flatMap(meant)
  const marked = members.filter((member) => !lacksItsFirst(member))
  return marked.length === 0 ? members : marked
}

/** One line for the caller about what was sent at a place, such as `payload.quantity: Expected a finite number`. */
export const at = (place: string, issue: SchemaIssue.Issue): string => {
  const issues = meant(issue).flatMap((each) => format(each).issues)
  const lines = issues.slice(0, MAX_ISSUES).map((each) => {
    const path = [place, ...(each.path ?? []).map(name)].join(".")
    return `${path}: ${each.message}`
  })
  return [...new Set(lines)].join("; ").slice(0, MAX_LENGTH)
}

/** One line for the caller, such as `payload.proposed_entry_price: Expected a finite number`. */
export const of = (error: HttpApiError.HttpApiSchemaError): string => at(PLACES[error.kind], error.cause.issue)
