import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Settings } from "../Config.ts"
import type { ExtraRoute } from "../http/EndpointTable.ts"
import * as ErrorResponse from "../http/ErrorResponse.ts"
import { toRouted } from "../http/PlainResponse.ts"
import { RequestState } from "../RequestState.ts"
import { ASSETS, DashboardBundle } from "./DashboardBundle.ts"
import type { Asset } from "./DashboardBundle.ts"
import { PAGE_POLICY, render } from "./DashboardPage.ts"

/** The router takes `/dashboard` itself as well. */
const PAGES = "/dashboard/*"
const ASSET = "/dashboard/assets/*"

/** Paths of the dashboard, for the table of what is served. */
export const routes: ReadonlyArray<ExtraRoute> = (["/dashboard", PAGES, ASSET] as const).map((path) => ({
  method: "GET",
  path
}))

/** The name of an asset holds a hash of it, so a browser need never ask again. */
const FOREVER = "public, max-age=31536000, immutable"

const takesBrotli = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  /\bbr\b/.test(headers["accept-encoding"] ?? "")

const answer = ({ contentType, packed, plain }: Asset, brotli: boolean) =>
  HttpServerResponse.uint8Array(brotli ? packed : plain, {
    contentType,
    headers: { "cache-control": FOREVER, vary: "Accept-Encoding", ...(brotli ? { "content-encoding": "br" } : {}) }
  })

const page = (html: string) =>
  HttpServerResponse.text(html, {
    contentType: "text/html; charset=utf-8",
    headers: { "cache-control": "no-cache", "content-security-policy": PAGE_POLICY }
  })

const serving = (path: typeof PAGES | typeof ASSET, dashboard: DashboardBundle["Service"], ways: Ways) =>
  HttpRouter.add(
    "GET",
    path,
    Effect.withFiber<HttpServerResponse.HttpServerResponse>((fiber) => {
      const state = Context.getUnsafe(fiber.context, RequestState)
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      state.route = path
      return Effect.map(dashboard.bundle, (bundle) => {
        if (!state.path.startsWith(ASSETS)) return page(render(bundle, ways))
        const asset = bundle.assets.get(state.path.slice(ASSETS.length))
        return asset === undefined
          ? toRouted(ErrorResponse.make(state, "not_found", "There is no such file: load the page anew."))
          : answer(asset, takesBrotli(request))
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
