import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { decodeBotEvent } from "../../../engine/bots/BotEvent.ts"
import { BotReplay } from "../../../engine/replay/BotReplay.ts"
import { botRow } from "../../../engine/bots/BotRows.ts"
import { botTraderRow } from "../../../engine/arena/MachineTraderRows.ts"
import type { StateRow } from "../../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { anyStep, BotLife } from "../../lib/BotLife.ts"
import { property } from "../../lib/Property.ts"

const play = (stored: ReadonlyArray<StoredEvent>, history = false) => {
  const rows: Array<StateRow> = []
  const replay = new BotReplay({ history, put: (row) => void rows.push(row) }, () => undefined)
  for (const each of stored) {
    const event = decodeBotEvent(each.data)
    const decided = replay.decide(event, each)
    if (Result.isFailure(decided)) return { rows, finding: decided.failure }
    replay.evolve(event, each)
  }
  replay.finish()
  return { rows, finding: undefined }
}

const lived = (...steps: ReadonlyArray<Parameters<BotLife["take"]>[0]>) => {
  const life = new BotLife()
  for (const step of steps) life.take(step)
  return life
}

describe("BotReplay", () => {
  it("decides every life again, and derives the bot that it left", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 30, size: "max" }), (steps) => {
        const life = lived(...steps)
        const { finding, rows } = play(life.stored)
        expect(finding).toBeUndefined()
        const last = life.stored.findLast(({ type }) => type !== "BotDecided")
        expect(rows.filter(({ table }) => table === "bots")).toEqual([botRow(life.state, last?.seq ?? 0)])
        const risk = new BotLife().state.profile.strategy.riskPreset
        expect(rows.filter(({ table }) => table === "machine_traders")).toEqual([botTraderRow(life.state, risk)])
      }),
      property(2)
    )
  })

  it("tells from when to when a bot was active", () => {
    const { rows } = play(lived({ what: "start" }, { what: "pause" }, { what: "resume" }).stored)
    const spans = rows.filter(({ table }) => table === "machine_trader_spans")
    expect(spans.map(({ values }) => [values[0], values[5] === null])).toEqual([
      ["2", false],
      ["4", true]
    ])
  })

  it("puts each state where the history is wanted", () => {
    const { rows } = play(lived({ what: "start" }, { what: "pause" }).stored, true)
    expect(rows.filter(({ table }) => table === "bots").map(({ values }) => values[13])).toEqual([
      "inactive",
      "active",
      "paused"
    ])
  })

  it("notices what the engine does not decide", () => {
    const [made, funded] = lived({ what: "fund", dollars: 10 }).stored
    if (made === undefined || funded === undefined) throw new Error("nothing was recorded")
    const altered = (data: string) => play([made, { ...funded, data }]).finding
    expect(altered(funded.data.replace(`"allowance":"1000000"`, `"allowance":"2000000"`))).toBe(
      "is not what the engine decides"
    )
    expect(play([made, { ...funded, stream: "bot/bot_2" }]).finding).toContain("belongs in the stream bot/bot_1")
    expect(play([funded]).finding).toBe("is not what the engine decides")
    expect(play([made, made]).finding).toBe("is not what the engine decides")
  })

  it("notices a decision by another than who decides for the bot, or within limits that are not the bot's", () => {
    const { stored } = lived({ what: "module", named: true }, { what: "start" }, { what: "bid" })
    const [made, named, started, bid] = stored
    if (made === undefined || named === undefined || started === undefined || bid === undefined) throw new Error("none")
    expect(play(stored).finding).toBeUndefined()
    const altered = (from: string, to: string) =>
      play([made, named, started, { ...bid, data: bid.data.replace(from, to) }])
    expect(altered(`"my.ts"`, `"your.ts"`).finding).toBe("was decided by your.ts, not by my.ts")
    expect(play([made, started, bid]).finding).toBe("was decided by my.ts, not by the strategy")
    expect(altered(`"maxCollateralPerTrade":"50000000"`, `"maxCollateralPerTrade":"60000000"`).finding).toBe(
      "has other limits than its bot's"
    )
    expect(altered(`"proposedPrice":"101000000"`, `"proposedPrice":"102000000"`).finding).toBe(
      "is not what its evaluation says"
    )
    expect(altered(`"dryRun":false`, `"dryRun":true`).finding).toBe("is of a module, which nobody asks")
    const [first, begun, evaluated] = lived({ what: "start" }, { what: "evaluate" }).stored
    if (first === undefined || begun === undefined || evaluated === undefined) throw new Error("none")
    expect(play([first, { ...named, seq: 2 }, begun, evaluated]).finding).toBe(
      "was decided by the strategy, not by my.ts"
    )
  })
})
