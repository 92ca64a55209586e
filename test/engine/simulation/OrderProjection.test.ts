import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { describe, expect, it } from "bun:test"
import type { ChainedEvent } from "../../../engine/actor/CommitGroup.ts"
import { OrderProjection } from "../../../engine/simulation/OrderProjection.ts"
import { commitment, terms, usd } from "../../lib/ArenaArbitraries.ts"

const recorded = (...events: ReadonlyArray<PlatformEvent>): ReadonlyArray<ChainedEvent<PlatformEvent>> =>
  events.map((event, index) => ({
    seq: index + 1,
    stream: "",
    version: index + 1,
    event,
    hash: "",
    data: "",
    hashBytes: new Uint8Array(0)
  }))

const { orderId } = terms()

describe("OrderProjection", () => {
  it("is what the committed events make of the orders", () => {
    const projection = new OrderProjection()
    projection.apply(
      recorded(
        { _tag: "OrderOpened", at: 0, terms: terms() },
        { _tag: "CommitmentSubmitted", at: 1, commitment: commitment(1) },
        { _tag: "OrderClosed", at: 2, orderId },
        { _tag: "AllowanceGranted", at: 3, traderId: "mtr_1", amount: usd("1") }
      )
    )
    expect(projection.orders.get(orderId)).toMatchObject({ status: "settling", version: 3 })
    expect(projection.ends.size).toBe(0)
    projection.apply(
      recorded({
        _tag: "OrderVoided",
        at: 4,
        orderId,
        assetType: "fx",
        reason: "no_reference_price",
        yieldDistributed: usd("0"),
        yields: [],
        tieKey: ""
      })
    )
    expect(projection.orders.get(orderId)?.status).toBe("settled")
    expect(projection.ends.get(orderId)?._tag).toBe("OrderVoided")
    expect(projection.live.has(orderId)).toBe(false)
  })
})
