import { describe, expect, it } from "bun:test"
import { Schema, SchemaAST } from "effect"
import { HttpApi } from "effect/http-api"
import fc from "fast-check"
import { Api } from "../../../src/api/Api.ts"
import { MAX_FIELD_ERRORS } from "../../../src/api/FieldError.ts"
import { of } from "../../../src/http/ValidationErrors.ts"
import { API_DOCUMENT } from "../../lib/ApiDocument.ts"

const Line = Schema.Struct({ id: Schema.String.check(Schema.isMaxLength(3)), quantity: Schema.Int })

const Order = Schema.Struct({
  company_id: Schema.String,
  items: Schema.Array(Line),
  terms: Schema.optionalKey(Schema.Union([Schema.Literal("prepaid"), Schema.Struct({ days: Schema.Int })]))
})

const right = { company_id: "com_1", items: [{ id: "a", quantity: 1 }] }

/** How a line of an order is damaged, and the fields that are faulty then. */
const damages = [
  { line: { id: "a", quantity: 1 }, faulty: [] },
  { line: { id: "a", quantity: 1.5 }, faulty: ["quantity"] },
  { line: { id: "long", quantity: "1" }, faulty: ["id", "quantity"] },
  { line: {}, faulty: ["id", "quantity"] },
  { line: 7, faulty: [undefined] }
] as const

describe("The faults of a value", () => {
  it("are all its faulty fields, in their order, up to a bound", () => {
    const lines = fc.array(fc.constantFrom(...damages), { maxLength: 30 })
    fc.assert(
      fc.property(lines, fc.boolean(), (drawn, isNamed) => {
        const value = { ...(isNamed ? { company_id: "com_1" } : {}), items: drawn.map(({ line }) => line) }
        const expected = [
          ...(isNamed ? [] : ["payload.company_id"]),
          ...drawn.flatMap(({ faulty }, index) =>
            faulty.map((name) => ["payload.items", index, ...(name === undefined ? [] : [name])].join("."))
          )
        ]
        expect(of("payload", Order, value).map(({ field }) => field)).toEqual(expected.slice(0, MAX_FIELD_ERRORS))
      })
    )
  })

  it("say what each field takes", () => {
    expect(of("payload", Order, { ...right, company_id: 7, terms: 5 })).toEqual([
      { field: "payload.company_id", expected: "string" },
      { field: "payload.terms", expected: '"prepaid" or object' }
    ])
    expect(of("payload", Order, { ...right, terms: { days: "5" } })).toEqual([
      { field: "payload.terms.days", expected: "number" }
    ])
    expect(of("payload", Order, { items: [] })).toEqual([
      { field: "payload.company_id", expected: "a value, and none was given" }
    ])
    expect(of("payload", Order, { ...right, b: 1, c: 2 }, { onExcessProperty: "error" })).toEqual([
      { field: "payload.b", expected: "no field of this name" },
      { field: "payload.c", expected: "no field of this name" }
    ])
  })

  it("of a union are those of the member that was meant, or which fields say so", () => {
    const Either = Schema.Union([Schema.Struct({ agent: Schema.String, uri: Schema.String }), Line])
    expect(of("payload", Either, { id: "a" })).toEqual([
      { field: "payload.quantity", expected: "a value, and none was given" }
    ])
    expect(of("payload", Either, { uri: 7 })).toEqual([{ field: "payload", expected: "a body with agent or id" }])
  })

  it("are none of a value that is taken", () => expect(of("payload", Order, right)).toEqual([]))

  it("are the first alone of a value too large to examine", () => {
    const items = Array.from({ length: 1_000 }, () => ({ id: "long", quantity: 0.5 }))
    expect(of("payload", Order, { company_id: 7, items }).map(({ field }) => field)).toEqual(["payload.company_id"])
    const nested = of("payload", Order, { company_id: 7, items: [], more: items })
    expect(nested.map(({ field }) => field)).toEqual(["payload.company_id"])
  })

  it("say once what several checks of a value expect", () => {
    const Amount = Schema.Struct({
      loan: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }, { expected: "an integer from 1 to 9" })),
      uri: Schema.String.check(
        Schema.isMaxLength(3, { expected: "at most 3 characters" }),
        Schema.isPattern(/^https:/, { expected: "a URL" })
      )
    })
    expect(of("payload", Amount, { loan: 10.5, uri: "gopher" })).toEqual([
      { field: "payload.loan", expected: "an integer from 1 to 9" },
      { field: "payload.uri", expected: "at most 3 characters, a URL" }
    ])
  })

  it("name no schema of the contract, which tells a caller nothing", () => {
    const names = new Set([...Object.keys(API_DOCUMENT.components.schemas), "Absent", "Cleared"])
    const wrong = [5, "x", true, [], {}, [5], [{}]] as const
    const told = new Set<string>()
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint }) => {
        for (const { schemas } of endpoint.payload.values()) {
          for (const schema of schemas as ReadonlyArray<Schema.Codec<unknown, unknown>>) {
            const ast = SchemaAST.toEncoded(schema.ast)
            const fields = ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []
            const bodies = wrong.flatMap((value) => [value, ...fields.map((name) => ({ [name]: value }))])
            for (const body of bodies) {
              for (const { expected } of of("payload", schema, body)) told.add(expected)
            }
          }
        }
      }
    })
    expect(told.size).toBeGreaterThan(20)
    expect([...told].filter((text) => names.has(text) || / \| |readonly|\w+Request\b/.test(text))).toEqual([])
  })

  it("never repeat what was sent", () => {
    const told = JSON.stringify(of("payload", Order, { company_id: { secret: "hunter2" }, items: "hunter2" }))
    expect(told).not.toContain("hunter2")
  })
})
