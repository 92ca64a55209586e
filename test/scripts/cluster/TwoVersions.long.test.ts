import { describe, expect, it } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runTrial, type TrialReport } from "../../../scripts/cluster/ClusterTrial.ts"
import type { HandedOver } from "../../../scripts/cluster/HandOvers.ts"
import { makeNextVersion, NEXT_MIGRATION } from "../../lib/NextVersion.ts"

/** From this version to the next, and from there to itself. */
const HAND_OVERS = 2

const LIMIT = 600_000

/** While both processes run, before the hand-over, in milliseconds. */
const BESIDE = 1_000

/** Nodes that answered a read while the process that hands over and the one beside it were both there. */
const answering = ({ history }: TrialReport, { at }: HandedOver): ReadonlySet<string> =>
  new Set(history.reads.filter(({ began }) => began > at - BESIDE && began < at).map(({ node }) => node))

const MIGRATED = /Migrations applied: ([^"]*)\./g

/** The migrations that a node says it ran, each time. */
const migratedBy = ({ logs }: TrialReport, node: string): ReadonlyArray<string> =>
  [...(logs.get(node) ?? "").matchAll(MIGRATED)].map(([, names = ""]) => names)

describe("Two versions at once", () => {
  it(
    "serve beside each other under load, and the next one migrates and takes over without a loss",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "emporion-versions-"))
      const lines: Array<string> = []
      try {
        const later = join(folder, "next")
        makeNextVersion(later)
        const log = (line: string): void => void lines.push(line)
        const report = await runTrial({ folder, millis: 0, seed: 12, handOvers: HAND_OVERS, later, log })
        expect(report.violations).toEqual([])
        expect(report.handOvers.map(({ code }) => code)).toEqual([0, 0])
        const [first] = report.handOvers
        if (first === undefined) throw new Error("nothing was handed over")
        expect(answering(report, first)).toEqual(new Set([first.from, first.to]))
        expect([migratedBy(report, first.to).at(-1), migratedBy(report, first.from).at(-1)]).toEqual([
          NEXT_MIGRATION,
          expect.not.stringContaining(NEXT_MIGRATION)
        ])
        const acknowledged = report.history.operations.filter(({ replies }) =>
          replies.some(({ outcome }) => outcome === "accepted")
        )
        expect(acknowledged.length).toBeGreaterThan(100)
      } catch (error) {
        for (const line of lines) console.log(line)
        throw error
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
    LIMIT
  )
})
