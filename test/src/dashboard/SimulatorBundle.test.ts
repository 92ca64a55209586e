import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SimulatorBundle } from "../../../src/dashboard/SimulatorBundle.ts"
import { renderSimulator } from "../../../src/dashboard/SimulatorPage.ts"
import * as BunPageBundler from "../../../src/runtime/bun/BunPageBundler.ts"
import { withLayer } from "../../lib/Effects.ts"

const it = withLayer(Layer.provide(SimulatorBundle.layer, BunPageBundler.layer))

/** Bytes on the wire before the page is seen. */
const FIRST_LOAD = 200 * 1024

it("SimulatorBundle has a page and a worker whose files find each other in any folder", () =>
  Effect.gen(function* () {
    const bundle = yield* (yield* SimulatorBundle).bundle
    const { assets, entry, imported, styles, workers } = bundle
    expect([styles.length, workers.length]).toEqual([1, 1])
    const bytes = [entry, ...imported, ...styles].map((name) => assets.get(name)?.packed.length ?? Infinity)
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(FIRST_LOAD)
    for (const [name, { plain }] of assets) {
      const paths = [...new TextDecoder().decode(plain).matchAll(/(?:from|import)\s*\(?"([^"]+-[a-z0-9]{8}\.js)"/g)]
      for (const [, path = ""] of paths)
        expect([name, path, assets.has(path.replace("./", ""))]).toEqual([name, path, true])
      expect(/(?<!\.)\b(?:from|import)\s*\(?"(?!\.\/)/.test(new TextDecoder().decode(plain))).toBe(false)
    }
    const page = renderSimulator(bundle, "./", true)
    for (const name of [entry, ...imported, ...styles, ...workers]) expect(page).toContain(`"./${name}"`)
    expect(page).not.toMatch(/<script(?! type="module" src="\.\/)|<style| style=| on\w+=/)
  }))
