import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { gapsText, runTrial } from "../../lib/ClusterTrial.ts"
import { itLive } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

/** How long faults are made, in milliseconds. `bun scripts/cluster-trial.ts` makes them for half an hour. */
const MILLIS = 75_000
const LIMIT = 180_000

const trial = async (folder: string): Promise<void> => {
  const lines: Array<string> = []
  try {
    const seed = Number(process.env["SEED"] ?? 1)
    const report = await runTrial({ folder, millis: MILLIS, seed, log: (line) => lines.push(line) })
    console.log(gapsText(report))
    expect(report.faults).toBeGreaterThan(0)
    expect(report.events).toBeGreaterThan(0)
  } catch (error) {
    console.log(lines.join("\n"))
    throw error
  }
}

describe("Three nodes of which any is killed, stopped or ended", () => {
  itLive(
    "keep what they acknowledged, execute nothing twice and tell all subscribers the same",
    () => Effect.flatMap(temporaryFolder, (folder) => Effect.promise(() => trial(folder))),
    LIMIT
  )
})
