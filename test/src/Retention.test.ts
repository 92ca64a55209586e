import { describe, expect } from "bun:test"
import { Effect, Exit, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import { Unavailable } from "../../src/database/DatabaseError.ts"
import { HorizonRepository } from "../../src/database/HorizonRepository.ts"
import * as Retention from "../../src/Retention.ts"
import { itEffect } from "../lib/Effects.ts"

const DAY = 86_400_000

/** Horizons in memory, with what was said of them. */
const horizonsIn = (said: Array<string>) =>
  Layer.succeed(HorizonRepository, {
    advance: (kind, to) => Effect.sync(() => (said.push(`${kind} ${to}`), to)),
    of: () => Effect.succeed(0)
  })

const shownOf = (kind: string) =>
  Effect.map(Metric.snapshot, (metrics) =>
    Object.fromEntries(
      metrics.flatMap(({ attributes, id, state }) =>
        attributes?.["class"] === kind
          ? [[id, "count" in state ? state.count : "value" in state ? state.value : 0]]
          : []
      )
    )
  )

describe("Retention", () => {
  itEffect("goes step by step to the end, with a pause between, and tells the metrics", () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      yield* TestClock.setTime(100 * DAY)
      const retained: Retention.Retained = {
        kind: "steps",
        days: 90,
        step: (horizon, from) =>
          Effect.sync(() => {
            said.push(`${horizon / DAY} from ${from}`)
            return { removed: 5, next: from < 20 ? from + 10 : undefined }
          })
      }
      const pause = Effect.sync(() => void said.push("pause"))
      yield* Retention.pass(retained, pause).pipe(Effect.provide(horizonsIn(said)))
      const horizon = `steps ${10 * DAY}`
      expect(said).toEqual([horizon, "10 from 0", "pause", "10 from 10", "pause", "10 from 20"])
      expect(yield* shownOf("steps")).toEqual({
        emporion_retention_removed_rows: 15,
        emporion_retention_horizon_seconds: (10 * DAY) / 1_000
      })
    })
  )

  itEffect("removes nothing of what is kept for ever, nor from before the clock's beginning", () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const step = () => Effect.die("a step was made")
      yield* TestClock.setTime(89 * DAY)
      const passes = Effect.forEach([Infinity, 90], (days) => Retention.pass({ kind: "kept", days, step }, Effect.void))
      yield* passes.pipe(Effect.provide(horizonsIn(said)))
      expect(said).toEqual([])
    })
  )

  itEffect("says that rows may be gone before the first of them is", () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      yield* TestClock.setTime(2 * DAY)
      const step = () => Effect.fail(new Unavailable({ reason: "away" }))
      const exit = yield* Retention.pass({ kind: "early", days: 1, step }, Effect.void).pipe(
        Effect.provide(horizonsIn(said)),
        Effect.exit
      )
      expect([Exit.isFailure(exit), said]).toEqual([true, [`early ${DAY}`]])
    })
  )

  itEffect("goes on while one of several tables had a full batch", () =>
    Effect.gen(function* () {
      const left = [2 * Retention.STEP_ROWS, 7]
      const removal = (table: number) => () =>
        Effect.sync(() => {
          const removed = Math.min(left[table] ?? 0, Retention.STEP_ROWS)
          left[table] = (left[table] ?? 0) - removed
          return removed
        })
      const step = Retention.stepOver(removal(0), removal(1))
      expect(yield* step(1, 0)).toEqual({ removed: Retention.STEP_ROWS + 7, next: 0 })
      expect(yield* step(1, 0)).toEqual({ removed: Retention.STEP_ROWS, next: 0 })
      expect(yield* step(1, 0)).toEqual({ removed: 0, next: undefined })
    })
  )
})
