import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Settings } from "../Config.ts"
import type { ExtraRoute } from "../http/EndpointTable.ts"
import { RequestState } from "../RequestState.ts"
import { ASSETS, DashboardBundle } from "./DashboardBundle.ts"
import { render } from "./DashboardPage.ts"
import { assetResponse, pageResponse } from "./PageResponse.ts"

/** The router takes `/dashboard` itself as well. */
const PAGES = "/dashboard/*"
const ASSET = "/dashboard/assets/*"

/** Paths of the dashboard, for the table of what is served. */
export const routes: ReadonlyArray<ExtraRoute> = (["/dashboard", PAGES, ASSET] as const).map((path) => ({
  method: "GET",
  path
}))

const serving = (path: typeof PAGES | typeof ASSET, dashboard: DashboardBundle["Service"], ways: Ways) =>
  HttpRouter.add(
    "GET",
    path,
    Effect.withFiber<HttpServerResponse.HttpServerResponse>((fiber) => {
      const state = Context.getUnsafe(fiber.context, RequestState)
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      state.route = path
      return Effect.map(dashboard.bundle, (bundle) => {
        return state.path.startsWith(ASSETS)
          ? assetResponse(state, request, bundle.assets.get(state.path.slice(ASSETS.length)))
          : pageResponse(render(bundle, ways))
      })
    })
  )

type Ways = ReadonlyArray<string>

/** `/dashboard` and everything below it: one page for every address, and the files that it loads. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | DashboardBundle | Settings> = Layer.unwrap(
  Effect.gen(function* () {
    const { mode, signIn } = yield* Settings
    const dashboard = yield* DashboardBundle
    const ways = [
      ...(signIn.provider !== undefined || mode === "sandbox" ? ["google"] : []),
      ...(signIn.shops === undefined ? [] : [`shop:${signIn.shops.domain}`])
    ]
    return Layer.mergeAll(serving(PAGES, dashboard, ways), serving(ASSET, dashboard, ways))
  })
)
