import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { brotliDecompressSync } from "node:zlib"
import { DashboardBundle } from "../../../src/dashboard/DashboardBundle.ts"
import * as BunPageBundler from "../../../src/runtime/bun/BunPageBundler.ts"
import { withLayer } from "../../lib/Effects.ts"

const it = withLayer(Layer.provide(DashboardBundle.layer, BunPageBundler.layer))

const bundled = Effect.flatMap(DashboardBundle, ({ bundle }) => bundle)

/** Bytes on the wire before the first page is seen. */
const FIRST_LOAD = 300 * 1024

describe("DashboardBundle", () => {
  it("is small enough to be loaded at once", () =>
    Effect.gen(function* () {
      const { assets, entry, imported, styles } = yield* bundled
      const first = [entry, ...imported, ...styles]
      expect(styles.length).toBe(1)
      const bytes = first.map((name) => assets.get(name)?.packed.length ?? Infinity)
      expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(FIRST_LOAD)
    }))

  it("names every file by its contents and compresses it", () =>
    Effect.gen(function* () {
      const { assets } = yield* bundled
      for (const [name, { packed, plain }] of assets) {
        expect(name).toMatch(/^[A-Za-z]+-[a-z0-9]{8}\.(js|css)$/)
        expect(brotliDecompressSync(packed).equals(plain)).toBe(true)
      }
    }))

  it("carries React as it is for production", () =>
    Effect.gen(function* () {
      const { assets } = yield* bundled
      const all = [...assets.values()].map(({ plain }) => new TextDecoder().decode(plain)).join("")
      expect(all).not.toContain("jsxDEV(")
      expect(all).not.toContain("Warning: Each child")
    }))
})
