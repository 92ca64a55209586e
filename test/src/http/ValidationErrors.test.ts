import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import fc from "fast-check"
import { MAX_FIELD_ERRORS } from "../../../src/api/FieldError.ts"
import { of } from "../../../src/http/ValidationErrors.ts"

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
      { field: "payload.terms", expected: '"prepaid" | object' }
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

  it("never repeat what was sent", () => {
    const told = JSON.stringify(of("payload", Order, { company_id: { secret: "hunter2" }, items: "hunter2" }))
    expect(told).not.toContain("hunter2")
  })
})
