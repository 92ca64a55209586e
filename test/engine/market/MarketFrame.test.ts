import { describe, expect, it } from "bun:test"
import { channelOf } from "../../../engine/market/MarketFrame.ts"

describe("MarketFrame", () => {
  it("is told on the channel that the stream has for it; a waking always comes", () => {
    expect(channelOf("order_updated")).toBe("orders")
    expect(channelOf("commitment_updated")).toBe("commitments")
    expect(channelOf("price_update")).toBe("prices")
    expect(channelOf("commitment_accepted")).toBe("my")
    expect(channelOf("commitment_settled")).toBe("my")
    expect(channelOf("woken")).toBeUndefined()
  })
})
