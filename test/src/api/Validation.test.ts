import { describe, expect, it as itPlain } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { withLayer } from "../../lib/Effects.ts"
import { sendOperation } from "../../lib/OperationRequest.ts"
import { OPERATION_ROWS, requestOf, type Sent } from "../../lib/OperationRows.ts"
import { DECLARED_QUERIES, OPERATIONS } from "../../lib/Operations.ts"
import type { FieldError } from "../../../src/api/FieldError.ts"
import { isSpecified } from "../../../src/api/SpecifiedOperations.ts"
import { makeFixture, type Fixture, tokenOf } from "../../lib/OperationFixture.ts"
import type { JsonSchema } from "../../lib/SchemaArbitrary.ts"
import { type Described, fieldsOf, REQUEST_SCHEMAS } from "../../lib/validation/RequestSchemas.ts"
import type { Rule, ValidationTable } from "../../lib/validation/Rule.ts"
import { VALIDATION } from "../../lib/validation/Validation.ts"

class TheFixture extends Context.Service<TheFixture, Fixture>()("test/Validation/Fixture") {}

const it = withLayer(Layer.effect(TheFixture, makeFixture()))

/** Redirects, whose query a browser brings. */
const REDIRECTS = new Set(["GET /auth/google ?", "GET /api/auth/google ?"])

const operationOf = (name: string): string => name.replace(/ (\?|as \w+)$/, "")

const isNamed = (name: string): boolean => {
  const [method = "", path = ""] = name.split(" ")
  return isSpecified(method, path) && !REDIRECTS.has(name)
}

const isQuery = (name: string): boolean => name.endsWith(" ?")

/** A copy with another value in one place; without the place where the value is undefined. */
const withValue = (whole: unknown, [name = "", ...rest]: ReadonlyArray<string>, value: unknown): unknown => {
  const copy = (Array.isArray(whole) ? [...(whole as ReadonlyArray<unknown>)] : { ...(whole as object) }) as Record<
    string,
    unknown
  >
  if (rest.length > 0) copy[name] = withValue(copy[name] ?? {}, rest, value)
  else if (value === undefined) delete copy[name]
  else copy[name] = value
  return copy
}

const changed = (name: string, sent: Sent, { field, value }: Rule): Sent =>
  isQuery(name)
    ? { ...sent, query: withValue(sent.query ?? {}, [field], value) as Readonly<Record<string, string>> }
    : { ...sent, body: withValue(sent.body, field.split("."), value) }

const MISSING = "Expected a value, and none was given"

/** Without its first field, one of several bodies cannot be told from another. */
const missing = (name: string, { required }: ValidationTable): ReadonlyArray<Rule> =>
  required.map((field, place) => ({
    field,
    value: undefined,
    expected: place === 0 && name.includes(" as ") ? "Expected a body with " : MISSING
  }))

const WRONG: Readonly<Record<string, unknown>> = {
  string: 7,
  number: "seven",
  integer: "seven",
  boolean: "yes",
  array: "one",
  object: "one"
}

/** A value of another type for each field of a body. A query has texts alone. */
const mistyped = (name: string): ReadonlyArray<Rule> =>
  isQuery(name)
    ? []
    : fieldsOf(REQUEST_SCHEMAS.get(name) ?? {}).map(({ field, schema }) => ({
        field,
        value: WRONG[schema.type ?? schema.anyOf?.[0]?.type ?? "string"],
        expected: "Expected "
      }))

const at = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce((inner, name) => (Object(inner) as Record<string, unknown>)[name], value)

/** Whether a value is a number, or a query's. */
const isDigits = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && /^-?[\d.]+$/.test(value))

/** The conditions of a schema that a value breaks. */
const broken = (schema: JsonSchema & { readonly minimum?: number; readonly maximum?: number }, value: unknown) => ({
  minLength: typeof value === "string" && value.length < (schema.minLength ?? 0),
  maxLength: typeof value === "string" && value.length > (schema.maxLength ?? Infinity),
  pattern: typeof value === "string" && schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value),
  enum: typeof value === "string" && schema.enum?.includes(value) === false,
  minItems: Array.isArray(value) && value.length < (schema.minItems ?? 0),
  maxItems: Array.isArray(value) && value.length > (schema.maxItems ?? Infinity),
  minimum: isDigits(value) && Number(value) < (schema.minimum ?? -Infinity),
  maximum: isDigits(value) && Number(value) > (schema.maximum ?? Infinity)
})

/** A condition that every value has, or that no sensible request comes near. */
const isIdle = (key: string, value: unknown): boolean =>
  (key === "minLength" && value === 0) ||
  (key === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
  value === Number.MAX_SAFE_INTEGER

/** The rows whose value is not taken for none. */
const refusable = (name: string, rules: ReadonlyArray<Rule>): ReadonlyArray<Rule> => {
  const optional = new Set(
    fieldsOf(REQUEST_SCHEMAS.get(name) ?? {}).flatMap(({ field, optional }) => (optional ? [field] : []))
  )
  return rules.filter(({ field, value }) => !(optional.has(field) && (value === null || value === "")))
}

/** The conditions of a field without a row that breaks it. An optional field's empty text is none, and breaks nothing. */
const untried = (rules: ReadonlyArray<Rule>, { field, optional, schema }: Described): ReadonlyArray<string> => {
  const rows = rules.filter((rule) => rule.field === field)
  const conditions = Object.keys(broken(schema, undefined)) as ReadonlyArray<keyof ReturnType<typeof broken>>
  const unbroken = conditions
    .filter((key) => at(schema, [key]) !== undefined && !isIdle(key, at(schema, [key])))
    .filter((key) => !(optional && key === "minLength" && schema.minLength === 1))
    .filter((key) => !rows.some(({ value }) => broken(schema, value)[key]))
    .map((key) => `${field} ${key}`)
  const isFree = schema.type === "boolean" || schema.type === "object" || schema.type === "array"
  return rows.length === 0 && !isFree ? [`${field} has no row`] : unbroken
}

const shown = (value: unknown): string => {
  const json = value === undefined ? "nothing" : JSON.stringify(value)
  return json.length > 40 ? `${json.slice(0, 30)}… (${json.length - 2} characters)` : json
}

describe("The tables", () => {
  itPlain("are those of every request that the specification names", () => {
    const specified = [...REQUEST_SCHEMAS.keys()].filter(isNamed)
    expect(specified.filter((name) => VALIDATION[name] === undefined)).toEqual([])
    const operations = new Set(OPERATIONS.map(({ name }) => name))
    const unknown = Object.keys(VALIDATION).filter((name) => !operations.has(operationOf(name)))
    expect(unknown.filter((name) => !isNamed(name))).toEqual([])
  })

  for (const [name, table] of Object.entries(VALIDATION)) {
    itPlain(`break every condition of ${name}`, () => {
      const schema = REQUEST_SCHEMAS.get(name)
      if (schema === undefined) throw new Error(`No request is described by the name ${name}`)
      expect([...(schema.required ?? [])].toSorted()).toEqual([...table.required].toSorted())
      expect(fieldsOf(schema).flatMap((field) => untried(table.rules, field))).toEqual([])
    })
  }
})

for (const [name, table] of Object.entries(VALIDATION)) {
  const operation = OPERATIONS.find((operation) => operation.name === operationOf(name))
  if (operation === undefined) continue
  describe(`${name} refuses`, () => {
    const rules = refusable(name, [...missing(name, table), ...mistyped(name), ...table.rules])
    for (const [turn, rule] of rules.entries()) {
      it(`${rule.field} ${shown(rule.value)} (${turn})`, () =>
        Effect.gen(function* () {
          const fixture = yield* TheFixture
          const row = OPERATION_ROWS[operation.name]
          const { body, ...own } = yield* requestOf(row, fixture, 5_000 + turn)
          const sent = changed(name, { ...own, body: table.body ?? body }, rule)
          const who = row?.as === "admin" && table.body === undefined ? fixture.admin : fixture.mine.userId
          const token = operation.access?._tag === "Open" ? undefined : yield* tokenOf(fixture, who)
          const { json, status, text } = yield* sendOperation(fixture, operation, sent, token)
          const expected = { status: rule.status ?? 400, field: true, message: true }
          const last = rule.field.split(".").at(-1) ?? ""
          const { message = "" } = json as { readonly message?: string }
          expect({ status, field: text.includes(last), message: message.includes(rule.expected), text }).toEqual({
            ...expected,
            text
          })
        }))
    }
  })
}

describe("A parameter that an operation does not know is refused by", () => {
  for (const operation of OPERATIONS) {
    const { query, takesAny } = DECLARED_QUERIES.get(operation.name) ?? { query: [], takesAny: false }
    it(`${operation.name}${takesAny ? ", but not here" : ""}`, () =>
      Effect.gen(function* () {
        const fixture = yield* TheFixture
        const row = OPERATION_ROWS[operation.name]
        const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, "x"])
        const sent: Sent = takesAny ? yield* requestOf(row, fixture, 9_000) : { params: Object.fromEntries(names) }
        const asked: Sent = { ...sent, query: { ...(takesAny ? sent.query : {}), no_such_parameter: "1" } }
        const isAdmin = operation.access?._tag === "Admin" || row?.as === "admin"
        const token =
          operation.access?._tag === "Open"
            ? undefined
            : yield* tokenOf(fixture, isAdmin ? fixture.admin : fixture.mine.userId)
        const { json, status } = yield* sendOperation(fixture, operation, asked, token)
        if (takesAny) return expect(status).toBe(row?.status ?? 200)
        const { code, errors = [] } = json as { readonly code?: string; readonly errors?: ReadonlyArray<FieldError> }
        const found = errors.find(({ field }) => field === "query.no_such_parameter")
        expect([status, code]).toEqual([400, "invalid_request"])
        for (const name of query) expect(found?.expected).toContain(name)
        expect(found?.expected).toContain(query.length === 0 ? "no parameters" : "one of the parameters")
      }))
  }
})

describe("A cursor that names no row is refused by", () => {
  for (const operation of OPERATIONS) {
    const { query = [] } = DECLARED_QUERIES.get(operation.name) ?? {}
    if (!query.includes("offset")) continue
    it(operation.name, () =>
      Effect.gen(function* () {
        const fixture = yield* TheFixture
        const row = OPERATION_ROWS[operation.name]
        const sent = yield* requestOf(row, fixture, 9_100)
        const who = operation.access?._tag === "Admin" || row?.as === "admin" ? fixture.admin : fixture.mine.userId
        const asked = { ...sent, query: { ...sent.query, after: "no_such_row" } }
        const { json, status } = yield* sendOperation(fixture, operation, asked, yield* tokenOf(fixture, who))
        const { errors = [] } = json as { readonly errors?: ReadonlyArray<FieldError> }
        expect([status, errors.map(({ field }) => field)]).toEqual([400, ["query.after"]])
        expect(errors[0]?.expected).toContain("the id of a row of this list")
      })
    )
  }
})
