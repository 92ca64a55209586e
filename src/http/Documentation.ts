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

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

type Kept = Effect.Effect<CompressedText.CompressedText>

/** What is served of a contract. Each is made when it is first asked for, and then kept. */
interface Texts {
  readonly document: Kept
  readonly page: Kept
  readonly style: Kept
}

const kept = (text: () => string): Kept =>
  Effect.runSync(Effect.cached(Effect.suspend(() => CompressedText.make(text()))))

const TEXTS = new WeakMap<object, Texts>()

/** One for all servers of a contract in this process. */
const textsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Texts => {
  const known = TEXTS.get(api)
  if (known !== undefined) return known
  const document = once(() => OpenApiDocument.make(api))
  const texts = {
    document: kept(() => JSON.stringify(share(document()))),
    page: kept(() => DocsPage.render(document())),
    style: kept(() => DocsPage.STYLE)
  }
  TEXTS.set(api, texts)
  return texts
}

const fixed = (path: (typeof PATHS)[keyof typeof PATHS], text: Kept, contentType: string) =>
  HttpRouter.add(
    "GET",
    path,
    Effect.withFiber<HttpServerResponse.HttpServerResponse>((fiber) => {
      Context.getUnsafe(fiber.context, RequestState).route = path
      const { headers } = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      return Effect.map(text, (made) => CompressedText.answer(made, headers["accept-encoding"], contentType, HEADERS))
    })
  )

/** `/openapi.json`, and `/docs` for people. Both are made and compressed once: no start waits for them. */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
  const { document, page, style } = textsOf(api)
  return Layer.mergeAll(
    fixed(PATHS.document, document, "application/json"),
    fixed(PATHS.page, page, "text/html; charset=utf-8"),
    fixed(PATHS.style, style, "text/css; charset=utf-8")
  )
}

/** When a server has answered those who waited for its start. */
const AHEAD_DELAY = "1 second"

/**
 * Makes the document while nobody has asked: it takes a quarter of a second, in which nobody else is answered, and tens
 * of megabytes, which a start has at hand.
 */
export const ahead = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Layer.Layer<never> => Layer.effectDiscard(textsOf(api).document.pipe(Effect.delay(AHEAD_DELAY), Effect.forkScoped))
