import { Layer } from "effect"
import type { PageBundler } from "../PageBundler.ts"
import type { ServerRuntime } from "../ServerRuntime.ts"
import * as BunBundledFiles from "./BunBundledFiles.ts"
import * as BunPageBundler from "./BunPageBundler.ts"
import * as BunServerRuntime from "./BunServerRuntime.ts"

/** All that the platform asks of Bun. */
export const layer: Layer.Layer<PageBundler | ServerRuntime> = Layer.mergeAll(
  BunBundledFiles.layer,
  BunPageBundler.layer,
  BunServerRuntime.layer
)
