import { Cause, Exit, Runtime } from "effect"
import { explained, serving } from "./Serving.ts"

const runMain = Runtime.makeRunMain(({ fiber, teardown }) => {
  const stop = (): void => fiber.interruptUnsafe()
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
  fiber.addObserver((exit) => teardown(exit, (code) => process.exit(code)))
})

runMain(serving, {
  disableErrorReporting: true,
  teardown: (exit, onExit) => {
    if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
    process.stderr.write(`emporion: ${explained(exit.cause)}\n`)
    onExit(1)
  }
})
