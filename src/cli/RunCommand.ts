/** A command line, from its arguments to the exit code of its end. */

import { Cause, Console, Effect, Exit, Layer, Logger, References, Runtime } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import { readingProblem } from "../database/ReadOnlyDatabase.ts"
import * as CliEnvironment from "./CliEnvironment.ts"
import { CommandMisused } from "./CommandFailed.ts"
import { helpText, invalidText } from "./Usage.ts"

/** A command line that no command understands. */
const MISUSED = 2

/** 128 and SIGINT's number. */
const INTERRUPTED = 130

const presenter: CliOutput.Presenter = {
  present: (event) => {
    switch (event._tag) {
      case "Help": {
        const text = helpText(event.helpDoc, CliEnvironment.columns)
        return event.reason === "Requested" ? Console.log(text) : Console.error(text)
      }
      case "InvalidInvocation":
        return Console.error(invalidText(event.commandPath, event.errors))
      case "Version":
        return Console.log(`${event.name} ${event.version}`)
    }
  }
}

/** Only a command's own words go to standard output. */
const quietly = (name: string) =>
  Layer.mergeAll(
    CliEnvironment.layer,
    Logger.layer([Logger.withConsoleError(Logger.formatSimple)]),
    Layer.succeed(References.MinimumLogLevel, "Warn"),
    CliOutput.layerPresenter(presenter),
    CliOutput.layer({
      ...CliOutput.defaultFormatter({ colors: false }),
      formatError: ({ message }) => `${name}: ${message}`
    }),
    CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })
  )

/** The command line of these arguments. */
export const commandLine = <Name extends string, Input, ContextInput, E>(
  command: Command.Command<Name, Input, ContextInput, E, Command.Environment>,
  version: string,
  args: ReadonlyArray<string>
) => Effect.provide(Command.runWith(command, { version })(args), quietly(command.name))

const run = Runtime.makeRunMain(({ fiber, teardown }) => {
  const stop = (): void => fiber.interruptUnsafe()
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
  fiber.addObserver((exit) => teardown(exit, (code) => process.exit(code)))
})

const isMisuse = (error: unknown): boolean =>
  error instanceof CommandMisused || (CliError.isCliError(error) && error._tag === "ShowHelp")

/** Whether the command's runner said already what is wrong. */
const isTold = (error: unknown): boolean =>
  CliError.isCliError(error) || (error instanceof Error && CliError.getUserMessage(error) !== undefined)

/**
 * The exit code of a command line that ended: 0 where it did what it was asked, 2 where it was not understood, 130 where it
 * was stopped, unless it set another, else 1. With what is wrong where nobody has told it yet.
 */
export const endOf = (exit: Exit.Exit<unknown, unknown>): { readonly code: number; readonly untold: string } => {
  if (Exit.isSuccess(exit)) return { code: 0, untold: "" }
  if (Cause.hasInterruptsOnly(exit.cause)) return { code: Number(process.exitCode ?? INTERRUPTED), untold: "" }
  const error = Cause.squash(exit.cause)
  const problem = readingProblem(error)
  if (problem !== undefined) return { code: 1, untold: `emporion: ${problem}\n` }
  return {
    code: isMisuse(error) ? MISUSED : 1,
    untold: isTold(error) ? "" : `${Cause.pretty(exit.cause)}\n`
  }
}

/** Runs this process's command line to its end, and ends the process with it. */
export const runCommand = <Name extends string, Input, ContextInput, E>(
  command: Command.Command<Name, Input, ContextInput, E, Command.Environment>,
  version: string
): void =>
  run(commandLine(command, version, process.argv.slice(2)), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      const { code, untold } = endOf(exit)
      if (untold !== "") process.stderr.write(untold)
      onExit(code)
    }
  })
