import { Exit, Schema, SchemaAST, SchemaIssue } from "effect"
import { type FieldError, MAX_FIELD_ERRORS } from "../api/FieldError.ts"
import { isNothing } from "../api/Optional.ts"

/** The most values of a request that is examined completely; for a larger one only the first fault is listed. */
const MAX_EXAMINED = 2_000

/** Longest text about one field. */
const MAX_EXPECTED = 500

/** Longest place of a field. */
const MAX_FIELD = 200

const EXPECTED = "Expected "

type Issue = SchemaIssue.Issue

/** A schema's refusal of a value, and the place of the fault in it. */
export const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) =>
    issue._tag === "MissingKey"
      ? "Expected a value, and none was given"
      : issue._tag === "UnexpectedKey"
        ? "Expected no field of this name"
        : SchemaIssue.defaultLeafHook(issue)
})

type Segment = PropertyKey | { readonly key: PropertyKey }

const name = (segment: Segment): string => String(typeof segment === "object" ? segment.key : segment)

const placed = (place: string, path: ReadonlyArray<Segment>): string => [place, ...path.map(name)].join(".")

/** A missing first field of a struct, which distinguishes the struct from others. */
const missingMark = (issue: Issue): string | undefined => {
  if (issue._tag !== "Composite" || issue.ast._tag !== "Objects") return undefined
  const mark = issue.ast.propertySignatures[0]?.name
  const isMissing = issue.issues.some(
    (one) => one._tag === "Pointer" && one.path[0] === mark && one.issue._tag === "MissingKey"
  )
  return isMissing ? String(mark) : undefined
}

/**
 * The useful part of a union's refusal: that of the members whose first field was sent, else all. So a caller who gets
 * a field of one body wrong learns of that field, not of another body.
 */
const meant = (issue: Issue): ReadonlyArray<Issue> => {
  if (issue._tag !== "AnyOf" || issue.issues.length === 0) return [issue]
  const members = issue.issues.flatMap(meant)
  const marked = members.filter((member) => missingMark(member) === undefined)
  return marked.length > 0 ? marked : members
}

/** For a value without the first field of any member, if those differ: the fields that would say which member it is. */
const choiceOf = (members: ReadonlyArray<Issue>): string | undefined => {
  const marks = new Set(members.map(missingMark).filter((mark) => mark !== undefined))
  return marks.size > 1 ? `a body with ${[...marks].join(" or ")}` : undefined
}

/** The expectation for an optional field's value, without the note that it may be nothing. */
const ofItsValue = ({ ast, issues }: SchemaIssue.AnyOf): ReadonlyArray<Issue> | undefined => {
  const [value] = ast.types
  if (value === undefined || !ast.types.some(isNothing)) return undefined
  const told = issues.filter((one) => !("ast" in one && isNothing(one.ast)))
  return told.length > 0 ? told : [new SchemaIssue.InvalidType(SchemaAST.toEncoded(value))]
}

/** Adds an issue's text for each field. One text joins what several members of a union expect of a field. */
const collect = (issue: Issue, place: string, into: Map<string, Set<string>>): void => {
  if (into.size > MAX_FIELD_ERRORS) return
  if (issue._tag === "Pointer") return collect(issue.issue, placed(place, issue.path), into)
  if (issue._tag === "Encoding") return collect(issue.issue, place, into)
  const ofValue = issue._tag === "AnyOf" ? ofItsValue(issue) : undefined
  if (ofValue !== undefined) {
    for (const inner of ofValue) collect(inner, place, into)
    return
  }
  if (issue._tag === "Composite" || (issue._tag === "AnyOf" && issue.issues.length > 0)) {
    const members = issue._tag === "Composite" ? issue.issues : meant(issue)
    const choice = issue._tag === "Composite" ? undefined : choiceOf(members)
    if (choice !== undefined) return void into.set(place, new Set([choice]))
    for (const inner of members) collect(inner, place, into)
    return
  }
  for (const { message, path = [] } of format(issue).issues) {
    const field = placed(place, path).slice(0, MAX_FIELD)
    const expected = message.startsWith(EXPECTED) ? message.slice(EXPECTED.length) : message
    into.set(field, (into.get(field) ?? new Set()).add(expected))
  }
}

/** The faults of a value at a place, one for each field, such as `payload.quantity`. At least one. */
export const at = (place: string, issue: Issue): ReadonlyArray<FieldError> => {
  const found = new Map<string, Set<string>>()
  collect(issue, place, found)
  return [...found]
    .slice(0, MAX_FIELD_ERRORS)
    .map(([field, expected]) => ({ field, expected: [...expected].join(" or ").slice(0, MAX_EXPECTED) }))
}

/** Whether a value has few enough values in it to be examined whole. */
const isSmall = (value: unknown): boolean => {
  const left: Array<unknown> = [value]
  let seen = 0
  while (left.length > 0) {
    const next = left.pop()
    seen += 1
    const inner = typeof next === "object" && next !== null ? Object.values(next) : []
    if (seen + left.length + inner.length > MAX_EXAMINED) return false
    left.push(...inner)
  }
  return true
}

/** Every fault of a value by a schema, only the first for a large value; none if the schema accepts it. */
export const of = <A, I>(
  place: string,
  schema: Schema.Codec<A, I>,
  value: unknown,
  options: SchemaAST.ParseOptions = {}
): ReadonlyArray<FieldError> => {
  const exit = Schema.decodeUnknownExit(schema, { ...options, errors: isSmall(value) ? "all" : "first" })(value)
  const [reason] = Exit.isFailure(exit) ? exit.cause.reasons : []
  return reason?._tag === "Fail" ? at(place, reason.error.issue) : []
}
