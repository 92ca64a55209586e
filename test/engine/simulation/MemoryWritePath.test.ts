import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { KEPT } from "../../../engine/simulation/CallFate.ts"
import { MemoryDatabase } from "../../../engine/simulation/MemoryDatabase.ts"
import { MemoryServer } from "../../../engine/simulation/MemoryServer.ts"
import { serve, SHIPPED_PARTS } from "../../../engine/simulation/MemoryWritePath.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { VirtualClock } from "../../../engine/simulation/VirtualClock.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { itEffect } from "../../lib/Effects.ts"
import { plannedBatch } from "../../lib/LedgerPlans.ts"
import { MINT } from "../../lib/journal/SettledGroups.ts"

/** A database, and how to start servers on it, while time passes. */
const world = Effect.gen(function* () {
  const clock = new VirtualClock(0, new SeededRandom(1, "clock"))
  const database = new MemoryDatabase()
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.andThen(
        Effect.sync(() => clock.advance()),
        Effect.yieldNow
      )
    )
  )
  const around = { database, clock, fateOf: () => KEPT, report: (problem: string) => void expect(problem).toBe("") }
  const start = (number: number) => serve(new MemoryServer(number, { ...around, start: () => {} }), SHIPPED_PARTS, link)
  return { database, start }
})

describe("the write path in memory", () => {
  itEffect("writes as it ships, and has the tables follow", () =>
    Effect.gen(function* () {
      const { database, start } = yield* world
      const { journal, keys, position } = yield* start(1)
      const [outcome] = yield* journal.append(plannedBatch(MINT, []))
      expect(outcome).toMatchObject({ _tag: "Accepted", recorded: { seq: 1, version: 1 } })
      expect(keys.find("mint0")).toMatchObject({ seq: 1 })
      yield* position.reached
      expect([database.tables.seq, database.tables.claims.has("name/mint0")]).toEqual([1, true])
      const again = yield* Effect.flip(journal.append(plannedBatch(MINT, [])))
      expect(again._tag).toBe("StaleVersion")
    })
  )

  itEffect("ends where another server takes the term", () =>
    Effect.gen(function* () {
      const { start } = yield* world
      const first = yield* start(1)
      const second = yield* start(2)
      expect((yield* Effect.flip(first.deposed)).message).toBe("another process writes")
      expect((yield* Effect.flip(first.journal.append(plannedBatch(MINT, []))))._tag).toBe("JournalUnavailable")
      const [outcome] = yield* second.journal.append(plannedBatch(MINT, []))
      expect(outcome?._tag).toBe("Accepted")
    })
  )
})
