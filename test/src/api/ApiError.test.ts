import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import { ApiError, arenaWire, body, CATALOGUE, oauthWire, refusedBy, shapeOf, wire } from "../../../src/api/ApiError.ts"
import type { Code } from "../../../src/api/ApiError.ts"
import { CircuitBreakerOpen, InvalidTerms, OrderNotFound, VaultClosed } from "../../../engine/arena/ArenaError.ts"
import { InvalidOrder } from "../../../engine/commerce/PurchaseOrderError.ts"

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

describe("A refusal of the engine", () => {
  it("never shows the engine's own fields, and a client reads the code", () => {
    const sent = Schema.encodeSync(arenaWire("ARENA_001"))(new OrderNotFound({ orderId: "ord_1" }))
    expect(Object.keys(sent)).toEqual(["success", "message", "code"])
    const back = Schema.decodeUnknownSync(arenaWire("ARENA_001"))(sent)
    expect(back).toBeInstanceOf(ApiError)
    expect((back as ApiError).code).toBe("ARENA_001")
    expect(Schema.encodeSync(arenaWire("ARENA_001"))(new ApiError("ARENA_001", "Gone."))).toMatchObject({
      message: "Gone."
    })
  })

  it("is what callers get of it, over HTTP and /rpc alike", () => {
    const open = new CircuitBreakerOpen({ scope: "fx", retryAfterSeconds: 7 })
    expect(refusedBy(open)).toMatchObject({
      code: "ARENA_009",
      message: open.message,
      retryAfterSeconds: 7,
      errors: []
    })
    const closed = refusedBy(new VaultClosed())
    expect(closed?.message).toBe(CATALOGUE.ARENA_008.sentence)
    const field = { field: "quantity", expected: "more than 0" }
    expect(refusedBy(new InvalidOrder(field))?.errors).toEqual([{ ...field, field: "payload.quantity" }])
    expect(refusedBy(new InvalidTerms(field))?.errors).toEqual([])
    expect(refusedBy(new Error("ECONNREFUSED"))).toBeUndefined()
  })
})
