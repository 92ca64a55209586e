import { Effect, Layer } from "effect"
import { PageBundler } from "../PageBundler.ts"
import { pageFolder, readPages } from "../PageFolder.ts"

/** Scripts and styles that were bundled ahead, by `npm run bundle`: Deno has no bundler of its own. */
export const layer: Layer.Layer<PageBundler> = Layer.succeed(
  PageBundler,
  PageBundler.of({ bundle: ({ name }) => Effect.sync(() => readPages(pageFolder(name))) })
)
