import { Effect, Layer } from "effect"
import { CompileAsUsual } from "../Compilation.ts"
import { collectWhenIdle } from "../IdleCollection.ts"
import type { PageBundler } from "../PageBundler.ts"
import type { ServerRuntime } from "../ServerRuntime.ts"
import * as BunBundledFiles from "./BunBundledFiles.ts"
import { compileAsUsual } from "./BunCompilation.ts"
import * as BunPageBundler from "./BunPageBundler.ts"
import * as BunServerRuntime from "./BunServerRuntime.ts"

const MICROS_PER_MILLI = 1_000

const atRest: Layer.Layer<never> = Layer.effectDiscard(
  collectWhenIdle({
    processorMillis: () => {
      const { system, user } = process.cpuUsage()
      return (user + system) / MICROS_PER_MILLI
    },
    residentBytes: () => process.memoryUsage.rss(),
    collect: () => Bun.gc(false)
  })
)

/** All that the platform asks of Bun. */
export const layer: Layer.Layer<PageBundler | ServerRuntime> = Layer.mergeAll(
  atRest,
  BunBundledFiles.layer,
  Layer.succeed(CompileAsUsual, Effect.sync(compileAsUsual)),
  BunPageBundler.layer,
  BunServerRuntime.layer
)
