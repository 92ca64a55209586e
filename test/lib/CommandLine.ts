import { ConfigProvider, Console, Effect } from "effect"
import { format } from "node:util"
import manifest from "../../package.json" with { type: "json" }
import { emporion } from "../../src/cli/Commands.ts"
import { commandLine, endOf } from "../../src/cli/RunCommand.ts"
import type { CommandEnd } from "./CliProcess.ts"

/** Keeps what is printed. */
class Printed {
  stdout = ""
  stderr = ""
  readonly #out = (...words: ReadonlyArray<unknown>): void => void (this.stdout += `${format(...words)}\n`)
  readonly #error = (...words: ReadonlyArray<unknown>): void => void (this.stderr += `${format(...words)}\n`)

  /** A console that prints here. */
  get console(): Console.Console {
    return Object.assign(Object.create(globalThis.console) as Console.Console, {
      log: this.#out,
      info: this.#out,
      error: this.#error,
      warn: this.#error
    })
  }
}

/**
 * Runs a command to its end as its program does, in this process, without the time that another one takes to start. Its
 * settings are these variables alone. Not for `serve` and `backup`: they change the process that they run in.
 */
export const commandHere = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Effect.Effect<CommandEnd> =>
  Effect.gen(function* () {
    const printed = new Printed()
    const exit = yield* commandLine(emporion, manifest.version, args).pipe(
      Effect.provideService(Console.Console, printed.console),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(env)),
      Effect.exit
    )
    const { code, untold } = endOf(exit)
    return { code, stdout: printed.stdout, stderr: printed.stderr + untold }
  })
