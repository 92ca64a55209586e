import { describe, expect, it } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runTrial, trialText, type TrialOptions, type TrialReport } from "../../../scripts/cluster/ClusterTrial.ts"

/** How long faults are made, in milliseconds. The whole trial takes half an hour by its command. */
const TEN_MINUTES = 600_000

/** What is surely made meanwhile, however slow the machine: without it the trial shows nothing. */
const FEWEST_FAULTS = 20

/** Between two requests of a client, in milliseconds: the faults are the same, and other tests get the machine. */
const PAUSE = 100

/** There and back. */
const HAND_OVERS = 2

/** Three nodes start beside other tests, and again after each fault; then the whole journal is replayed. */
const LIMIT = 1_500_000

const played = async (
  options: Omit<TrialOptions, "folder" | "log">,
  judge: (report: TrialReport) => void
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "emporion-trial-"))
  const lines: Array<string> = []
  try {
    judge(await runTrial({ ...options, folder, log: (line) => void lines.push(line) }))
  } catch (error) {
    for (const line of lines) console.log(line)
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const answered = ({ history }: TrialReport): number =>
  history.operations.filter(({ replies }) => replies.length > 0).length

describe("ClusterTrial", () => {
  it(
    "finds nothing that was lost, executed twice, read late or told otherwise",
    () =>
      played({ millis: TEN_MINUTES, pause: PAUSE, seed: 11 }, (report) => {
        expect(report.violations).toEqual([])
        expect(report.faults.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(FEWEST_FAULTS)
        expect(answered(report)).toBeGreaterThan(1_000)
        expect(trialText(report)).toContain("0 have no answer")
      }),
    LIMIT
  )

  it(
    "finds nothing either where a new process takes over from the old one, which ends with 0",
    () =>
      played({ millis: 0, seed: 11, handOvers: HAND_OVERS }, (report) => {
        expect(report.violations).toEqual([])
        expect(report.handOvers.map(({ code }) => code)).toEqual([0, 0])
        expect(new Set(report.history.journal.map(({ term }) => term)).size).toBeGreaterThan(HAND_OVERS)
        expect(answered(report)).toBeGreaterThan(100)
      }),
    LIMIT
  )
})
