import { describe, expect } from "bun:test"
import { Effect, Exit, Fiber, Layer } from "effect"
import { ConnectionError, ConstraintError, SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import { TestClock } from "effect/testing"
import { type AppendedGroup, LedgerTables } from "../../../src/database/LedgerTables.ts"
import { makeProjector, MAX_UNPROJECTED_ENTRIES, Unprojected } from "../../../src/database/Projector.ts"
import { Projection } from "../../../src/database/Projection.ts"
import { TablePosition } from "../../../src/database/TablePosition.ts"
import { ProjectionSession } from "../../../src/database/WriteSession.ts"
import { WriterTerm } from "../../../src/database/WriterTerm.ts"
import { itEffect } from "../../lib/Effects.ts"

/** A group of so many entries that ends there. */
const group = (seq: number, entries = 1) =>
  ({
    settled: { recorded: Array.from({ length: entries }, (_, index) => ({ seq: seq - entries + 1 + index })) },
    end: { seq }
  }) as unknown as AppendedGroup

const cause = new Error("lost")
const lost = new SqlError({ reason: new ConnectionError({ cause }) })
const refused = new SqlError({ reason: new ConstraintError({ cause }) })

/** Tables whose transactions end as told, the position that they had after each, and what was tried. */
const scene = (fates: Array<{ readonly fails?: SqlError; readonly reaches?: number }>) => {
  const tried: Array<readonly [number, number]> = []
  const position = TablePosition.make()
  let [at, next] = [0, [0, 0] as readonly [number, number]]
  const statement = {} as Statement<unknown>
  const layer = Layer.mergeAll(
    Layer.succeed(TablePosition, position),
    Layer.succeed(Projection, {
      begin: () => Effect.succeed({ statements: () => [], written: () => {} }),
      answer: () => ({ status: 200, body: "" }),
      projected: () => {}
    }),
    Layer.succeed(LedgerTables, {
      projected: Effect.sync(() => at),
      advance: (from, to) => {
        next = [from, to.seq]
        return statement
      },
      isAppended: () => Effect.succeed(true),
      write: () => []
    }),
    Layer.succeed(ProjectionSession, {
      transaction: () =>
        Effect.suspend(() => {
          tried.push(next)
          const { fails, reaches } = fates.shift() ?? {}
          at = reaches ?? (fails === undefined ? next[1] : at)
          return fails === undefined ? Effect.void : Effect.fail(fails)
        })
    }),
    Layer.mock(WriterTerm, { current: () => 1n, check: Effect.void })
  )
  return { layer, position, tried }
}

/** Runs a projector for as long as the effect does, and lets time pass. */
const following = (unprojected: Unprojected, layer: ReturnType<typeof scene>["layer"]) =>
  Effect.gen(function* () {
    const { run } = yield* makeProjector(unprojected)
    const fiber = yield* Effect.forkChild(run, { startImmediately: true })
    for (let tick = 0; tick < 20; tick++) yield* TestClock.adjust(100)
    yield* Fiber.interrupt(fiber)
  }).pipe(Effect.scoped, Effect.provide(layer))

describe("the projector", () => {
  itEffect("takes what a transaction wrote that was given up, also where more groups have come", () =>
    Effect.gen(function* () {
      const unprojected = new Unprojected()
      const { layer, tried } = scene([{ fails: lost }, { fails: lost, reaches: 2 }])
      for (const seq of [1, 2, 3]) unprojected.add(group(seq))
      yield* following(unprojected, layer)
      expect(tried).toEqual([
        [0, 3],
        [0, 3],
        [2, 3]
      ])
      expect([unprojected.projected, unprojected.entries]).toEqual([3, 0])
    })
  )

  itEffect("stops at what the tables refuse, behind what they take, and lets nothing in or be read", () =>
    Effect.gen(function* () {
      const unprojected = new Unprojected()
      const { layer, position, tried } = scene([{ fails: refused }, {}, { fails: refused }])
      for (const seq of [1, 2]) unprojected.add(group(seq))
      position.tell(2)
      yield* following(unprojected, layer)
      expect(tried).toEqual([
        [0, 2],
        [0, 1],
        [1, 2]
      ])
      expect([unprojected.projected, unprojected.hasRoom]).toEqual([1, false])
      expect(Exit.isFailure(yield* Effect.exit(position.reached))).toBe(true)
    })
  )

  itEffect("goes on where the database fails while it looks for what was refused", () =>
    Effect.gen(function* () {
      const unprojected = new Unprojected()
      const { layer, tried } = scene([{ fails: refused }, { fails: lost }])
      for (const seq of [1, 2]) unprojected.add(group(seq))
      yield* following(unprojected, layer)
      expect(tried.at(-1)).toEqual([0, 2])
      expect([unprojected.projected, unprojected.hasRoom]).toEqual([2, true])
    })
  )

  itEffect("has room again once the tables lack less than they may", () =>
    Effect.gen(function* () {
      const unprojected = new Unprojected()
      unprojected.add(group(1))
      unprojected.add(group(MAX_UNPROJECTED_ENTRIES, MAX_UNPROJECTED_ENTRIES - 1))
      expect(unprojected.hasRoom).toBe(false)
      yield* following(unprojected, scene([]).layer)
      expect([unprojected.hasRoom, unprojected.entries]).toEqual([true, 0])
    })
  )
})
