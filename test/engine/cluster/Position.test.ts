import { describe, expect, it } from "bun:test"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import {
  AcknowledgedPosition,
  isBehind,
  type Position,
  POSITION_WAIT,
  positionOf,
  positionText,
  reaches
} from "../../../engine/cluster/Position.ts"
import { itEffect } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"

const position = fc.record({
  epoch: fc.stringMatching(/^[0-9A-Za-z]{1,64}$/),
  seq: fc.maxSafeNat()
})

describe("A position", () => {
  it("is read as it was written, and no other text is one", () => {
    fc.assert(
      fc.property(position, (one) => {
        expect(positionOf(positionText(one))).toEqual(one)
      }),
      property()
    )
    const others = ["", "-", "a-", "-1", "a-01", "a--1", "a-1.5", "a-1e3", "a-1 ", "a-1, a-2", "a-9007199254740992"]
    expect(others.filter((text) => positionOf(text) !== undefined)).toEqual([])
    expect(positionOf(`${"a".repeat(65)}-1`)).toBeUndefined()
  })
})

describe("A request that names a position", () => {
  const awaited = (journal: { seq: number }, asked: Position) =>
    Effect.forkChild(
      reaches(() => ({ epoch: "a", seq: journal.seq }), asked),
      { startImmediately: true }
    )

  itEffect("waits until the journal goes as far", () =>
    Effect.gen(function* () {
      const journal = { seq: 6 }
      const waiting = yield* awaited(journal, { epoch: "a", seq: 7 })
      yield* TestClock.adjust(POSITION_WAIT / 2)
      expect(waiting.pollUnsafe()).toBeUndefined()
      journal.seq = 7
      yield* TestClock.adjust(POSITION_WAIT / 10)
      expect(waiting.pollUnsafe()).toBeDefined()
      expect(yield* Fiber.join(waiting)).toBe(true)
    })
  )

  itEffect("waits no longer than it may", () =>
    Effect.gen(function* () {
      const waiting = yield* awaited({ seq: 6 }, { epoch: "a", seq: 7 })
      yield* TestClock.adjust(POSITION_WAIT)
      expect(yield* Fiber.join(waiting)).toBe(false)
    })
  )

  itEffect("does not wait for another log", () =>
    Effect.gen(function* () {
      expect(yield* reaches(() => ({ epoch: "b", seq: 1 }), { epoch: "a", seq: 7 })).toBe(true)
    })
  )
})

/** What happens to nodes that forward to one that writes, while ones that wrote before may still answer. */
type Step =
  | { readonly _tag: "Append"; readonly count: number }
  /** Another node writes: the one before goes on from where it is, and does not know. */
  | { readonly _tag: "Replaced" }
  /** The database is another one, with as many events as it may. */
  | { readonly _tag: "Restored"; readonly seq: number }
  | { readonly _tag: "Ask"; readonly node: number; readonly writer: number; readonly client: number }

const NODES = 3
const CLIENTS = 3

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ _tag: fc.constant("Append" as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.constant({ _tag: "Replaced" as const }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Restored" as const), seq: fc.nat({ max: 20 }) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      _tag: fc.constant("Ask" as const),
      node: fc.nat({ max: NODES - 1 }),
      writer: fc.nat({ max: 3 }),
      client: fc.nat({ max: CLIENTS - 1 })
    })
  }
)

describe("A node that forwards", () => {
  it("has nobody answered from before what it acknowledged, or from before what its caller was told anywhere", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        /** The one that writes, and behind it those that wrote before. */
        const writers: Array<Position> = [{ epoch: "e0", seq: 0 }]
        const nodes = Array.from({ length: NODES }, () => new AcknowledgedPosition())
        const answered = new Map<string, Position>()
        const clients = new Map<number, Position>()
        let logs = 0
        for (const one of steps) {
          const [current = { epoch: "e0", seq: 0 }] = writers
          if (one._tag === "Append") writers[0] = { ...current, seq: current.seq + one.count }
          if (one._tag === "Replaced") writers.unshift(current)
          if (one._tag === "Restored") {
            // No node outlives its log: it ends itself.
            logs += 1
            writers.splice(0, writers.length, { epoch: `e${logs}`, seq: one.seq })
            nodes.splice(0, NODES, ...nodes.map(() => new AcknowledgedPosition()))
            answered.clear()
          }
          if (one._tag !== "Ask") continue
          const shown = writers[one.writer % writers.length] ?? current
          const asked = clients.get(one.client)
          const required = nodes[one.node]?.required(asked)
          if (required !== undefined && isBehind(shown, required)) continue
          const before = [answered.get(`node ${one.node}`), asked]
          for (const earlier of before)
            if (earlier?.epoch === shown.epoch) expect(shown.seq).toBeGreaterThanOrEqual(earlier.seq)
          nodes[one.node]?.note(shown)
          answered.set(`node ${one.node}`, shown)
          clients.set(one.client, shown)
        }
        // Whoever writes is never behind what anybody was told.
        const [current = { epoch: "", seq: 0 }] = writers
        for (const node of nodes) {
          for (const client of clients.values()) {
            const required = node.required(client)
            expect(required !== undefined && isBehind(current, required)).toBe(false)
          }
        }
      }),
      property()
    )
  })

  it("keeps to the highest of answers that overtake each other, and to the log that it saw last", () => {
    const node = new AcknowledgedPosition()
    expect(node.required(undefined)).toBeUndefined()
    node.note({ epoch: "a", seq: 5 })
    node.note({ epoch: "a", seq: 3 })
    expect(node.required(undefined)).toEqual({ epoch: "a", seq: 5 })
    expect(node.required({ epoch: "a", seq: 8 })).toEqual({ epoch: "a", seq: 8 })
    expect(node.required({ epoch: "b", seq: 8 })).toEqual({ epoch: "a", seq: 5 })
    node.note({ epoch: "b", seq: 1 })
    expect(node.required({ epoch: "a", seq: 8 })).toEqual({ epoch: "b", seq: 1 })
  })
})
