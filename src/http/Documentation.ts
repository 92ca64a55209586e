import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import * as CompressedText from "./CompressedText.ts"
import * as DocsPage from "./DocsPage.ts"
import { share } from "./DocumentComponents.ts"
import type { ExtraRoute } from "./EndpointTable.ts"
import * as OpenApiDocument from "./OpenApiDocument.ts"
import { RequestState } from "./RequestState.ts"

const PATHS = { document: "/openapi.json", page: "/docs", style: "/docs/style.css" } as const

export const routes: ReadonlyArray<ExtraRoute> = Object.values(PATHS).map((path) => ({ method: "GET", path }))

const PAGE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const HEADERS = { "cache-control": "public, max-age=60", "content-security-policy": PAGE_POLICY }

const fixed = (path: (typeof PATHS)[keyof typeof PATHS], text: () => string, contentType: string) =>
  Layer.unwrap(
    Effect.map(Effect.cached(Effect.suspend(() => CompressedText.make(text()))), (kept) =>
      HttpRouter.add(
        "GET",
        path,
        Effect.withFiber<HttpServerResponse.HttpServerResponse>((fiber) => {
          Context.getUnsafe(fiber.context, RequestState).route = path
          const { headers } = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
          return Effect.map(kept, (made) =>
            CompressedText.answer(made, headers["accept-encoding"], contentType, HEADERS)
          )
        })
      )
    )
  )

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

/**
 * `/openapi.json`, and `/docs` for people. Both are made and compressed once, when somebody first asks: no start waits
 * for them.
 */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
  const document = once(() => OpenApiDocument.make(api))
  return Layer.mergeAll(
    fixed(PATHS.document, () => JSON.stringify(share(document())), "application/json"),
    fixed(PATHS.page, () => DocsPage.render(document()), "text/html; charset=utf-8"),
    fixed(PATHS.style, () => DocsPage.STYLE, "text/css; charset=utf-8")
  )
}
