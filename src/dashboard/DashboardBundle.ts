import { Context, Effect, Layer } from "effect"
import { join } from "node:path"
import { PageBundler, type PageSource } from "../runtime/PageBundler.ts"
import { type Bundle, bundleOf } from "./PageAssets.ts"

/** Where the assets are, below the server's root. */
export const ASSETS = "/dashboard/assets/"

const APP = join(import.meta.dirname, "app")

/** What the dashboard is made of. */
export const DASHBOARD: PageSource = {
  name: "dashboard",
  entries: [join(APP, "Main.tsx"), join(APP, "styles", "Dashboard.css")],
  publicPath: ASSETS
}

const bundle = Effect.gen(function* () {
  return bundleOf(yield* (yield* PageBundler).bundle(DASHBOARD), ASSETS)
}).pipe(Effect.withSpan("DashboardBundle.build"))

/** The dashboard's pages, in memory when they are first asked for: bundled then, unless that was done before. */
export class DashboardBundle extends Context.Service<
  DashboardBundle,
  {
    readonly bundle: Effect.Effect<Bundle>
    /** Whether they were bundled before the start. */
    readonly isAhead: boolean
  }
>()("emporion/dashboard/DashboardBundle") {
  static readonly layer: Layer.Layer<DashboardBundle, never, PageBundler> = Layer.effect(
    this,
    Effect.gen(function* () {
      const bundler = yield* PageBundler
      return {
        bundle: yield* Effect.cached(Effect.provideService(bundle, PageBundler, bundler)),
        isAhead: bundler.isAhead(DASHBOARD)
      }
    })
  )

  /** Bundles while nobody has asked, so that the first person does not wait for it. */
  static readonly ahead: Layer.Layer<never, never, DashboardBundle> = Layer.effectDiscard(
    Effect.flatMap(this, ({ bundle, isAhead }) => (isAhead ? Effect.void : Effect.forkScoped(bundle)))
  )
}
