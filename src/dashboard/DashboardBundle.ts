import { Context, Effect, Layer } from "effect"
import { join } from "node:path"
import { type BundledFile, PageBundler, type PageSource } from "../runtime/PageBundler.ts"

/** Where the assets are, below the server's root. */
export const ASSETS = "/dashboard/assets/"

/** A file of the dashboard. Its name holds a hash of its contents, so that it never changes. */
export interface Asset {
  readonly contentType: string
  readonly plain: Uint8Array
  /** The same, compressed by Brotli. */
  readonly packed: Uint8Array
}

/** The dashboard as it is served. */
export interface Bundle {
  /** By name, such as `Main-1a2b3c.js`. */
  readonly assets: ReadonlyMap<string, Asset>
  /** Names of what the page loads at once: the entry, what it imports, its styles. The rest is loaded by page. */
  readonly entry: string
  readonly imported: ReadonlyArray<string>
  readonly styles: ReadonlyArray<string>
}

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8"
}

const APP = join(import.meta.dirname, "app")

/** What the dashboard is made of. */
export const DASHBOARD: PageSource = {
  name: "dashboard",
  entries: [join(APP, "Main.tsx"), join(APP, "styles", "Dashboard.css")],
  publicPath: ASSETS
}

const assetOf = (name: string, { packed, text }: BundledFile): Asset => ({
  contentType: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
  plain: new TextEncoder().encode(text),
  packed
})

const IMPORT = /(?:from|import)\s*"\/dashboard\/assets\/([^"]+\.js)"/g

/** The modules that one imports at once, and those that they import. A lazily loaded one is a call and not found. */
const importedBy = (name: string, files: ReadonlyMap<string, BundledFile>, found: Set<string>): ReadonlySet<string> => {
  for (const [, other = ""] of (files.get(name)?.text ?? "").matchAll(IMPORT)) {
    if (found.has(other)) continue
    found.add(other)
    importedBy(other, files, found)
  }
  return found
}

const bundle = Effect.gen(function* () {
  const { entry, files } = yield* (yield* PageBundler).bundle(DASHBOARD)
  return {
    assets: new Map(Array.from(files, ([name, file]) => [name, assetOf(name, file)])),
    entry,
    imported: [...importedBy(entry, files, new Set())],
    styles: [...files.keys()].filter((name) => name.endsWith(".css"))
  } satisfies Bundle
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
