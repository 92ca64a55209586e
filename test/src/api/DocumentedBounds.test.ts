import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import { Result, Schema } from "effect"
import { Api } from "../../../src/api/Api.ts"
import { type Bounds, documented } from "../../../src/api/DocumentedBounds.ts"
import { RateFromNumber } from "../../../src/api/ExchangeRate.ts"
import { AmountFromNumber, MAX_NUMBER, PositiveAmountFromNumber } from "../../../src/api/Money.ts"
import type { Json, JsonObject } from "../../../src/http/DocumentJson.ts"
import { isObject } from "../../../src/http/DocumentJson.ts"
import { make } from "../../../src/http/OpenApiDocument.ts"
import { property } from "../../lib/Property.ts"

const NUMBERS: Readonly<Record<string, Schema.Codec<unknown, number>>> = {
  amount: AmountFromNumber,
  "positive amount": PositiveAmountFromNumber,
  rate: RateFromNumber
}

const boundsOf = (schema: Schema.Codec<unknown, number>): Bounds =>
  Schema.toJsonSchemaDocument(schema).schema as unknown as Bounds

const isWithin = (value: number, { exclusiveMinimum = -Infinity, maximum, minimum = -Infinity }: Bounds): boolean =>
  value >= minimum && value > exclusiveMinimum && value <= maximum

const take = (schema: Schema.Codec<unknown, number>, value: number): boolean =>
  Result.isSuccess(Schema.decodeResult(schema)(value))

/** The numbers in a part of a document, by the names on the way to them. */
const numbersIn = (value: Json | undefined, schemas: JsonObject, way: string): ReadonlyArray<[string, JsonObject]> => {
  if (Array.isArray(value)) return value.flatMap((inner) => numbersIn(inner, schemas, way))
  if (!isObject(value)) return []
  const name = String(value["$ref"] ?? "").replace("#/components/schemas/", "")
  if (name !== "") return numbersIn(schemas[name], schemas, `${way} ${name}`)
  const own: ReadonlyArray<[string, JsonObject]> = value["type"] === "number" ? [[way, value]] : []
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => numbersIn(inner, schemas, `${way} ${key}`))]
}

describe("documented bounds", () => {
  it("are those that decoding keeps, and refuse nothing by themselves", () => {
    const anything = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: -1, max: 2 * MAX_NUMBER, noNaN: true })
    )
    for (const schema of Object.values(NUMBERS)) {
      const bounds = boundsOf(schema)
      const { exclusiveMinimum = 0, maximum } = bounds
      expect([maximum, exclusiveMinimum + 1].map((value) => take(schema, value))).toEqual([true, true])
      expect([take(schema, maximum * 1.000_001), take(schema, -1)]).toEqual([false, false])
      expect(isWithin(0, bounds)).toBe(take(schema, 0))
      const check = (value: number) => {
        if (take(schema, value)) expect(isWithin(value, bounds)).toBe(true)
      }
      fc.assert(fc.property(anything, check), property())
    }
    expect([take(AmountFromNumber, 0), take(PositiveAmountFromNumber, 0)]).toEqual([true, false])
    const free = Schema.Finite.check(documented({ minimum: 1, maximum: 2 }))
    expect([boundsOf(free), take(free, 3)]).toEqual([{ type: "number", minimum: 1, maximum: 2 } as Bounds, true])
  })

  it("stand at every number that is not whole of every request", () => {
    const document = make(Api)
    const { paths } = document as { readonly paths: Readonly<Record<string, Readonly<Record<string, JsonObject>>>> }
    const { schemas } = document["components"] as { readonly schemas: JsonObject }
    const found = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { requestBody }]) => numbersIn(requestBody, schemas, `${method} ${path}`))
    )
    expect(found.length).toBeGreaterThan(20)
    const unbounded = found.filter(
      ([, { exclusiveMinimum = null, maximum, minimum = exclusiveMinimum }]) =>
        typeof minimum !== "number" || typeof maximum !== "number"
    )
    expect(unbounded.map(([way]) => way)).toEqual([])
  })
})
