import { Effect, Layer } from "effect"
import { promisify } from "node:util"
import { brotliCompress, constants } from "node:zlib"
import { type BundledFile, type BundledPages, PageBundler, type PageSource } from "../PageBundler.ts"
import { hasPages, readPages } from "../PageFolder.ts"
import { readBeside } from "./BesideProgram.ts"

/** Brotli's quality: 11 would make the pages 3 % smaller and take four times as long. */
const QUALITY = 9

const compress = promisify(brotliCompress)

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

const fileOf = (output: Blob) =>
  Effect.promise(async (): Promise<BundledFile> => {
    const text = await output.text()
    const packed = await compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })
    return { text, packed: new Uint8Array(packed) }
  })

/** Bundles in memory, for production. */
const make = Effect.fnUntraced(function* (source: PageSource): Effect.fn.Return<BundledPages> {
  const { outputs } = yield* Effect.promise(() => build(source))
  const files = yield* Effect.forEach(
    outputs,
    (output) => Effect.map(fileOf(output), (file) => [nameOf(output.path), file] as const),
    { concurrency: 4 }
  )
  const programs = outputs.filter(({ kind, path }) => kind === "entry-point" && path.endsWith(".js"))
  const [entry = "", ...workers] = programs.map(({ path }) => nameOf(path))
  return { entry, workers, files: new Map(files) }
})

/** A bundled program has its pages beside it. */
const isAhead = ({ name }: PageSource): boolean => hasPages(name, readBeside)

const bundle = (source: PageSource): Effect.Effect<BundledPages> =>
  Effect.suspend(() => (isAhead(source) ? Effect.sync(() => readPages(source.name, readBeside)) : make(source)))

/** Scripts and styles made by Bun's own bundler, where the program was not bundled with them. */
export const layer: Layer.Layer<PageBundler> = Layer.succeed(PageBundler, PageBundler.of({ bundle, isAhead }))
