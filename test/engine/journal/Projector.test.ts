import { describe, expect } from "bun:test"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { JournalUnavailable } from "../../../engine/actor/Journal.ts"
import type { AppendedGroup } from "../../../engine/journal/AppendedGroup.ts"
import {
  makeProjector,
  MAX_UNPROJECTED_ENTRIES,
  type ProjectorPorts,
  Unprojected
} from "../../../engine/journal/Projector.ts"
import { TablePosition } from "../../../engine/journal/TablePosition.ts"
import { itEffect } from "../../lib/Effects.ts"

/** A group of so many entries that ends there. */
const group = (seq: number, entries = 1) =>
  ({
    settled: { recorded: Array.from({ length: entries }, (_, index) => ({ seq: seq - entries + 1 + index })) },
    end: { seq }
  }) as unknown as AppendedGroup

const lost = Effect.fail(new JournalUnavailable({ reason: "lost" }))
const refused = Effect.die(new Error("refused"))

/** Tables whose transactions end as told, the position that they had after each, and what was tried. */
const fixture = (fates: Array<{ readonly fails?: typeof lost | typeof refused; readonly reaches?: number }>) => {
  const tried: Array<readonly [number, number]> = []
  const position = new TablePosition((message) => new Error(message))
  let at = 0
  const ports: ProjectorPorts = {
    position,
    tables: {
      projected: Effect.sync(() => at),
      isAppended: () => Effect.succeed(true),
      write: (_, from, to) =>
        Effect.suspend(() => {
          tried.push([from, to.seq])
          const { fails, reaches } = fates.shift() ?? {}
          at = reaches ?? (fails === undefined ? to.seq : at)
          return fails ?? Effect.void
        }),
      projectedTo: () => {}
    },
    term: { current: () => 1n, check: Effect.void, renew: Effect.void, resign: Effect.fail, deposed: Effect.never }
  }
  return { ports, position, tried }
}

/** Runs a projector for as long as the effect does, and lets time pass. */
const following = Effect.fnUntraced(function* (unprojected: Unprojected, ports: ProjectorPorts) {
  const { run } = makeProjector(ports, unprojected)
  const fiber = yield* Effect.forkChild(run, { startImmediately: true })
  for (let tick = 0; tick < 20; tick++) yield* TestClock.adjust(100)
  yield* Fiber.interrupt(fiber)
})

describe("the projector", () => {
  itEffect("takes what a transaction wrote that was given up, also where more groups have come", () =>
    Effect.gen(function* () {
      const unprojected = new Unprojected()
      const { ports, tried } = fixture([{ fails: lost }, { fails: lost, reaches: 2 }])
      for (const seq of [1, 2, 3]) unprojected.add(group(seq))
      yield* following(unprojected, ports)
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
      const { ports, position, tried } = fixture([{ fails: refused }, {}, { fails: refused }])
      for (const seq of [1, 2]) unprojected.add(group(seq))
      position.tell(2)
      yield* following(unprojected, ports)
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
      const { ports, tried } = fixture([{ fails: refused }, { fails: lost }])
      for (const seq of [1, 2]) unprojected.add(group(seq))
      yield* following(unprojected, ports)
      expect(tried.at(-1)).toEqual([0, 2])
      expect([unprojected.projected, unprojected.hasRoom]).toEqual([2, true])
    })
  )

  itEffect("has room again once the tables lack less than they may", () =>
    Effect.gen(function* () {
      const unprojected = new Unprojected()
      unprojected.add(group(MAX_UNPROJECTED_ENTRIES / 2, MAX_UNPROJECTED_ENTRIES / 2))
      expect([unprojected.hasRoom, unprojected.crowding]).toEqual([true, 0])
      unprojected.remove(1, MAX_UNPROJECTED_ENTRIES / 2)
      unprojected.add(group((MAX_UNPROJECTED_ENTRIES * 3) / 4, (MAX_UNPROJECTED_ENTRIES * 3) / 4))
      expect(unprojected.crowding).toBe(0.5)
      unprojected.remove(1, 0)
      unprojected.add(group(1))
      unprojected.add(group(MAX_UNPROJECTED_ENTRIES, MAX_UNPROJECTED_ENTRIES - 1))
      expect([unprojected.hasRoom, unprojected.crowding]).toEqual([false, 1])
      yield* following(unprojected, fixture([]).ports)
      expect([unprojected.hasRoom, unprojected.entries]).toEqual([true, 0])
    })
  )
})
