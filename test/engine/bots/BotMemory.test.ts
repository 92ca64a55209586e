import { describe, expect, it } from "bun:test"
import { type BotMemory, forget, isActive, isWilling, remember, uncommitted } from "../../../engine/bots/BotMemory.ts"
import { type Decision, evaluate } from "../../../engine/bots/Evaluation.ts"
import { ZERO } from "../../../engine/money/Amount.ts"
import { BotFixture, offered } from "../../lib/BotFixture.ts"

const { bot, history } = new BotFixture()

const memory = (change: Partial<BotMemory["bot"]> = {}): BotMemory => ({
  bot: { ...bot, ...change },
  decided: new Map()
})

const commit: Decision = evaluate({
  at: 0,
  strategy: bot.profile.strategy,
  order: offered("ord_1"),
  prices: history,
  freeCollateral: bot.profile.strategy.maxCollateralPerTrade,
  lossBudget: bot.profile.strategy.maxCollateralPerTrade,
  capable: true,
  halted: false,
  shade: ZERO
})

const recorded = { orderId: "ord_1", expiryAt: 1_000, decision: commit }

describe("what a bot's actor knows", () => {
  it("is whether it has to decide about an order", () => {
    const known = memory()
    expect(isWilling(known, offered("ord_1"))).toBe(true)
    expect(isWilling(known, offered("ord_1", { assetType: "gpu" }))).toBe(false)
    expect(isWilling(memory({ standing: { status: "paused", cause: null } }), offered("ord_1"))).toBe(false)
    remember(known, [recorded])
    expect(isWilling(known, offered("ord_1"))).toBe(false)
    expect(isActive(known)).toBe(true)
  })

  it("is what is left to be committed, while the order takes commitments and the bot is active", () => {
    const known = memory()
    remember(known, [recorded, { ...recorded, orderId: "ord_2", decision: { ...commit, code: "roi_too_low" } }])
    expect(uncommitted(known, offered("ord_1"), 999)?.decision).toBe(commit)
    expect(uncommitted(known, offered("ord_1"), 1_000)).toBeUndefined()
    expect(uncommitted(known, offered("ord_2"), 0)).toBeUndefined()
    expect(uncommitted(known, offered("ord_3"), 0)).toBeUndefined()
    known.bot = { ...bot, standing: { status: "paused", cause: null } }
    expect(uncommitted(known, offered("ord_1"), 0)).toBeUndefined()
  })

  it("stays done when it is read anew", () => {
    const known = memory()
    remember(known, [recorded])
    known.decided.get("ord_1")!.isDone = true
    remember(known, [recorded])
    expect(uncommitted(known, offered("ord_1"), 0)).toBeUndefined()
  })

  it("is forgotten an hour after the order closed, not before", () => {
    const known = memory()
    remember(known, [recorded])
    forget(known, 3_600_999)
    expect(known.decided.size).toBe(1)
    forget(known, 3_601_000)
    expect(known.decided.size).toBe(0)
  })
})
