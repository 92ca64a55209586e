import { describe, expect, it } from "bun:test"
import { botCommands } from "../../../engine/bots/BotCommands.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"

const act = { at: 1, by: "usr_1", botId: "bot_1" }

describe("the commands of a bot's events", () => {
  it("close what it may lose while it is not active", () => {
    const account = "bot_1/USD-ALLOWANCE/allowance"
    for (const _tag of ["BotStarted", "BotResumed"] as const) {
      expect(botCommands("usr_1", { _tag, ...act })).toEqual([{ _tag: "Open", account }])
    }
    expect(botCommands("usr_1", { _tag: "BotPaused", ...act })).toEqual([{ _tag: "Close", account }])
    const cause = "loss_limit" as const
    expect(botCommands("usr_1", { _tag: "BotSuspended", ...act, cause })).toEqual([{ _tag: "Close", account }])
  })

  it("move collateral between its user and it, and what it may lose with it", () => {
    const moved = { ...act, turn: 3, amount: fromUnits(10n), allowance: fromUnits(-2n) }
    expect(botCommands("usr_1", { _tag: "BotWithdrawn", ...moved })).toEqual([
      {
        _tag: "Transfer",
        id: "bot/bot_1/3/usd",
        from: "bot_1/USD/wallet",
        to: "usr_1/USD/wallet",
        amount: fromUnits(10n),
        purpose: "collateral"
      },
      {
        _tag: "Transfer",
        id: "bot/bot_1/3/limit",
        from: "bot_1/USD-ALLOWANCE/allowance",
        to: "platform/USD-ALLOWANCE/custody",
        amount: fromUnits(2n),
        purpose: "allowance"
      }
    ])
    const nothing = { ...moved, amount: fromUnits(0n), allowance: fromUnits(0n) }
    expect(botCommands("usr_1", { _tag: "BotFunded", ...nothing })).toEqual([])
  })

  it("do nothing for a guard", () => {
    const guard = { _tag: "BotGuardSet", at: 1, by: null, companyId: "cmp_1", deadlineAt: 2 } as const
    expect(botCommands("", guard)).toEqual([])
  })
})
