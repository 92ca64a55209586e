import { describe, expect, it } from "bun:test"
import { SourceUnavailable } from "../../../src/oracles/PriceSource.ts"

describe("PriceSource", () => {
  it("says which source has no quotes, and why", () => {
    const error = new SourceUnavailable({ source: "live-rates", reason: "status 500" })
    expect(error.message).toBe("Price source live-rates: status 500")
  })
})
