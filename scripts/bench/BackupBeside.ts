import { Effect } from "effect"
import type { Scope } from "effect"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { type BenchPostgres, temporaryFolder, urlOf } from "./BenchPostgres.ts"
import { variablesOf } from "./BenchWorld.ts"
import { processorMicros } from "./ProcessorTime.ts"

const COMMAND = join(import.meta.dir, "..", "emporion.ts")

/** A backup, as the command tells it. Times are milliseconds since 1970. */
export interface MadeBackup {
  readonly madeAt: number
  readonly endedAt: number
}

/** `emporion backup --every 1`, which runs only where it is asked to. */
export interface BackupBeside {
  /** Lets it make increments while something runs. Answers what was made, and what it took of the processor a second. */
  readonly during: <A>(run: Effect.Effect<A>) => Effect.Effect<{
    readonly result: A
    readonly made: ReadonlyArray<MadeBackup>
    /** Microseconds of processor time. */
    readonly micros: number
  }>
}

/**
 * The longest time, in milliseconds, of which a loss of the database would have taken the commits: until a backup has
 * ended, that is the age of the moment that the one before it has.
 */
export const recoveryPoint = (made: ReadonlyArray<MadeBackup>): number =>
  Math.max(...made.map(({ endedAt, madeAt }, index) => endedAt - (made[index - 1]?.madeAt ?? madeAt)))

/**
 * Starts it on a database of the run, and waits for the full backup. It ends with the scope; where it ends before, what
 * waits for a backup dies.
 */
export const startBackup = Effect.fnUntraced(function* (
  postgres: BenchPostgres,
  database: string,
  command: string = COMMAND
): Effect.fn.Return<BackupBeside, never, Scope.Scope> {
  const folder = yield* temporaryFolder("backup")
  const made: Array<MadeBackup> = []
  let next = Promise.withResolvers<void>()
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Bun.spawn([process.execPath, command, "backup", "--every", "1", "--json", folder], {
        env: { ...process.env, ...variablesOf(postgres, database), DATABASE_URL: urlOf(postgres, database) },
        stdio: ["ignore", "pipe", "inherit"]
      })
    ),
    (process) =>
      Effect.promise(() => {
        process.kill("SIGKILL")
        return process.exited
      })
  )
  const told = createInterface({ input: Readable.fromWeb(child.stdout as never) })
  told.on("line", (line) => {
    const { madeAt, millis } = JSON.parse(line) as { readonly madeAt: number; readonly millis: number }
    made.push({ madeAt, endedAt: madeAt + millis })
    next.resolve()
    next = Promise.withResolvers()
  })
  /** The end of the one under way: nothing of the database is held between two. */
  const one = Effect.raceFirst(
    Effect.promise(() => next.promise),
    Effect.flatMap(
      Effect.promise(() => child.exited),
      (code) => Effect.die(new Error(`emporion backup ended with ${code}, although it was to go on`))
    )
  )
  yield* one
  child.kill("SIGSTOP")
  return {
    during: Effect.fnUntraced(function* (run) {
      const [before, used] = [made.length, processorMicros([child.pid]) ?? Number.NaN]
      child.kill("SIGCONT")
      const result = yield* run
      yield* one
      child.kill("SIGSTOP")
      return { result, made: made.slice(before), micros: (processorMicros([child.pid]) ?? Number.NaN) - used }
    })
  }
})
