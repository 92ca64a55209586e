import { describe, expect, it } from "bun:test"
import type { BotEvent } from "../../../engine/bots/BotEvent.ts"
import { ZERO } from "../../../engine/money/Amount.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import {
  BotCase,
  budgeted,
  commitment,
  decided,
  FEBRUARY,
  granted,
  input,
  lifecycle,
  made,
  moved,
  CASE_BOT
} from "../../lib/BotCases.ts"

const started = lifecycle("BotStarted")
const paused = lifecycle("BotPaused")

/** What is found in these events, and then in a commitment of the bot. */
const found = (events: ReadonlyArray<BotEvent>, change: Parameters<BotCase["commit"]>[0] = {}) =>
  new BotCase().tell(made, ...events).commit(change).found

describe("BotAudit", () => {
  it("finds nothing in a bot that decides and commits", () => {
    const botCase = new BotCase().tell(made, started).count(granted, budgeted).tell(decided).commit()
    expect(botCase.found).toEqual([])
    expect(botCase.bots.counts).toEqual({ decisions: 1, commitments: 1 })
  })

  it("sees a commitment of a bot that is not active", () => {
    expect(found([started, decided, paused])).toContain("bot_active")
    expect(found([started, decided, moved("BotTerminated", 2, usd("0"))])).toContain("bot_active")
    expect(found([started, paused, decided])).toContain("bot_active")
  })

  it("sees two commitments for one decision, and two decisions about one order", () => {
    expect(new BotCase().tell(made, started, decided).commit().commit().found).toContain("committed_twice")
    expect(new BotCase().tell(made, started, decided, decided).found).toContain("decided_once")
  })

  it("sees a commitment that is not what was decided", () => {
    for (const change of [{ quantity: usd("1") }, { proposedPrice: usd("101") }, { exitPrice: usd("200") }]) {
      expect(found([started, decided], change)).toContain("decision")
    }
    expect(found([started, { ...decided, dryRun: true, decisionId: "dec_dry" }], { decisionId: "dec_dry" })).toContain(
      "decision"
    )
    const { decisionId: _, ...unasked } = commitment
    expect(found([started, decided], { ...unasked, decisionId: "dec_other" })).toContain("decision")
  })

  it("sees a decision by another strategy, about other types or another order", () => {
    const strategy = { ...input.strategy, minRoiPct: usd("1") }
    for (const other of [{ strategy }, { capable: false }, { order: { ...input.order, quantity: usd("11") } }]) {
      expect(found([started, { ...decided, input: { ...input, ...other } }])).toContain("decision")
    }
  })

  it("sees a commitment beyond what the bot may lose", () => {
    const poor = { ...made, amount: usd("300"), allowance: usd("30") } as BotEvent
    const botCase = new BotCase().tell(poor, started, decided).commit()
    expect(botCase.found).toContain("loss_limit")
  })

  it("counts what was lost and what is locked", () => {
    const botCase = new BotCase().tell(made, started, decided).commit()
    const account = `${CASE_BOT}/USD-ALLOWANCE/allowance`
    expect(botCase.bots.allowance(account)).toEqual({ balance: usd("100"), closed: false })
    botCase.bots.released(CASE_BOT, commitment.collateral, -usd("5"))
    expect(botCase.bots.allowance(account)).toEqual({ balance: usd("95"), closed: false })
    botCase.tell(paused)
    expect(botCase.bots.allowance(account)).toMatchObject({ closed: true })
    expect(botCase.bots.allowance("usr_1/USD/wallet")).toBeUndefined()
  })

  it("sees illegal moves, turns that are left out, and funds that are not what they are told", () => {
    expect(new BotCase().tell(made, paused).found).toEqual(["bot_status"])
    expect(new BotCase().tell(made, moved("BotFunded", 3, usd("1"))).found).toEqual(["bot_turn"])
    const botCase = new BotCase().tell(made)
    botCase.bots.event(JSON.parse(JSON.stringify({ ...moved("BotFunded", 2, ZERO), amount: "5", allowance: "0" })), [])
    expect(botCase.found).toEqual(["bot_funds"])
  })

  it("tells whose bots were active for a type at a time", () => {
    const { bots } = new BotCase().tell(made, started)
    expect(bots.owners("fx", FEBRUARY - 10, FEBRUARY + 1)).toEqual(["cmp_1"])
    expect(bots.owners("fx", FEBRUARY - 10, FEBRUARY)).toEqual([])
    expect(bots.owners("gpu", FEBRUARY, FEBRUARY + 1)).toEqual([])
    expect([bots.capable("fx"), bots.capable("gpu")]).toEqual([1, 0])
  })

  it("sees what a terminated bot keeps at the end", () => {
    const botCase = new BotCase().tell(made, moved("BotTerminated", 2, usd("1000")))
    botCase.bots.end(() => 0n)
    expect(botCase.found).toEqual([])
    botCase.bots.end(() => 1n)
    expect(botCase.found).toEqual(["terminated"])
  })
})
