import { Cause, Effect, Exit, Layer, Logger, Predicate, References, Runtime } from "effect"
import * as App from "./App.ts"
import { Settings } from "./Config.ts"
import { ProcessLock } from "./database/ProcessLock.ts"
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

const program = Effect.gen(function* () {
  yield* Banner.print
  const { lost } = yield* ProcessLock
  return yield* lost
}).pipe(
  Effect.provide(
    App.layer.pipe(Layer.provideMerge(Layer.mergeAll(logging, Tracing.layer)), Layer.provideMerge(Settings.layer))
  )
)

/** A failure that its own sentence explains is printed as that sentence. */
const explained = (cause: Cause.Cause<unknown>): string => {
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

runMain(program, {
  disableErrorReporting: true,
  teardown: (exit, onExit) => {
    if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
    process.stderr.write(`emporion: ${explained(exit.cause)}\n`)
    onExit(1)
  }
})
