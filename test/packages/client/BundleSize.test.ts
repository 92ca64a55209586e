import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { bundled, ENTRIES } from "../../lib/ClientPackage.ts"
import { itLive } from "../../lib/Effects.ts"

/** Bytes that each part may take of a page, compressed. */
const MOST: Readonly<Record<string, number>> = {
  "emporion-client/stream": 40_000
}

/** Everything of a part, as a page would load it. */
const everything = (entry: string): string => `import * as all from "${entry}"\nglobalThis.all = all`

describe("The package in a browser's bundle", () => {
  for (const entry of ENTRIES) {
    itLive(`takes no more of it for ${entry} than it may, and imports nothing`, () =>
      Effect.gen(function* () {
        const text = yield* bundled(everything(entry), { minify: true })
        const bytes = Bun.gzipSync(text).length
        expect(bytes).toBeGreaterThan(100)
        expect(bytes).toBeLessThanOrEqual(MOST[entry] ?? 0)
        expect(text).not.toMatch(/\bfrom ?"|\brequire\(/)
      })
    )
  }
})
