import { Context, Effect, Layer } from "effect"
import { PageBundler } from "../runtime/PageBundler.ts"
import { type Bundle, bundleOf } from "./PageAssets.ts"
import { NEXT_TO_EACH_OTHER, SIMULATOR } from "./SimulatorPage.ts"

/** The files of the simulation in the browser, in memory when they are first asked for: bundled then, unless that was done before. */
export class SimulatorBundle extends Context.Service<
  SimulatorBundle,
  {
    readonly bundle: Effect.Effect<Bundle>
  }
>()("emporion/dashboard/SimulatorBundle") {
  static readonly layer: Layer.Layer<SimulatorBundle, never, PageBundler> = Layer.effect(
    this,
    Effect.gen(function* () {
      const { bundle } = yield* PageBundler
      const bundled = Effect.map(bundle(SIMULATOR), (pages) => bundleOf(pages, NEXT_TO_EACH_OTHER))
      return { bundle: yield* Effect.cached(Effect.withSpan(bundled, "SimulatorBundle.build")) }
    })
  )
}
