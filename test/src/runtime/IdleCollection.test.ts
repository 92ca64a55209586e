import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { collectWhenIdle } from "../../../src/runtime/IdleCollection.ts"
import { itEffect } from "../../lib/Effects.ts"

const MIB = 1024 * 1024

/** A process that grows to 100 MiB and keeps 60 of them. */
const processOf = () => {
  const of = { spent: 0, resident: 100 * MIB, collections: 0 }
  return {
    of,
    ports: {
      processorMillis: () => of.spent,
      residentBytes: () => of.resident,
      collect: () => {
        of.collections += 1
        of.resident = 60 * MIB
      }
    }
  }
}

describe("collection at rest", () => {
  itEffect("waits for a second of rest", () =>
    Effect.gen(function* () {
      const { of, ports } = processOf()
      yield* collectWhenIdle(ports)
      yield* Effect.yieldNow
      expect(of.collections).toBe(0)
      for (let second = 0; second < 5; second++) {
        of.spent += 100
        yield* TestClock.adjust("1 second")
      }
      expect(of.collections).toBe(0)
      of.spent += 99
      yield* TestClock.adjust("1 second")
      expect(of.collections).toBe(1)
    }).pipe(Effect.scoped)
  )

  itEffect("collects once after each growth", () =>
    Effect.gen(function* () {
      const { of, ports } = processOf()
      yield* collectWhenIdle(ports)
      yield* TestClock.adjust("1 minute")
      expect(of.collections).toBe(1)
      of.resident += 8 * MIB - 1
      yield* TestClock.adjust("1 minute")
      expect(of.collections).toBe(1)
      of.resident += 1
      yield* TestClock.adjust("1 minute")
      expect(of.collections).toBe(2)
    }).pipe(Effect.scoped)
  )

  itEffect("does not repeat a collection that freed nothing", () =>
    Effect.gen(function* () {
      const { of, ports } = processOf()
      yield* collectWhenIdle({ ...ports, collect: () => (of.collections += 1) })
      yield* TestClock.adjust("10 minutes")
      expect(of.collections).toBe(1)
    }).pipe(Effect.scoped)
  )
})
