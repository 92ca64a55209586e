import { describe, expect, it } from "bun:test"
import { decodeUserErased, erasureStream } from "../../../engine/erasure/ErasureEvent.ts"

const event = {
  _tag: "UserErased",
  at: 1,
  by: { userId: "usr_a", requestId: null, administers: true },
  userId: "usr_b",
  companyId: "cmp_b",
  companyErased: false
} as const

describe("UserErased", () => {
  it("is read back from its bytes, and stands in a stream of its user's own", () => {
    expect(decodeUserErased(JSON.stringify(event))).toEqual(event)
    expect(erasureStream(event.userId)).toBe("user/usr_b")
  })
})
