import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { ExtraRoute } from "../http/EndpointTable.ts"
import { RequestState } from "../RequestState.ts"
import type { Bundle } from "./PageAssets.ts"
import { assetResponse, pageResponse } from "./PageResponse.ts"
import { SimulatorBundle } from "./SimulatorBundle.ts"
import { renderSimulator } from "./SimulatorPage.ts"

const PAGE = "/simulation"
const FILES = "/simulation/assets/*"
const ASSETS = "/simulation/assets/"

/** Paths of the simulation, for the table of what is served. */
export const routes: ReadonlyArray<ExtraRoute> = ([PAGE, FILES] as const).map((path) => ({ method: "GET", path }))

const serving = (path: typeof PAGE | typeof FILES, pages: Effect.Effect<Bundle>) =>
  HttpRouter.add(
    "GET",
    path,
    Effect.withFiber<HttpServerResponse.HttpServerResponse>((fiber) => {
      const state = Context.getUnsafe(fiber.context, RequestState)
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      state.route = path
      return Effect.map(pages, (bundle) =>
        path === PAGE
          ? pageResponse(renderSimulator(bundle, ASSETS, false))
          : assetResponse(state, request, bundle.assets.get(state.path.slice(ASSETS.length)))
      )
    })
  )

/** `/simulation`: the arena in a seeded world, which runs in the browser alone. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | SimulatorBundle> = Layer.unwrap(
  Effect.map(SimulatorBundle, ({ bundle }) => Layer.mergeAll(serving(PAGE, bundle), serving(FILES, bundle)))
)
