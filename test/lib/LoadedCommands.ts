import { Effect } from "effect"
import type { Scope } from "effect"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "./TemporaryFolder.ts"

const ROOT = join(import.meta.dirname, "..", "..")

/** Something that a command said it begins or has done, and how many milliseconds after its own begin. */
export interface AnnouncedStep {
  readonly name: string
  readonly at: number
}

/** When a command is killed: so many milliseconds after it has announced so many steps. */
export interface KillMoment {
  readonly steps: number
  readonly millis: number
}

/** How a command ended. */
export interface DrillEnd {
  /** Null where it was killed. */
  readonly code: number | null
  /** From its begin to its end, in milliseconds. */
  readonly millis: number
  /** All that it announced before. */
  readonly steps: ReadonlyArray<AnnouncedStep>
  readonly stderr: string
}

const spawn = (file: string, env: Readonly<Record<string, string>>) =>
  Bun.spawn([process.execPath, file], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["pipe", "pipe", "pipe"]
  })

type Loading = ReturnType<typeof spawn>

/** Commands in processes of their own, of which the next one is always loaded. */
export interface LoadedCommands {
  /** Runs a command to its end, or to a moment: then it is killed with SIGKILL. */
  readonly run: (args: ReadonlyArray<string>, kill?: KillMoment) => Effect.Effect<DrillEnd>
}

const bundled = async (folder: string): Promise<string> => {
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
  await Bun.build({
    entrypoints: [join(import.meta.dirname, "DrilledCommand.ts")],
    outdir: join(folder, "dist"),
    naming: { entry: "[name].js" },
    target: "bun",
    external: ["@node-rs/argon2", "@aws-sdk/client-s3"]
  })
  return join(folder, "dist", "DrilledCommand.js")
}

const loaded = async (child: Loading): Promise<void> => {
  const reader = child.stdout.getReader()
  await reader.read()
  reader.releaseLock()
}

/** Calls for each whole line, until the output ends. */
const eachLine = async (output: Loading["stdout"], take: (line: string) => void): Promise<void> => {
  const decoder = new TextDecoder()
  let begun = ""
  for await (const bytes of output) {
    const lines = (begun + decoder.decode(bytes, { stream: true })).split("\n")
    begun = lines.pop() ?? ""
    for (const line of lines) take(line)
  }
}

const STEP = /^(step|done) ./

const ended = async (child: Loading, args: ReadonlyArray<string>, kill: KillMoment | undefined): Promise<DrillEnd> => {
  await loaded(child)
  const stderr = new Response(child.stderr).text()
  const steps: Array<AnnouncedStep> = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const strike = (): void => child.kill("SIGKILL")
  const killIfDue = (): void => {
    if (kill === undefined || steps.length !== kill.steps) return
    if (kill.millis === 0) strike()
    else timer = setTimeout(strike, kill.millis)
  }
  const begun = performance.now()
  child.stdin.write(`${JSON.stringify(args)}\n`)
  await child.stdin.end()
  killIfDue()
  await eachLine(child.stdout, (line) => {
    if (!STEP.test(line)) return
    steps.push({ name: line, at: performance.now() - begun })
    killIfDue()
  })
  await child.exited
  clearTimeout(timer)
  return {
    code: child.signalCode === null ? child.exitCode : null,
    millis: performance.now() - begun,
    steps,
    stderr: await stderr
  }
}

/** @param env - of every command */
export const loadedCommands = (
  env: Readonly<Record<string, string>>
): Effect.Effect<LoadedCommands, never, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const file = yield* Effect.promise(() => bundled(folder))
    let next = spawn(file, env)
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => {
        next.kill("SIGKILL")
        return next.exited
      })
    )
    return {
      run: (args, kill) =>
        Effect.promise(() => {
          const child = next
          next = spawn(file, env)
          return ended(child, args, kill)
        })
    }
  })
