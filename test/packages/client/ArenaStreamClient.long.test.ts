import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { soak, type SoakReport } from "../../lib/ClientSoak.ts"
import { itLive } from "../../lib/Effects.ts"

const print = (report: SoakReport): void => console.log(`soak: ${JSON.stringify(report)}`)

describe("ArenaStreamClient", () => {
  itLive(
    "tells 200 clients of exactly the database's events, through kills, disconnections and slow readers",
    () =>
      Effect.gen(function* () {
        const report = yield* soak({ clients: 200, commitments: 10_000, kills: 2, stalled: 40 })
        print(report)
        expect(report.events).toBeGreaterThan(10_000)
        expect(report.breaches).toBe(0)
        expect(report.pauses).toBeGreaterThan(0)
        expect(report.closedAsSlow).toBeGreaterThanOrEqual(40)
        expect(report.compared).toBeGreaterThan(0)
      }),
    600_000
  )
})
