import { describe, expect, it } from "bun:test"
import { storedOf } from "../../../engine/simulation/StoredKept.ts"

describe("storedOf", () => {
  it("has the tag of the bytes as its type", () => {
    const kept = { seq: 3, stream: "s", version: 2, data: '{"_tag":"OrderOpened","at":1}', hash: "ab" }
    expect(storedOf(kept)).toEqual({ ...kept, type: "OrderOpened" })
    expect(storedOf({ ...kept, data: "" }).type).toBe("")
  })
})
