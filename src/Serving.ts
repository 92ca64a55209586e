import { Cause, Effect, Exit, Layer, Logger, Predicate, References, Runtime } from "effect"
import * as App from "./App.ts"
import { Settings } from "./Config.ts"
import { ProcessLock } from "./database/ProcessLock.ts"
import { WriterTerm } from "./database/WriterTerm.ts"
import { CompileAsUsual } from "./runtime/Compilation.ts"
import type { PageBundler } from "./runtime/PageBundler.ts"
import type { ServerRuntime } from "./runtime/ServerRuntime.ts"
import * as Banner from "./sandbox/Banner.ts"
import * as Tracing from "./Tracing.ts"

/** Where a person watches, logs are made to be read; elsewhere they are JSON on standard error, one object a line. */
const logger =
  process.stdout.isTTY && process.stderr.isTTY ? Logger.consolePretty() : Logger.withConsoleError(Logger.formatJson)

const logging = Layer.unwrap(
  Effect.map(Settings, ({ observability }) =>
    Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, observability.logLevel))
  )
)

const endProcess = (message: string): never => {
  process.stderr.write(`emporion: ${message}\n`)
  process.exit(1)
}

/** How long those who wait have to be told that they are refused, before a process that may not write ends. */
const REFUSING = "100 millis"

/**
 * Ends the process of a server in whose place another one writes. It does not shut down: whatever a service still wants
 * to write at its end, it may not. Nothing stops it: whoever interrupts it meanwhile would wait for that end.
 */
export const exit = (
  { message }: { readonly message: string },
  end: (message: string) => never = endProcess
): Effect.Effect<never> =>
  Effect.uninterruptible(
    Effect.andThen(
      Effect.sleep(REFUSING),
      Effect.sync(() => end(message))
    )
  )

/** The only process on its database. */
const alone = Effect.gen(function* () {
  yield* yield* CompileAsUsual
  yield* Banner.print
  const { lost } = yield* ProcessLock
  const { deposed } = yield* WriterTerm
  return yield* Effect.raceFirst(lost, deposed).pipe(Effect.catch((why) => exit(why)))
}).pipe(Effect.provide(App.layer))

/** One of several, whose program is loaded for it alone. */
const clustered = Effect.flatMap(
  Effect.promise(() => import("./cluster/NodeServing.ts")),
  ({ serving }) => serving((why) => exit(why))
)

/** The platform with the settings of the environment, until it is interrupted or fails. */
export const serving = Effect.flatMap(Settings, ({ cluster }) =>
  Effect.suspend((): typeof alone | typeof clustered => (cluster === undefined ? alone : clustered))
).pipe(Effect.provide(Layer.mergeAll(logging, Tracing.layer).pipe(Layer.provideMerge(Settings.layer))))

/** Why it ended: a failure that its own sentence explains is that sentence. */
export const explained = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const isTyped = Cause.hasFails(cause) && Predicate.hasProperty(error, "message") && error.message !== ""
  return isTyped ? String(error.message) : Cause.pretty(cause)
}

const runMain = Runtime.makeRunMain(({ fiber, teardown }) => {
  const stop = (): void => fiber.interruptUnsafe()
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
  fiber.addObserver((exit) => teardown(exit, (code) => process.exit(code)))
})

/** Serves on a runtime until the process is told to stop, and ends the process. */
export const run = (runtime: Layer.Layer<PageBundler | ServerRuntime>): void =>
  runMain(Effect.provide(serving, runtime), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
      process.stderr.write(`emporion: ${explained(exit.cause)}\n`)
      onExit(1)
    }
  })
