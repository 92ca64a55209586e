import { describe, expect, it } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runTrial, trialText } from "../../../scripts/cluster/ClusterTrial.ts"

/** How long faults are made, in milliseconds. The whole trial takes half an hour by its command. */
const SOME = 45_000

/** Three nodes start beside other tests, and again after each fault. */
const LIMIT = 600_000

describe("ClusterTrial", () => {
  it(
    "finds nothing that was lost, executed twice, read late or told otherwise",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "emporion-trial-"))
      const lines: Array<string> = []
      try {
        const report = await runTrial({ folder, millis: SOME, seed: 11, log: (line) => void lines.push(line) })
        expect(report.violations).toEqual([])
        expect(report.faults.length).toBeGreaterThan(3)
        expect(report.history.operations.filter(({ replies }) => replies.length > 0).length).toBeGreaterThan(100)
        expect(trialText(report)).toContain("0 have no answer")
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
