import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runEmporion } from "../../lib/CliProcess.ts"
import { itLive } from "../../lib/Effects.ts"
import { writeArchive } from "../../lib/MarketArchive.ts"
import { recordedMarket } from "../../lib/RecordedMarket.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const PAGE = join(import.meta.dir, "../../../docs/concepts/market-replay.md")

describe("emporion replay-market with the page's program in Python", () => {
  itLive(
    "plays it; where it fails to start, install python3",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        writeArchive(folder, recordedMarket({ seed: 6, orders: 40, traders: 6, faults: false }))
        const program = join(folder, "my.py")
        writeFileSync(program, /```python\n([\s\S]*?)```/.exec(readFileSync(PAGE, "utf8"))?.[1] ?? "")
        const { code, stderr, stdout } = yield* runEmporion(
          ["replay-market", "--history", folder, "--json", "--", "python3", program],
          {}
        )
        expect([code, stderr]).toEqual([0, ""])
        expect(JSON.parse(stdout)).toMatchObject({ auctions: 40, bids: 40, entered: 40 })
      }),
    120_000
  )
})
