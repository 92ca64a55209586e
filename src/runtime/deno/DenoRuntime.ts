import { Layer } from "effect"
import type { PageBundler } from "../PageBundler.ts"
import type { ServerRuntime } from "../ServerRuntime.ts"
import * as DenoPageBundler from "./DenoPageBundler.ts"
import * as DenoServerRuntime from "./DenoServerRuntime.ts"

/** All that the platform asks of Deno. */
export const layer: Layer.Layer<PageBundler | ServerRuntime> = Layer.mergeAll(
  DenoPageBundler.layer,
  DenoServerRuntime.layer
)
