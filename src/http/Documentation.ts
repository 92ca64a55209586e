import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { BundledFiles } from "../runtime/BundledFiles.ts"
import * as CompressedText from "./CompressedText.ts"
import * as DocsPage from "./DocsPage.ts"
import { share } from "./DocumentComponents.ts"
import type { ExtraRoute } from "./EndpointTable.ts"
import * as OpenApiDocument from "./OpenApiDocument.ts"
import { RequestState } from "../RequestState.ts"

const PATHS = { document: "/openapi.json", page: "/docs", style: "/docs/style.css" } as const

export const routes: ReadonlyArray<ExtraRoute> = Object.values(PATHS).map((path) => ({ method: "GET", path }))

const PAGE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const HEADERS = { "cache-control": "public, max-age=60", "content-security-policy": PAGE_POLICY }

/** The texts that take time to make, and what each is called where a bundle keeps it. */
const FILES = { document: "openapi.json", page: "docs.html" } as const

const SUFFIXES = { identity: "", br: ".br", gzip: ".gz" } as const

type Kept = Effect.Effect<CompressedText.CompressedText>

/** The documents of a contract. */
interface Texts {
  readonly document: CompressedText.CompressedText
  readonly page: CompressedText.CompressedText
}

/** Makes both, so that what they are made of need not stay. */
const make = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Effect.Effect<Texts> =>
  Effect.suspend(() => {
    const document = OpenApiDocument.make(api)
    return Effect.all({
      document: CompressedText.make(JSON.stringify(share(document))),
      page: CompressedText.make(DocsPage.render(document))
    })
  })

const MADE = new WeakMap<object, Effect.Effect<Texts>>()

/** One for all servers of a contract in this process. */
const madeOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Effect.Effect<Texts> => {
  const known = MADE.get(api)
  if (known !== undefined) return known
  const made = Effect.runSync(Effect.cached(make(api)))
  MADE.set(api, made)
  return made
}

const bundled = (name: string, read: (name: string) => Uint8Array<ArrayBuffer> | undefined) => {
  const [identity, br, gzip] = [read(name), read(name + SUFFIXES.br), read(name + SUFFIXES.gzip)]
  return identity === undefined || br === undefined || gzip === undefined ? undefined : { identity, br, gzip }
}

const style: Kept = Effect.runSync(Effect.cached(Effect.suspend(() => CompressedText.make(DocsPage.STYLE))))

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

/** `/openapi.json`, and `/docs` for people, from the program's bundle or made once: no start waits for them. */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  Layer.unwrap(
    Effect.map(BundledFiles, (read) => {
      const kept = (name: keyof Texts): Kept =>
        Effect.suspend(() => {
          const found = bundled(FILES[name], read)
          return found === undefined ? Effect.map(madeOf(api), (made) => made[name]) : Effect.succeed(found)
        })
      return Layer.mergeAll(
        fixed(PATHS.document, Effect.runSync(Effect.cached(kept("document"))), "application/json"),
        fixed(PATHS.page, Effect.runSync(Effect.cached(kept("page"))), "text/html; charset=utf-8"),
        fixed(PATHS.style, style, "text/css; charset=utf-8")
      )
    })
  )

/** The files that a bundle keeps of a contract. A program reads those of its own contract alone. */
export const files = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Effect.Effect<ReadonlyMap<string, Uint8Array>> =>
  Effect.map(make(api), (texts) => {
    const encodings = Object.entries(SUFFIXES) as ReadonlyArray<[keyof typeof SUFFIXES, string]>
    const named = (["document", "page"] as const).flatMap((name) =>
      encodings.map(([encoding, suffix]) => [FILES[name] + suffix, texts[name][encoding]] as const)
    )
    return new Map(named)
  })

/** The time after which a server has answered those who waited for its start. */
const AHEAD_DELAY = "1 second"

/**
 * Makes the document before anybody asks, unless the bundle has it. It takes a quarter of a second, in which nobody
 * else gets an answer, and tens of megabytes, which a start has at hand.
 */
export const ahead = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Layer.Layer<never> =>
  Layer.effectDiscard(
    Effect.flatMap(BundledFiles, (read) =>
      read(FILES.document + SUFFIXES.br) === undefined
        ? madeOf(api).pipe(Effect.delay(AHEAD_DELAY), Effect.forkScoped)
        : Effect.void
    )
  )
