import { Cause, Effect } from "effect"
import { Command } from "effect/cli"
import { compileReluctantly } from "../runtime/bun/BunCompilation.ts"
import * as BunRuntime from "../runtime/bun/BunRuntime.ts"
import { CommandFailed } from "./CommandFailed.ts"

/** The whole platform is loaded only where it is to run. */
const program = Effect.promise(() => import("../Serving.ts")).pipe(
  Effect.flatMap(({ explained, serving }) =>
    Effect.catchCause(Effect.provide(serving, BunRuntime.layer), (cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.interrupt : new CommandFailed({ message: explained(cause) })
    )
  )
)

/** Runs the platform until it is stopped, which is how it should end. */
export const serveCommand = Command.make("serve", {}, () =>
  Effect.andThen(
    Effect.sync(() => {
      process.exitCode = 0
      compileReluctantly()
    }),
    program
  )
).pipe(
  Command.withShortDescription("Run the platform, as `npm start` does"),
  Command.withDescription(
    "Runs the platform with the settings of the environment until SIGTERM or Ctrl-C, then ends with exit code 0. " +
      "Migrations run at the start. docs/operating/settings.md lists every setting."
  ),
  Command.withExamples([
    { command: "emporion serve", description: "A sandbox with an embedded database in .data" },
    { command: "PORT=8080 ARENA_PROFILE=demo emporion serve", description: "Short times, another port" },
    {
      command: "APP_MODE=production DATABASE_URL=postgresql://emporion@db/emporion emporion serve",
      description: "Production also needs SECRET_KEY and PUBLIC_URL; emporion doctor says what is missing"
    }
  ])
)
