import { describe, expect, it } from "bun:test"
import { Effect, Schema, SchemaTransformation } from "effect"
import { HttpApi, HttpApiSchema } from "effect/http-api"
import { RpcSchema } from "effect/rpc"
import fc from "fast-check"
import { OBJECT_SCHEMAS, WebhookBody } from "../../../engine/webhooks/WebhookBody.ts"
import { encoderOf, wireOf } from "../../../engine/wire/JsonEncoder.ts"
import { Api } from "../../../src/api/Api.ts"
import { FastLane } from "../../../src/api/rpc/FastLane.ts"
import { property } from "../../lib/Property.ts"
import { valuesOf } from "../../lib/ValueArbitrary.ts"

type AnySchema = Schema.Codec<unknown, unknown>

/** Everything that the contract answers, by the operation or the message. */
const responses = (): ReadonlyArray<readonly [name: string, schema: AnySchema]> => {
  const found: Array<readonly [string, AnySchema]> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      for (const success of endpoint.success) {
        const schema = HttpApiSchema.isWithHeaders(success) ? success.schema : success
        found.push([endpoint.identifier, schema as unknown as AnySchema])
      }
    }
  })
  for (const [name, { successSchema: schema }] of FastLane.requests) {
    const success: Schema.Top = RpcSchema.isStreamSchema(schema) ? schema.success : schema
    found.push([`/rpc ${name}`, success as unknown as AnySchema])
  }
  for (const [kind, schema] of Object.entries(OBJECT_SCHEMAS)) found.push([kind, schema])
  found.push(["webhook", WebhookBody])
  return found
}

const textBySchema = (schema: AnySchema, value: unknown): string | undefined =>
  JSON.stringify(Schema.encodeSync(schema)(value))

describe("An encoder made of a schema", () => {
  it("writes what the schema encodes, for every response of the contract", () => {
    for (const [name, schema] of responses()) {
      const encode = encoderOf(schema)
      fc.assert(
        fc.property(valuesOf(schema), (value) => {
          expect(encode(value), name).toBe(textBySchema(schema, value) as string)
        }),
        property(20)
      )
    }
  })

  const Halved = Schema.Number.pipe(
    Schema.decodeTo(
      Schema.Number,
      SchemaTransformation.transform({ decode: (wire: number) => wire * 2, encode: (value: number) => value / 2 })
    )
  )

  it("knows unions by their tags, and leaves the rest to the schema", () => {
    const One = Schema.Struct({ at: Schema.Int, type: Schema.Literal("one"), half: Halved })
    const Two = Schema.Struct({ at: Schema.Int, type: Schema.Literal("two"), halves: Schema.Array(Halved) })
    const schemas: ReadonlyArray<AnySchema> = [
      Schema.Union([One, Two, Schema.Null]),
      Schema.Union([Schema.String, Schema.Struct({ half: Halved })]),
      Schema.Record(Schema.String, Schema.NullOr(Halved)),
      Schema.Tuple([Halved, Schema.String]),
      Schema.Struct({ maybe: Schema.optional(Halved), last: Schema.optionalKey(One) })
    ]
    const values: ReadonlyArray<ReadonlyArray<unknown>> = [
      [{ type: "two", at: 1, halves: [3, 4] }, { type: "one", at: 2, half: 1 }, null],
      ["text", { half: 3 }],
      [{ b: 3, a: null, 1: 4 }, {}],
      [[3, "text"]],
      [{}, { maybe: undefined }, { last: { type: "one", at: 1, half: 1 }, maybe: 5 }]
    ]
    for (const [index, schema] of schemas.entries()) {
      for (const value of values[index] ?? []) {
        expect(encoderOf(schema)(value)).toBe(textBySchema(schema, value) as string)
      }
    }
  })

  it("keeps what the type has beside the schema to itself", () => {
    const encode = encoderOf(Schema.Struct({ b: Schema.String, a: Schema.NullOr(Halved) }))
    const wider = { secret: "s", a: 4, b: "x" }
    expect(encode(wider)).toBe('{"b":"x","a":2}')
  })

  it("fails with what the schema says of a value that lacks something", () => {
    const wire = wireOf(Schema.Struct({ a: Schema.Struct({ b: Schema.String }) }))
    expect(() => wire({ a: {} } as never)).toThrow("Missing key")
    expect(() => wire({ a: "text" } as never)).toThrow("Expected")
    const Failing = Schema.String.pipe(
      Schema.decodeTo(
        Schema.String,
        SchemaTransformation.transformEffect({
          decode: (text: string) => Effect.succeed(text),
          encode: () => Effect.die(new Error("never"))
        })
      )
    )
    expect(() => wireOf(Failing)("text")).toThrow()
  })
})
