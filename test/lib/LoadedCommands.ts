import { Effect } from "effect"
import type { Scope } from "effect"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "./TemporaryFolder.ts"

const ROOT = join(import.meta.dirname, "..", "..")

/** How a command ended. */
export interface DrillEnd {
  /** Null where it was killed. */
  readonly code: number | null
  /** From its begin to its end, in milliseconds. */
  readonly millis: number
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
  /** Runs a command to its end, or for so many milliseconds: then it is killed. */
  readonly run: (args: ReadonlyArray<string>, killedAfter?: number) => Effect.Effect<DrillEnd>
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

const ended = async (child: Loading, args: ReadonlyArray<string>, killedAfter: number | undefined) => {
  await loaded(child)
  const stderr = new Response(child.stderr).text()
  const begun = performance.now()
  child.stdin.write(`${JSON.stringify(args)}\n`)
  await child.stdin.end()
  const timer = killedAfter === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killedAfter)
  await child.exited
  clearTimeout(timer)
  return {
    code: child.signalCode === null ? child.exitCode : null,
    millis: performance.now() - begun,
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
      run: (args, killedAfter) =>
        Effect.promise(() => {
          const child = next
          next = spawn(file, env)
          return ended(child, args, killedAfter)
        })
    }
  })
