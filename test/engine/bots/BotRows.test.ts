import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { bots, botRow, decisionRow, guardRow, spanRow } from "../../../engine/bots/BotRows.ts"
import { add } from "../../../engine/journal/TableRow.ts"
import { STATE_COLUMNS } from "../../../engine/replay/StateTable.ts"
import { decodeBotEvent } from "../../../engine/bots/BotEvent.ts"
import { BotReplay } from "../../../engine/replay/BotReplay.ts"
import { anyStep, BotLife } from "../../lib/BotLife.ts"
import { expectDerivedRows, rowsOfAggregate } from "../../lib/DerivedRows.ts"
import { property } from "../../lib/Property.ts"

describe("BotRows", () => {
  it("has a value for each column", () => {
    const guard = { _tag: "BotGuardSet", at: 1, by: null, companyId: "cmp_1", deadlineAt: null } as const
    const span = { seq: 1, botId: "bot_1", companyId: "cmp_1", capabilities: ["fx"], from: 1 }
    for (const { table, values } of [botRow(new BotLife().state, 1), guardRow(guard, 2), spanRow(span, null)]) {
      expect(values.length).toBe(STATE_COLUMNS[table].length)
    }
  })

  it("writes asset types as PostgreSQL does", () => {
    expect(botRow(new BotLife().state, 1).values[5]).toBe("{fx,gpu}")
  })

  it("follow from each event as a replay derives them", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 30, size: "max" }), (steps) => {
        const life = new BotLife()
        for (const step of steps) life.take(step)
        const events = life.stored.map((stored) => ({ stored, event: decodeBotEvent(stored.data), seq: stored.seq }))
        const changes = events.filter(({ event }) => event._tag !== "BotDecided")
        const changed = new Map(rowsOfAggregate(bots, changes).map((rows, index) => [changes[index]?.seq, rows]))
        expectDerivedRows(
          events.map(({ event, seq, stored }) => ({
            event,
            seq,
            stored,
            rows: event._tag === "BotDecided" ? [add(decisionRow(event, seq))] : (changed.get(seq) ?? [])
          })),
          (sink) => new BotReplay(sink, () => undefined)
        )
      }),
      property(2)
    )
  })

  it("end a time of being active with other capabilities, and begin another", () => {
    const life = new BotLife()
    life.take({ what: "start" })
    const { profile } = life.state
    const act = { at: 9, by: null, botId: life.state.botId }
    const changed = { ...act, _tag: "BotChanged", turn: 2, allowance: life.state.allowance } as const
    const events = [
      ...life.stored.map(({ data, seq }) => ({ event: decodeBotEvent(data), seq })),
      { event: { ...changed, profile: { ...profile, capabilities: ["gpu" as const] } }, seq: 7 }
    ]
    const [span, begun] = rowsOfAggregate(bots, events).at(-1)!.slice(-2)
    expect(span).toMatchObject({ _tag: "Set", key: "2", columns: { active_until: "9" } })
    expect(begun).toMatchObject({ _tag: "Add", row: { values: ["7", "bot_1", "cmp_1", "{gpu}", "9", null] } })
  })
})
