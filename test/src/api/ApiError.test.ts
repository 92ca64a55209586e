import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import { ApiError, arenaWire, body, CATALOGUE, oauthWire, shapeOf, wire } from "../../../src/api/ApiError.ts"
import type { Code } from "../../../src/api/ApiError.ts"
import { OrderNotFound } from "../../../engine/arena/ArenaError.ts"
import * as ArenaRefusal from "../../../src/api/ArenaRefusal.ts"

const codes = Object.keys(CATALOGUE) as ReadonlyArray<Code>

describe("ApiError", () => {
  it("has every code of the specification", () => {
    const specified = ["invalid_client", "invalid_grant", "unauthorized_client", "invalid_scope", "access_denied"]
    const arena = Array.from({ length: 9 }, (_, index) => `ARENA_00${index + 1}`)
    expect(codes).toEqual(expect.arrayContaining([...specified, ...arena] as Array<Code>))
  })

  it("is written in each shape as the body says, and read back", () => {
    for (const code of codes) {
      const error = new ApiError(code, "Do this.")
      const shapes = { platform: wire(code), arena: arenaWire(code), oauth: oauthWire(code) }
      for (const [shape, schema] of Object.entries(shapes)) {
        const sent = Schema.encodeUnknownSync(schema as typeof shapes.platform)(error)
        expect(sent as object).toEqual(body(shape as "arena", code, "Do this."))
        const back = Schema.decodeUnknownSync(schema as typeof shapes.platform)(sent)
        expect([back.code, back.message]).toEqual([code, "Do this."])
      }
    }
  })

  it("is not taken for another code", () => {
    expect(Schema.is(Schema.toType(wire("conflict")))(new ApiError("not_found"))).toBe(false)
    expect(Schema.is(Schema.toType(wire("conflict")))(new ApiError("conflict"))).toBe(true)
  })

  it("is shaped by the path", () => {
    expect(["/api/arena", "/api/arena/orders", "/api/arenas", "/v1/funds", "/api/v1/auth/token"].map(shapeOf)).toEqual([
      "arena",
      "arena",
      "platform",
      "platform",
      "oauth"
    ])
  })
})

describe("ArenaRefusal", () => {
  it("never shows the engine's own fields, and a client reads the code", () => {
    const sent = Schema.encodeSync(ArenaRefusal.OrderNotFound)(new OrderNotFound({ orderId: "ord_1" }))
    expect(Object.keys(sent)).toEqual(["success", "message", "code"])
    const back = Schema.decodeUnknownSync(ArenaRefusal.OrderNotFound)(sent)
    expect(back).toBeInstanceOf(ApiError)
    expect((back as ApiError).code).toBe("ARENA_001")
    expect(Schema.encodeSync(ArenaRefusal.OrderNotFound)(new ApiError("ARENA_001", "Gone."))).toMatchObject({
      message: "Gone."
    })
  })
})
