import { Effect, Layer } from "effect"
import { type BundledPages, PageBundler, type PageSource } from "../PageBundler.ts"

const NAMING = "[name]-[hash].[ext]"

const nameOf = (path: string): string => path.replace(/^.*\//, "")

const build = ({ entries, publicPath }: PageSource) =>
  Bun.build({
    entrypoints: [...entries],
    target: "browser",
    splitting: true,
    minify: true,
    publicPath,
    jsx: { development: false },
    define: { "process.env.NODE_ENV": '"production"' },
    naming: { entry: NAMING, chunk: NAMING, asset: NAMING }
  })

/** Bundles in memory, for production. */
const bundle = Effect.fnUntraced(function* (source: PageSource): Effect.fn.Return<BundledPages> {
  const { outputs } = yield* Effect.promise(() => build(source))
  const files = new Map<string, string>()
  for (const output of outputs) {
    files.set(nameOf(output.path), yield* Effect.promise(() => output.text()))
  }
  const entry = outputs.find(({ kind, path }) => kind === "entry-point" && path.endsWith(".js"))
  return { entry: nameOf(entry?.path ?? ""), files }
})

/** Scripts and styles made by Bun's own bundler. */
export const layer: Layer.Layer<PageBundler> = Layer.succeed(PageBundler, PageBundler.of({ bundle }))
