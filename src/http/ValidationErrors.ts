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

const KINDS = { String: "string", Number: "number", Boolean: "boolean", Objects: "object", Arrays: "array" } as const

/** How JSON names what a value has to be. The name of a schema would tell a caller nothing. */
const kindsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isUnion(ast)) return ast.types.filter((each) => !isNothing(each)).flatMap(kindsOf)
  if (SchemaAST.isSuspend(ast)) return kindsOf(ast.thunk())
  if (SchemaAST.isLiteral(ast)) return [JSON.stringify(ast.literal)]
  if (SchemaAST.isNull(ast)) return ["null"]
  const kind = Object.hasOwn(KINDS, ast._tag) ? KINDS[ast._tag as keyof typeof KINDS] : undefined
  return kind === undefined ? [] : [kind]
}

/** Several things of which one is meant, in words. */
const oneOf = (names: ReadonlyArray<string>): string =>
  names.length > 2 ? `one of ${names.join(", ")}` : names.join(" or ")

/** What a value of the wrong kind has to be; undefined where JSON has no name for it. */
const wantedKind = (ast: SchemaAST.AST): string | undefined => {
  const kinds = [...new Set(kindsOf(SchemaAST.toEncoded(ast)))]
  return kinds.length === 0 ? undefined : `${EXPECTED}${oneOf(kinds)}`
}

/** A schema's refusal of a value, and the place of the fault in it. */
const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) =>
    issue._tag === "MissingKey"
      ? "Expected a value, and none was given"
      : issue._tag === "UnexpectedKey"
        ? "Expected no field of this name"
        : ((issue._tag === "InvalidType" ? wantedKind(issue.ast) : undefined) ?? SchemaIssue.defaultLeafHook(issue))
})

type Segment = PropertyKey | { readonly key: PropertyKey }

const name = (segment: Segment): string => String(typeof segment === "object" ? segment.key : segment)

const placed = (place: string, path: ReadonlyArray<Segment>): string =>
  [...(place === "" ? [] : [place]), ...path.map(name)].join(".")

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

/** What a value has to be by several checks, each of which it breaks: without those that another one says too. */
const jointly = (texts: ReadonlyArray<string>): string =>
  texts.filter((text, at) => !texts.some((other, to) => other.includes(text) && (other !== text || to < at))).join(", ")

const withoutExpected = (message: string): string =>
  message.startsWith(EXPECTED) ? message.slice(EXPECTED.length) : message

const textsOf = (issue: Issue, place: string): ReadonlyArray<readonly [field: string, text: string]> => {
  const wanted = issue._tag === "AnyOf" ? wantedKind(issue.ast) : undefined
  if (wanted !== undefined) return [[place.slice(0, MAX_FIELD), withoutExpected(wanted)]]
  return format(issue).issues.map(({ message, path = [] }) => [
    placed(place, path).slice(0, MAX_FIELD),
    withoutExpected(message)
  ])
}

const add = (into: Map<string, Set<string>>, field: string, text: string): void =>
  void into.set(field, (into.get(field) ?? new Set()).add(text))

/** Adds what the checks of one value expect, as one text for each field. */
const collectChecks = (checks: ReadonlyArray<Issue>, place: string, into: Map<string, Set<string>>): void => {
  const found = Map.groupBy(
    checks.flatMap((check) => textsOf(check, place)),
    ([field]) => field
  )
  for (const [field, texts] of found) add(into, field, jointly(texts.map(([, text]) => text)))
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
    const isCheck = ({ _tag }: Issue) => issue._tag === "Composite" && _tag === "Filter"
    collectChecks(members.filter(isCheck), place, into)
    for (const inner of members) if (!isCheck(inner)) collect(inner, place, into)
    return
  }
  for (const [field, text] of textsOf(issue, place)) add(into, field, text)
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
