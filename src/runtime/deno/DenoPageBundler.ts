import { Effect, Layer } from "effect"
import { join } from "node:path"
import { PageBundler } from "../PageBundler.ts"
import { readPages } from "../PageFolder.ts"

const BUNDLE = join(import.meta.dirname, "..", "..", "..", "dist", "current")

/** Scripts and styles that were bundled ahead, by `npm run bundle`: Deno has no bundler of its own. */
export const layer: Layer.Layer<PageBundler> = Layer.succeed(
  PageBundler,
  PageBundler.of({
    bundle: ({ name }) => Effect.sync(() => readPages(join(BUNDLE, name))),
    isAhead: () => true
  })
)
