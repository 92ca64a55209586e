import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { after } from "../../../engine/bots/Bot.ts"
import { lossLimitOf } from "../../../engine/ledger/LossLimit.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { ALLOWANCE, anyStep, BotLife, COLLATERAL, USER } from "../../lib/BotLife.ts"
import { property } from "../../lib/Property.ts"

const TOTAL = 2_000n * ONE

describe("a bot", () => {
  it("may lose its part of the net funding, rounded down", () => {
    expect(lossLimitOf(fromUnits(999n), fromUnits(10n * ONE))).toBe(fromUnits(99n))
    expect(lossLimitOf(fromUnits(0n), fromUnits(100n * ONE))).toBe(fromUnits(0n))
  })

  it("is made by being created alone", () => {
    expect(() => after(undefined, { _tag: "BotStarted", at: 1, by: null, botId: "bot_1" })).toThrow(RangeError)
  })

  it("commits while it is active alone, never locks more than it may lose, and loses no money", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40, size: "max" }), (steps) => {
        const life = new BotLife()
        for (const step of steps) {
          const { allowance, netFunded, profile, standing } = life.state
          const limit = lossLimitOf(netFunded, profile.strategy.maxLossPct)
          const done = life.take(step)
          const { balance, closed, held } = life.book.account(ALLOWANCE)
          if (step.what === "commit" && done) {
            expect(standing.status).toBe("active")
            expect(life.lost + held <= limit).toBe(true)
          }
          expect(closed).toBe(life.state.standing.status !== "active")
          expect(balance).toBe(fromUnits(life.state.allowance - life.lost))
          expect(allowance >= 0n).toBe(true)
          const money = [COLLATERAL, walletOf(USER, "USD"), walletOf("maker", "USD")]
          expect(money.reduce((sum, id) => sum + life.book.account(id).balance, 0n)).toBe(TOTAL)
        }
      }),
      property()
    )
  })
})
