import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundled } from "../../lib/ClientPackage.ts"
import { soak, type SoakReport } from "../../lib/ClientSoak.ts"
import { itLive } from "../../lib/Effects.ts"
import { PYTHON_PACKAGE, pythonCommand } from "../../lib/Python.ts"
import { requireRuntime, RUNTIMES } from "../../lib/Runtimes.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const print = (report: SoakReport): void => console.log(`soak: ${JSON.stringify(report)}`)

/** Tells all that it is told. */
const PROGRAM = `
import { ArenaStreamClient } from "emporion-client/stream"
const say = (line) => console.log(JSON.stringify(line))
let isLive = false
const client = new ArenaStreamClient({
  url: globalThis.process.argv.at(-1),
  channels: ["orders", "commitments", "settlements"],
  snapshot: false,
  onItem: say,
  onStatus(status, why) {
    if (status === "live" && !isLive) say({ kind: "live", position: client.position })
    if (status === "live") isLive = true
    if (status === "ended") say({ kind: "ended", why })
  }
})
client.start()
`

describe("ArenaStreamClient", () => {
  itLive(
    "tells 200 clients, and others on Deno, Node and in Python, of exactly the database's events, through kills, disconnections and slow readers",
    () =>
      Effect.gen(function* () {
        const file = join(yield* temporaryFolder, "client.mjs")
        writeFileSync(file, yield* bundled(PROGRAM))
        for (const runtime of RUNTIMES) requireRuntime(runtime)
        const programs: Array<ReadonlyArray<string>> = RUNTIMES.map(({ command, name }) => [
          ...command,
          ...(name === "Deno" ? ["--allow-net"] : []),
          file
        ])
        programs.push(pythonCommand(join(PYTHON_PACKAGE, "tests", "soak.py")))
        const report = yield* soak({ clients: 200, commitments: 10_000, kills: 2, stalled: 40, programs })
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
