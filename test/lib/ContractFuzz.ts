import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import fc from "fast-check"
import { API_DOCUMENT, type DocumentedOperation, type Parameter } from "./ApiDocument.ts"
import { ask } from "./Requests.ts"
import { withLayer } from "./Effects.ts"
import { OPERATION_ROWS, requestOf, type Sent } from "./OperationRows.ts"
import { addressOf, sendOperation } from "./OperationRequest.ts"
import { addParty, makeFixture, type Fixture, THOUSAND, tokenOf } from "./OperationFixture.ts"
import { type DeclaredOperation, OPERATIONS } from "./Operations.ts"
import { damaged, resolved, valueOf } from "./SchemaArbitrary.ts"

const { schemas } = API_DOCUMENT.components

const documented = ({ method, path }: DeclaredOperation): DocumentedOperation =>
  API_DOCUMENT.paths[path]?.[method.toLowerCase()] ?? {}

class TheFixture extends Context.Service<TheFixture, Fixture>()("test/ContractFuzzer/Fixture") {}

const it = withLayer(Layer.effect(TheFixture, makeFixture({ TRUSTED_PROXIES: "127.0.0.1, ::1" })))

/** The schema of a body, and whether it is a form's. */
const bodyOf = (operation: DeclaredOperation) => {
  const content = documented(operation).requestBody?.content ?? {}
  const [type, media] = Object.entries(content)[0] ?? []
  return media === undefined ? undefined : { schema: media.schema, form: type?.includes("form") === true }
}

const encoded = (value: unknown): string => encodeURIComponent(String(value).toWellFormed()).slice(0, 3_000)

const hostileSegment = fc.oneof(
  fc.string({ unit: "binary", minLength: 1 }).map(encoded),
  fc.constantFrom("%00", "%", "%zz", "%ED%A0%80", "..%2f..", "__proto__", "%20", "x".repeat(150), "-1")
)

/** What stands in a place of the path: what the row has there, what the schema takes, or neither. */
const segmentOf = ({ name, schema }: Parameter, sent: Sent): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(encoded(sent.params?.[name] ?? "x")) },
    { weight: 1, arbitrary: valueOf(schemas, schema).map((value) => encoded(value) || "x") },
    { weight: 1, arbitrary: hostileSegment }
  )

const queryOf = (parameters: ReadonlyArray<Parameter>, sent: Sent): fc.Arbitrary<string> => {
  const values = parameters.map((parameter) =>
    fc
      .oneof(
        { weight: 2, arbitrary: fc.constant(encoded(sent.query?.[parameter.name] ?? "1")) },
        { weight: 2, arbitrary: valueOf(schemas, parameter.schema).map(encoded) },
        { weight: 1, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: hostileSegment }
      )
      .map((value) => (value === undefined ? "" : `${parameter.name}=${value}`))
  )
  const unknown = fc.constantFrom("", "", "", "unknown=1", "__proto__=1", "x[]=1", "%00")
  return fc.tuple(...values, unknown).map((pairs) => pairs.filter((pair) => pair !== "").join("&"))
}

const RAW = ["", "{", "null", "[]", '"x"', '{"a":NaN}', '{"a":1e999}', "\ufeff{}", "[".repeat(5_000), "{'a':1}"]

const json = (value: unknown): string => JSON.stringify(value) ?? ""

/** A field of a form: what is no text may have a `toString` that is none. */
const field = ([name, value]: [string, unknown]): [string, string] => [
  name,
  typeof value === "string" ? value : json(value)
]

const written = (value: unknown, form: boolean): string =>
  form ? new URLSearchParams(Object.entries(Object(value)).map(field)).toString() : json(value)

const textOf = (operation: DeclaredOperation, sent: Sent): fc.Arbitrary<string> | undefined => {
  const body = bodyOf(operation)
  if (body === undefined) return undefined
  const generated = valueOf(schemas, body.schema)
  const right = fc.oneof(fc.constant(sent.body), generated)
  const values = fc.oneof({ weight: 1, arbitrary: generated }, { weight: 5, arbitrary: damaged(right) })
  return fc.oneof(
    {
      weight: 12,
      arbitrary: values.map((value) => written(value, body.form))
    },
    { weight: 1, arbitrary: fc.constantFrom(...RAW) }
  )
}

const typeOf = (operation: DeclaredOperation): string =>
  bodyOf(operation)?.form === true ? "application/x-www-form-urlencoded" : "application/json"

const headersOf = (operation: DeclaredOperation): fc.Arbitrary<Readonly<Record<string, string>>> => {
  const type = typeOf(operation)
  const types = [...Array.from({ length: 15 }, () => type), "text/plain", "", "application/json; charset=x"]
  return fc.record(
    {
      "content-type": fc.constantFrom(...types),
      "idempotency-key": fc.oneof(fc.uuid(), fc.constantFrom("same", "", "a b", "x".repeat(256))),
      "x-request-id": fc.constantFrom("sane", "a\tb", "x".repeat(100)),
      accept: fc.constantFrom("*/*", "image/png"),
      origin: fc.constantFrom("null", "https://evil.example")
    },
    { requiredKeys: ["content-type"] }
  )
}

interface Drawn {
  /** The path with its query. */
  readonly target: string
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Whether it carries a token where none is asked for. */
  readonly isKnown: boolean
}

/** What the row says is right. */
const exact = (operation: DeclaredOperation, sent: Sent): Drawn => ({
  target: addressOf(operation.path, sent),
  body: sent.body === undefined ? undefined : written(sent.body, sent.form === true),
  headers: { "content-type": typeOf(operation) },
  isKnown: false
})

const requestsFor = (operation: DeclaredOperation, sent: Sent): fc.Arbitrary<Drawn> => {
  const { parameters = [] } = documented(operation)
  const inPath = parameters.filter((parameter) => parameter.in === "path")
  const segments = fc.tuple(...inPath.map((parameter) => segmentOf(parameter, sent)))
  const query = queryOf(
    parameters.filter((parameter) => parameter.in === "query"),
    sent
  )
  const body = textOf(operation, sent) ?? fc.constant(undefined)
  return fc.record({ segments, query, body, headers: headersOf(operation), isKnown: fc.boolean() }).map((drawn) => {
    const path = inPath.reduce(
      (path, { name }, index) => path.replace(`{${name}}`, () => drawn.segments[index] ?? "x"),
      operation.path
    )
    const { body, headers, isKnown } = drawn
    return { body, headers, isKnown, target: drawn.query === "" ? path : `${path}?${drawn.query}` }
  })
}

let people = 0

/** With somebody new where an operation withdraws tokens, makes the next sign-in wait, or fills what its owner may have. */
const fixtureFor = (operation: DeclaredOperation) =>
  Effect.gen(function* () {
    const fixture = yield* TheFixture
    people += 1
    const signsIn = operation.method === "POST" && operation.access?._tag === "Open"
    const row = OPERATION_ROWS[operation.name]
    if (!signsIn && row?.ends !== true && row?.fills !== true) return fixture
    return { ...fixture, mine: yield* addParty(fixture, `fuzz${people}@example.com`) }
  })

const tokenFor = (fixture: Fixture, { access, name }: DeclaredOperation) =>
  tokenOf(
    fixture,
    access?._tag === "Admin" || OPERATION_ROWS[name]?.as === "admin" ? fixture.admin : fixture.mine.userId
  )

/** Sends so many requests to every operation, valid and invalid. */
export const fuzzEveryOperation = (numRuns: number): void =>
  describe("Whatever is sent", () => {
    for (const operation of OPERATIONS) {
      it(`${operation.name} answers as documented`, () =>
        Effect.gen(function* () {
          const fixture = yield* fixtureFor(operation)
          const row = OPERATION_ROWS[operation.name]
          // What the operations before it took of the money may have been all.
          yield* fixture.server.mint(fixture.mine.userId, THOUSAND)
          const issue = tokenFor(fixture, operation)
          const issued = yield* issue
          const run = Effect.runPromiseWith(yield* Effect.context<never>())
          const sent = yield* requestOf(row, fixture, 1_000 + people)
          const right = exact(operation, sent)
          // Three draws at random may all be right.
          const wrong = bodyOf(operation) === undefined ? [] : [{ ...right, body: "[" }]
          const examples: Array<[Drawn]> = [right, ...wrong].map((drawn) => [drawn])
          const guarded = operation.access?._tag !== "Open"
          const seen = new Set<number>()
          const check = fc.asyncProperty(requestsFor(operation, sent), async ({ body, headers, isKnown, target }) => {
            const token = row?.ends === true ? await run(issue) : issued
            const { status, text } = await ask(fixture.server.url, target, {
              method: operation.method,
              headers: {
                ...headers,
                "x-forwarded-for": `10.0.0.${people}`,
                ...(guarded || isKnown ? { authorization: `Bearer ${token}` } : {})
              },
              ...(body === undefined ? {} : { body: body.toWellFormed() })
            })
            seen.add(status)
            if (status >= 500) throw new Error(`${operation.method} ${target} answered ${status}: ${text}`)
          })
          yield* Effect.promise(() => fc.assert(check, { numRuns, examples }))
          const isLetIn = (row?.status ?? 200) < 400
          expect([operation.name, [...seen].some((status) => status < 400)]).toEqual([operation.name, isLetIn])
          if (bodyOf(operation) !== undefined) expect([...seen].some((status) => status >= 400)).toBe(true)
        }))
    }

    // A row that the tables refuse would end all reading and writing.
    it("the tables take all that was accepted", () =>
      Effect.gen(function* () {
        const { mine, server } = yield* TheFixture
        expect((yield* server.mint(mine.userId, THOUSAND)).status).toBe(200)
        const token = yield* tokenOf(yield* TheFixture, mine.userId)
        const headers = { authorization: `Bearer ${token}` }
        expect((yield* Effect.promise(() => ask(server.url, "/v1/funds", { headers }))).status).toBe(200)
      }))
  })

/** Specification 2.4 and 2.8: no additional properties. */
const STRICT: ReadonlySet<string> = new Set(["POST /v1/users", "POST /v1/credit/request"])

export const sendUnknownFields = (): void =>
  describe("A field that the contract does not know", () => {
    for (const operation of OPERATIONS.filter((operation) => bodyOf(operation)?.form === false)) {
      const isStrict = STRICT.has(operation.name)
      it(`is ${isStrict ? "refused" : "ignored"} by ${operation.name}`, () =>
        Effect.gen(function* () {
          const fixture = yield* fixtureFor(operation)
          const row = OPERATION_ROWS[operation.name]
          const sent = yield* requestOf(row, fixture, 2_000 + people)
          const more = { ...sent, body: { ...(sent.body as object), unknown_field: { a: 1 } } }
          const token = operation.access?._tag === "Open" ? undefined : yield* tokenFor(fixture, operation)
          const answer = yield* sendOperation(fixture, operation, more, token)
          const schema = resolved(schemas, bodyOf(operation)?.schema ?? {})
          expect([answer.status, schema.additionalProperties === false]).toEqual(
            isStrict ? [400, true] : [row?.status ?? 200, false]
          )
          if (isStrict) expect(answer.text).toContain("payload.unknown_field")
          expect(addressOf(operation.path, sent)).not.toContain("{")
        }))
    }
  })
