import { describe, expect, it } from "bun:test"
import { decisionIdOf, streamOf } from "../../../engine/bot/BotEvent.ts"
import { BotLife } from "../../lib/BotLife.ts"

describe("the streams of bots", () => {
  it("are a company's for their making, and a bot's own for the rest", () => {
    const life = new BotLife()
    life.take({ what: "start" })
    expect(life.stored.map(({ stream }) => stream)).toEqual(["bots/cmp_1", "bot/bot_1"])
    const guard = { _tag: "BotGuardSet", at: 1, by: null, companyId: "cmp_1", deadlineAt: null } as const
    expect(streamOf(guard)).toBe("bot-guard/cmp_1")
  })

  it("name a bot's own decision by bot and order", () => {
    expect(decisionIdOf("bot_1", "ord_2")).toBe("dec_bot_1_ord_2")
  })
})
