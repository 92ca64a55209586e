import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { MAX_HELD_BYTES } from "../../../src/stream/SlowConsumers.ts"
import { itLive } from "../../lib/Effects.ts"
import { stallSoak, type StallReport } from "../../lib/StallSoak.ts"

const HEALTHY = 20
const STALLED = 40
const COMMITMENTS = 3_000

/** How much more the heap may grow beside clients that stop reading than without them, in bytes. */
const HEAP_TOLERANCE = 8 * 1_048_576

const print = (report: StallReport): void => console.log(`stalled: ${JSON.stringify(report)}`)

describe("slow consumers of a server", () => {
  itLive(
    "that stop reading are closed, cost a bounded amount that is given back, and cost others nothing",
    () =>
      Effect.gen(function* () {
        const report = yield* stallSoak({ healthy: HEALTHY, stalled: STALLED, commitments: COMMITMENTS })
        print(report)
        const { told, warmUp, without } = report
        expect(report.closedAsSlow).toBe(STALLED)
        expect(report.connections).toBe(HEALTHY)
        expect([report.breaches, report.attempts]).toEqual([0, HEALTHY])
        expect(new Set(told).size).toBe(1)
        expect(told[0]).toBeGreaterThan(3 * COMMITMENTS)
        expect(report.with.held).toBeGreaterThan(0)
        expect(report.with.held).toBeLessThanOrEqual((HEALTHY + STALLED) * MAX_HELD_BYTES)
        const perCommitment = (without.memory.heap - warmUp.memory.heap) / without.commitments
        const expected = Math.max(0, perCommitment) * report.with.commitments
        expect(report.with.memory.heap - without.memory.heap).toBeLessThan(expected + HEAP_TOLERANCE)
      }),
    600_000
  )
})
