import { describe, expect } from "bun:test"
import { Effect, Result } from "effect"
import { type Journal, StaleVersion } from "../../../engine/actor/Journal.ts"
import { move } from "../../../engine/bot/BotDecision.ts"
import { botStream } from "../../../engine/bot/BotEvent.ts"
import { ZERO } from "../../../engine/money/Amount.ts"
import { BotProjection } from "../../../engine/simulation/BotProjection.ts"
import { BotWriter, type Decide } from "../../../engine/simulation/BotWriter.ts"
import { MemoryJournal } from "../../../engine/simulation/MemoryJournal.ts"
import type { SimulatedEvent } from "../../../engine/simulation/SimulatedArena.ts"
import { made, TALE_BOT } from "../../lib/BotTales.ts"
import { itEffect } from "../../lib/Effects.ts"
import { environment } from "../../lib/Simulations.ts"

const ROOM = { collateral: ZERO, allowance: ZERO, held: ZERO }

const start: Decide = (bot, at) => move(bot, "start", ROOM, false, { at, by: "usr_1" })
const pause: Decide = (bot, at) => move(bot, "pause", ROOM, false, { at, by: "usr_1" })

const world = Effect.gen(function* () {
  const projection = new BotProjection()
  const journal = new MemoryJournal<SimulatedEvent>({
    link: environment.hashing.link,
    defer: (write) => write(),
    onCommit: ({ settled }) => projection.apply(settled.recorded)
  })
  yield* journal.append({ stream: "bots/cmp_1", version: null, entries: [{ commands: [], event: made }] })
  return { journal, projection, writer: new BotWriter({ journal, writes: journal, projection }) }
})

describe("BotWriter", () => {
  itEffect("answers what it wrote, or why it did not", () =>
    Effect.gen(function* () {
      const { writer } = yield* world
      expect(yield* writer.written(TALE_BOT, pause)).toBe("IllegalBotAct")
      expect(yield* writer.written(TALE_BOT, start)).toBe("BotStarted")
      expect(yield* writer.written(TALE_BOT, start)).toBe("AlreadyThere")
      expect(yield* writer.written("bot_2", start)).toBe("BotNotFound")
    })
  )

  itEffect("writes under one key once", () =>
    Effect.gen(function* () {
      const { writer } = yield* world
      const idempotency = { key: "k", fingerprint: "k" }
      expect(yield* writer.written(TALE_BOT, start, { idempotency })).toBe("BotStarted")
      expect(yield* writer.written(TALE_BOT, pause, { idempotency })).toBe("Replayed")
    })
  )

  itEffect("decides anew where another wrote first, and fails where what it was decided on is no more", () =>
    Effect.gen(function* () {
      const { journal, projection } = yield* world
      let others = 1
      const writes: Journal<SimulatedEvent> = {
        append: (batch) =>
          others-- > 0
            ? Effect.fail(new StaleVersion({ stream: botStream(TALE_BOT), expected: 0, actual: 1 }))
            : journal.append(batch)
      }
      const writer = new BotWriter({ journal, writes, projection })
      expect(yield* writer.written(TALE_BOT, start)).toBe("BotStarted")
      const premises = [{ stream: "bot-guard/cmp_1", version: 3 }]
      const failed = yield* Effect.result(writer.written(TALE_BOT, pause, { premises }))
      expect(Result.isFailure(failed) && failed.failure).toMatchObject({ stream: "bot-guard/cmp_1", actual: 0 })
    })
  )
})
