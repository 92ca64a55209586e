import { describe, expect, it } from "bun:test"
import { Arbitrary, Effect, Schema } from "effect"
import fc from "fast-check"
import { eventDecoder, eventEncoder } from "../../../engine/actor/EventBytes.ts"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { EVENTS, membersOf } from "../../../engine/replay/PlatformEvent.ts"

const anyEvent = (schema: Schema.Top, seed: number): object =>
  Effect.runSync(
    Arbitrary.sampleEffect(Arbitrary.schema(Schema.toType(schema as Schema.Codec<object>)), { seed })
  )[0] ?? {}

/** JSON has no other numbers. */
const isFinite = (value: unknown): boolean =>
  typeof value === "object" && value !== null
    ? Object.values(value).every(isFinite)
    : typeof value !== "number" || Number.isFinite(value)

/** As JSON has it, in whatever order. */
const sorted = (value: unknown): unknown => JSON.parse(encodeEvent(value as object))

describe("EventBytes", () => {
  for (const schema of Object.values(EVENTS)) {
    for (const [tag, member] of membersOf(schema)) {
      it(`writes ${tag} as the plain copy of all of it does, and reads it back`, () => {
        const encode = eventEncoder(member)
        const decode = eventDecoder<unknown>(schema as unknown as Schema.Codec<unknown, unknown>)
        fc.assert(
          fc.property(fc.nat(), (seed) => {
            const event = anyEvent(member, seed)
            const bytes = encode(event)
            expect(bytes).toBe(encodeEvent(event))
            if (isFinite(event)) expect(sorted(decode(bytes))).toEqual(sorted(event))
          }),
          { numRuns: 50 }
        )
      })
    }
  }

  it("copies what a union has of bigints", () => {
    const Either = Schema.Struct({ one: Schema.Union([Schema.Struct({ a: Schema.BigInt }), Schema.String]) })
    expect(eventEncoder(Either)({ one: { a: 7n } })).toBe('{"one":{"a":"7"}}')
    expect(eventEncoder(Either)({ one: "a" })).toBe('{"one":"a"}')
  })

  it("leaves out a field that is not there, and keeps a null", () => {
    const Some = Schema.Struct({ a: Schema.optionalKey(Schema.BigInt), b: Schema.NullOr(Schema.BigInt) })
    expect(eventEncoder(Some)({ b: null })).toBe('{"b":null}')
  })
})
