import { describe, expect, it } from "bun:test"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { moduleBid } from "../../../engine/simulation/BotModules.ts"
import { terms } from "../../lib/ArenaArbitraries.ts"
import { MODULAR_PROFILE } from "../../lib/BotCases.ts"

const BID = { act: "bid", order: 3, premium: 1_000, margin: 100, quantity: 500_000, tolerance: 10 } as const

describe("moduleBid", () => {
  it("asks for a part of an order that takes commitments, as the module that decides or as another", () => {
    const offer = terms()
    const own = moduleBid({ profile: MODULAR_PROFILE }, [offer], { ...BID, module: "own" })
    expect(own).toMatchObject({ orderId: offer.orderId, asked: { module: "tide.ts", tolerance: 10n } })
    expect(own?.asked.quantity).toBe(fromUnits(offer.quantity / 2n))
    expect(moduleBid({ profile: MODULAR_PROFILE }, [offer], { ...BID, module: "other" })?.asked.module).toBe(
      "another.ts"
    )
    expect(moduleBid({ profile: MODULAR_PROFILE }, [], { ...BID, module: "own" })).toBeUndefined()
  })
})
