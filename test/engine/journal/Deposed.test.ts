import { describe, expect, it } from "bun:test"
import { displaced, missing } from "../../../engine/journal/Deposed.ts"

describe("Deposed", () => {
  it("says what is wrong and what to do", () => {
    expect(missing(7).message).toContain("lacks event 7")
    expect(displaced(3, 5).message).toContain("stand at event 5 and not at 3")
  })
})
