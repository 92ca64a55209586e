import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { MAX_PAGES_LENGTH } from "../../../src/stream/StreamReplay.ts"
import { MAX_HELD_BYTES } from "../../../src/stream/SlowConsumers.ts"
import { itLive } from "../../lib/Effects.ts"
import { stallSoak, type StallReport } from "../../lib/StallSoak.ts"

const HEALTHY = 20
const STALLED = 40
const COMMITMENTS = 3_000

/** Bytes of the heap for each commitment: orders stay in memory for ten minutes after they were last needed. */
const HEAP_PER_COMMITMENT = 1_024

/** How much more the heap may grow than by that and by the pages of the past that are kept, in bytes. */
const HEAP_TOLERANCE = 8 * 1_048_576

const print = (report: StallReport): void => console.log(`stalled: ${JSON.stringify(report)}`)

describe("slow consumers of a server", () => {
  itLive(
    "that stop reading are closed, cost a bounded amount that is given back, and cost others nothing",
    () =>
      Effect.gen(function* () {
        const report = yield* stallSoak({ healthy: HEALTHY, stalled: STALLED, commitments: COMMITMENTS })
        print(report)
        const { told, without } = report
        expect(report.closedAsSlow).toBe(STALLED)
        expect(report.connections).toBe(HEALTHY)
        expect([report.breaches, report.attempts]).toEqual([0, HEALTHY])
        expect(new Set(told).size).toBe(1)
        expect(told[0]).toBeGreaterThan(3 * COMMITMENTS)
        expect(report.with.held).toBeGreaterThan(0)
        expect(report.with.held).toBeLessThanOrEqual((HEALTHY + STALLED) * MAX_HELD_BYTES)
        const allowed = report.with.commitments * HEAP_PER_COMMITMENT + MAX_PAGES_LENGTH + HEAP_TOLERANCE
        expect(report.with.memory.heap - without.memory.heap).toBeLessThan(allowed)
      }),
    600_000
  )
})
