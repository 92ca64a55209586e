import { Effect, Redacted } from "effect"
import type { Scope } from "effect"
import { program } from "./Programs.ts"

/** How a command ended. */
export interface CommandEnd {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface CommandOptions {
  /** Its whole environment beside `PATH`. */
  readonly env?: Readonly<Record<string, string>>
  /** What it reads from standard input. */
  readonly input?: Redacted.Redacted
}

/** Nothing but what a process needs to run, and what the test gives it. */
const environment = (variables: Readonly<Record<string, string>>): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  NO_COLOR: "1",
  ...variables
})

const spawn = (args: ReadonlyArray<string>, { env = {}, input }: CommandOptions) =>
  Bun.spawn([process.execPath, program("Emporion"), ...args], {
    stdin: new Blob([input === undefined ? "" : Redacted.value(input)]),
    stdout: "pipe",
    stderr: "pipe",
    env: environment(env)
  })

/** Runs a command in a process of its own, as an operator does, to its end. */
export const emporion = async (args: ReadonlyArray<string>, options: CommandOptions = {}): Promise<CommandEnd> => {
  const child = spawn(args, options)
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, stdout, stderr }
}

/** The same as an effect. */
export const runEmporion = (args: ReadonlyArray<string>, options: CommandOptions = {}): Effect.Effect<CommandEnd> =>
  Effect.promise(() => emporion(args, options))

/** What a person at a terminal waits for, and types then. */
interface Typing {
  readonly after: string
  readonly keys: Redacted.Redacted
}

/** Runs a command at a terminal, where somebody types. Answers all that the terminal showed. */
export const typeTo = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  typing: ReadonlyArray<Typing>
): Effect.Effect<{ readonly code: number; readonly shown: string }> =>
  Effect.promise(async () => {
    const decoder = new TextDecoder()
    const waiting = [...typing]
    let shown = ""
    let read = 0
    const child = Bun.spawn([process.execPath, program("Emporion"), ...args], {
      env: environment(env),
      terminal: {
        cols: 120,
        rows: 24,
        data: (terminal, bytes) => {
          shown += decoder.decode(bytes, { stream: true })
          const [next] = waiting
          if (next === undefined || !shown.slice(read).includes(next.after)) return
          read = shown.length
          waiting.shift()
          terminal.write(Redacted.value(next.keys))
        }
      }
    })
    const code = await child.exited
    return { code, shown }
  })

/** Starts a command that stays; killed with the scope unless it ended before. */
export const startEmporion = (
  args: ReadonlyArray<string>,
  options: CommandOptions
): Effect.Effect<ReturnType<typeof spawn>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(args, options)),
    (child) =>
      Effect.promise(() => {
        if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
        return child.exited
      })
  )

/** The settings that name a test's database. */
export const onDatabase = (url: string, secretKey = "00".repeat(32)): Readonly<Record<string, string>> => ({
  APP_MODE: "sandbox",
  DATABASE_URL: url,
  SECRET_KEY: secretKey
})
