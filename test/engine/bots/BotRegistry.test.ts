import { describe, expect, it } from "bun:test"
import { BotRegistry, type EnteredBot } from "../../../engine/bots/BotRegistry.ts"
import type { BotEvent } from "../../../engine/bots/BotEvent.ts"
import { ZERO } from "../../../engine/money/Amount.ts"
import { BOT, BotFixture, offered, paused, resumed, terminated, trading } from "../../lib/BotFixture.ts"

const fixture = new BotFixture()

const opened = (assetType: "fx" | "gpu" = "fx") =>
  ({ _tag: "OrderOpened", at: 0, terms: offered("ord_1", { assetType }) }) as const

const entered: EnteredBot = { botId: BOT, profile: { capabilities: ["fx"] }, standing: { status: "active" } }

const owner = { at: 0, by: "usr_1", botId: BOT }

const created: BotEvent = {
  _tag: "BotCreated",
  ...owner,
  turn: 1,
  allowance: ZERO,
  companyId: "cmp_1",
  userId: "usr_1",
  walletAddress: "0x1",
  profile: fixture.bot.profile,
  amount: ZERO
}

const registry = (...events: ReadonlyArray<BotEvent>) => {
  const made = new BotRegistry()
  for (const event of events) made.hear(event)
  return made
}

const AWAKE = [{ botId: BOT, reload: false }]
const ANEW = [{ botId: BOT, reload: true }]

describe("who is woken", () => {
  it("by an order: the active bots of its asset type", () => {
    const made = registry(created)
    expect(made.hear(opened())).toEqual([])
    expect(made.hear({ _tag: "BotStarted", ...owner })).toEqual(ANEW)
    expect(made.hear(opened())).toEqual(AWAKE)
    expect(made.hear(opened("gpu"))).toEqual([])
    expect(made.active()).toEqual([BOT])
  })

  it("by a change: the bot itself, where it is active", () => {
    const made = registry(created, { _tag: "BotStarted", ...owner })
    expect(made.hear(trading(fixture, ["gpu"]))).toEqual(ANEW)
    expect(made.hear(opened())).toEqual([])
    expect(made.hear(opened("gpu"))).toEqual(AWAKE)
    expect(made.hear(paused)).toEqual([])
    expect(made.hear(trading(fixture, ["fx"]))).toEqual([])
    expect(made.hear(resumed)).toEqual(ANEW)
    expect(made.hear(opened())).toEqual(AWAKE)
  })

  it("is nobody that is suspended or terminated", () => {
    const made = registry(created, { _tag: "BotStarted", ...owner })
    made.hear({ _tag: "BotSuspended", ...owner, by: null, cause: "loss_limit" })
    expect(made.hear(opened())).toEqual([])
    made.hear(resumed)
    expect(made.hear(terminated)).toEqual([])
    expect(made.hear(opened())).toEqual([])
    expect(made.active()).toEqual([])
  })

  it("is known of bots as they are recorded", () => {
    const made = new BotRegistry()
    made.enter(entered)
    expect(made.active()).toEqual([BOT])
    made.enter({ ...entered, botId: "bot_2", standing: { status: "paused" } })
    made.enter({ ...entered, botId: "bot_3", standing: { status: "terminated" } })
    expect(made.active()).toEqual([BOT])
    expect(made.hear({ ...resumed, botId: "bot_2" })).toEqual([{ botId: "bot_2", reload: true }])
  })

  it("is what was heard last, where a reading comes after it", () => {
    const made = registry(created)
    made.enter(entered)
    expect(made.active()).toEqual([])
  })
})
