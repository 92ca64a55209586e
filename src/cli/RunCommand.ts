import { Cause, Effect, Exit, Layer, Logger, Runtime } from "effect"
import { CliError, Command } from "effect/cli"
import * as CliEnvironment from "./CliEnvironment.ts"

/** Only a command's own words go to standard output. */
const quietly = Layer.mergeAll(CliEnvironment.layer, Logger.layer([Logger.withConsoleError(Logger.formatSimple)]))

const run = Runtime.makeRunMain(({ fiber, teardown }) => {
  const stop = (): void => fiber.interruptUnsafe()
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
  fiber.addObserver((exit) => teardown(exit, (code) => process.exit(code)))
})

/** Whether the command's runner said already what is wrong. */
const isTold = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return CliError.isCliError(error) || (error instanceof Error && CliError.getUserMessage(error) !== undefined)
}

/** Runs a command line to its end: exit code 0 where it did what it was asked, 130 where it was stopped, else 1. */
export const runCommand = <Name extends string, Input, ContextInput, E>(
  command: Command.Command<Name, Input, ContextInput, E, Command.Environment>,
  version: string
): void =>
  run(Command.run(command, { version }).pipe(Effect.provide(quietly)), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      if (Exit.isSuccess(exit)) return onExit(0)
      if (Cause.hasInterruptsOnly(exit.cause)) return onExit(130)
      if (!isTold(exit.cause)) process.stderr.write(`${Cause.pretty(exit.cause)}\n`)
      onExit(1)
    }
  })
