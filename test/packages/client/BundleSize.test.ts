import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { bundled, ENTRIES } from "../../lib/ClientPackage.ts"
import { itLive } from "../../lib/Effects.ts"
import { textOf } from "../../tidy/Source.ts"

/** Bytes that each part may take of a page, compressed. */
const MOST: Readonly<Record<string, number>> = {
  "emporion-client": 20_000,
  "emporion-client/stream": 40_000,
  "emporion-client/fast-lane": 60_000,
  "emporion-client/webhooks": 10_000
}

/** Everything of a part, as a page would load it. */
const everything = (entry: string): string => `import * as all from "${entry}"\nglobalThis.all = all`

/** Bytes that the package's page says of a part. */
const toldOf = (entry: string): number =>
  Number(
    new RegExp(`^\\| \`${entry}\` \\|.*\\| (\\d+) kB \\|$`, "m").exec(textOf("packages/client/README.md") ?? "")?.[1]
  ) * 1_000

describe("The package in a browser's bundle", () => {
  for (const entry of ENTRIES) {
    itLive(`takes no more of it for ${entry} than its page says and it may, and imports nothing`, () =>
      Effect.gen(function* () {
        const text = yield* bundled(everything(entry), { minify: true })
        const bytes = Bun.gzipSync(text).length
        expect(bytes).toBeGreaterThan(100)
        expect(bytes).toBeLessThanOrEqual(toldOf(entry))
        expect(bytes).toBeLessThanOrEqual(MOST[entry] ?? 0)
        expect(text).not.toMatch(/\bfrom ?"|\brequire\(/)
      })
    )
  }
})
