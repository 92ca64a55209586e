import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { rewriting } from "../../lib/PlantedBugs.ts"
import { faulted, simulated } from "../../lib/Simulations.ts"

const MOST_SEEDS = 40

type Tag = PlatformEvent["_tag"]

/** The rule that is broken when every event of a kind is written otherwise than it was decided. */
const brokenWhere = <T extends Tag>(tag: T, rewrite: (event: PlatformEvent & { _tag: T }) => PlatformEvent) => {
  const isOf = (event: PlatformEvent): event is PlatformEvent & { _tag: T } => event._tag === tag
  for (let seed = 1; seed <= MOST_SEEDS; seed++) {
    const { violation } = simulated(
      faulted(seed),
      rewriting((event) => (isOf(event) ? rewrite(event) : event))
    )
    if (violation !== null) return violation.invariant
  }
  return undefined
}

describe("OrderAudit", () => {
  it("sees a commitment that was accepted outside the window", () => {
    const later = brokenWhere("CommitmentSubmitted", (event) => ({
      ...event,
      at: event.at + 60_000,
      commitment: { ...event.commitment, acceptedAt: event.at + 60_000 }
    }))
    expect(later).toBe("acceptance")
  })

  it("sees terms outside the rules, and an ordinal that does not ascend", () => {
    for (const change of [{ quantity: usd("8000000000") }, { slippage: usd("0.06") }, { exitPrice: usd("0") }]) {
      expect(
        brokenWhere("CommitmentSubmitted", (event) => ({ ...event, commitment: { ...event.commitment, ...change } }))
      ).toBe("terms")
    }
    expect(
      brokenWhere("CommitmentSubmitted", (event) => ({ ...event, commitment: { ...event.commitment, ordinal: 1 } }))
    ).toBe("terms")
  })

  it("sees collateral that is not what is held", () => {
    expect(
      brokenWhere("CommitmentSubmitted", ({ commitment, ...event }) => ({
        ...event,
        commitment: { ...commitment, trader: { ...commitment.trader, account: "usr_x/USD/wallet" } }
      }))
    ).toBe("locked")
  })

  it("sees a status that goes back, or a step that comes too early", () => {
    expect(
      brokenWhere("OrderClosed", ({ at, orderId }) => ({
        _tag: "OrderVoided",
        at,
        orderId,
        assetType: "fx",
        reason: "no_reference_price",
        yieldDistributed: usd("0"),
        yields: [],
        tieKey: ""
      }))
    ).toBe("void")
    expect(brokenWhere("OrderClosed", (event) => ({ ...event, at: 0 }))).toBe("status")
    expect(brokenWhere("WinnerChosen", ({ at, orderId }) => ({ _tag: "OrderClosed", at, orderId }))).toBe("status")
  })

  it("sees another tie key, and another sum of yields", () => {
    expect(brokenWhere("OrderSettled", (event) => ({ ...event, tieKey: "00" }))).toBe("tie_key")
    expect(brokenWhere("OrderSettled", (event) => ({ ...event, yieldDistributed: usd("1") }))).toBe("yield")
  })

  it("sees an order that is void for no reason", () => {
    expect(brokenWhere("OrderVoided", (event) => ({ ...event, reason: "no_settlement_price" }))).toBe("void")
  })

  it("sees an actor that is not what its events make of it", () => {
    const { violation } = simulated(
      { ...faulted(2), faults: false },
      {
        behavior: (given) => ({
          start: given.start,
          receive: (state, batch) =>
            Effect.map(given.receive(state, batch), () => {
              if (state.status === "settled") state.version += 1
            })
        })
      }
    )
    expect(violation?.invariant).toBe("actor")
  })
})
