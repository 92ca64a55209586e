import { Effect, Layer } from "effect"
import { decodeBotEvent } from "../../../engine/bots/BotEvent.ts"
import { bots } from "../../../engine/bots/BotRows.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { BotRepository } from "../../../src/bots/BotRepository.ts"
import { botProjection } from "../../../src/bots/BotProjection.ts"
import { RowWriter } from "../../../src/database/RowWriter.ts"
import { BotLife } from "../../lib/BotLife.ts"
import { rowsOfAggregate } from "../../lib/DerivedRows.ts"
import { withLayer } from "../../lib/Effects.ts"
import { inStreams, projectedAnew } from "../../lib/ProjectedAnew.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(Layer.mergeAll(BotRepository.layer, RowWriter.layer).pipe(Layer.provideMerge(TestDatabase.layer)))

const BOT = `bot_${"a".repeat(24)}`
const WALLET = `0x${"a".repeat(40)}`

it("goes on from the rows of a bot that is not remembered", () =>
  Effect.suspend(() => {
    const life = new BotLife()
    for (const what of ["start", "pause", "resume"] as const) life.take({ what })
    life.take({ what: "fund", dollars: 30 })
    life.take({ what: "limit", percent: 40 })
    life.take({ what: "withdraw", dollars: 20 })
    life.take({ what: "terminate" })
    const all = life.stored.map(({ data }): PlatformEvent =>
      decodeBotEvent(data.replaceAll("bot_1", BOT).replace("0x1", WALLET))
    )
    const streams = new Map(life.stored.map(({ stream }, index) => [all[index]!, stream]))
    const events = inStreams(all, (event) => streams.get(event) ?? "")
    const rows = rowsOfAggregate(bots, events)
    return projectedAnew(botProjection, events, rows, ["bots", "machine_traders", "machine_trader_spans"])
  }))
