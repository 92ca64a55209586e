import { describe, expect, it } from "bun:test"
import type { BotEvent } from "../../../engine/bots/BotEvent.ts"
import { ZERO } from "../../../engine/money/Amount.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import {
  BotTale,
  budgeted,
  commitment,
  decided,
  FEBRUARY,
  granted,
  input,
  lifecycle,
  made,
  moved,
  TALE_BOT
} from "../../lib/BotCases.ts"

const started = lifecycle("BotStarted")
const paused = lifecycle("BotPaused")

/** What is found in these events, and then in a commitment of the bot. */
const found = (events: ReadonlyArray<BotEvent>, change: Parameters<BotTale["commit"]>[0] = {}) =>
  new BotTale().tell(made, ...events).commit(change).found

describe("BotAudit", () => {
  it("finds nothing in a bot that decides and commits", () => {
    const tale = new BotTale().tell(made, started).count(granted, budgeted).tell(decided).commit()
    expect(tale.found).toEqual([])
    expect(tale.bots.counts).toEqual({ decisions: 1, commitments: 1 })
  })

  it("sees a commitment of a bot that is not active", () => {
    expect(found([started, decided, paused])).toContain("bot_active")
    expect(found([started, decided, moved("BotTerminated", 2, usd("0"))])).toContain("bot_active")
    expect(found([started, paused, decided])).toContain("bot_active")
  })

  it("sees two commitments for one decision, and two decisions about one order", () => {
    expect(new BotTale().tell(made, started, decided).commit().commit().found).toContain("committed_twice")
    expect(new BotTale().tell(made, started, decided, decided).found).toContain("decided_once")
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
    const tale = new BotTale().tell(poor, started, decided).commit()
    expect(tale.found).toContain("loss_limit")
  })

  it("counts what was lost and what is locked", () => {
    const tale = new BotTale().tell(made, started, decided).commit()
    const account = `${TALE_BOT}/USD-ALLOWANCE/allowance`
    expect(tale.bots.allowance(account)).toEqual({ balance: usd("100"), closed: false })
    tale.bots.released(TALE_BOT, commitment.collateral, -usd("5"))
    expect(tale.bots.allowance(account)).toEqual({ balance: usd("95"), closed: false })
    tale.tell(paused)
    expect(tale.bots.allowance(account)).toMatchObject({ closed: true })
    expect(tale.bots.allowance("usr_1/USD/wallet")).toBeUndefined()
  })

  it("sees illegal moves, turns that are left out, and funds that are not what they are told", () => {
    expect(new BotTale().tell(made, paused).found).toEqual(["bot_status"])
    expect(new BotTale().tell(made, moved("BotFunded", 3, usd("1"))).found).toEqual(["bot_turn"])
    const tale = new BotTale().tell(made)
    tale.bots.event(JSON.parse(JSON.stringify({ ...moved("BotFunded", 2, ZERO), amount: "5", allowance: "0" })), [])
    expect(tale.found).toEqual(["bot_funds"])
  })

  it("tells whose bots were active for a type at a time", () => {
    const { bots } = new BotTale().tell(made, started)
    expect(bots.owners("fx", FEBRUARY - 10, FEBRUARY + 1)).toEqual(["cmp_1"])
    expect(bots.owners("fx", FEBRUARY - 10, FEBRUARY)).toEqual([])
    expect(bots.owners("gpu", FEBRUARY, FEBRUARY + 1)).toEqual([])
    expect([bots.capable("fx"), bots.capable("gpu")]).toEqual([1, 0])
  })

  it("sees what a terminated bot keeps at the end", () => {
    const tale = new BotTale().tell(made, moved("BotTerminated", 2, usd("1000")))
    tale.bots.end(() => 0n)
    expect(tale.found).toEqual([])
    tale.bots.end(() => 1n)
    expect(tale.found).toEqual(["terminated"])
  })
})
