import { describe, expect } from "bun:test"
import { Effect, Equal, Exit, Redacted } from "effect"
import type { Scope } from "effect"
import fc from "fast-check"
import { cpSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as BackupPlace from "../../../src/backup/BackupPlace.ts"
import type { RestoreTarget } from "../../../src/backup/RestorePlan.ts"
import type { DatabaseSource } from "../../../src/cli/CommandSource.ts"
import { replayLog } from "../../../src/cli/Replaying.ts"
import { preview, restore } from "../../../src/cli/Restoring.ts"
import { backupDrill, type BackupDrill } from "../../lib/BackupDrill.ts"
import { itLive } from "../../lib/Effects.ts"
import { loadedCommands, type LoadedCommands } from "../../lib/LoadedCommands.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { emptyDatabase } from "../../lib/TestDatabase.ts"

/** Restores to a sequence, and kills of each command. `BACKUP_DRILLS` and `BACKUP_KILLS` are more of them. */
const DRILLS = Number(process.env["BACKUP_DRILLS"] ?? "5")
const KILLS = Number(process.env["BACKUP_KILLS"] ?? process.env["BACKUP_DRILLS"] ?? "5")

/** Commands that run to their end before kills, so that their length is known. */
const MEASURED = 2

/** Kills are spread over the length of a command and a little beyond, so that some come too late. */
const SPREAD = 1.1

/** Said this often, in drills, where there are many. */
const TOLD_EVERY = 50

const LATEST: RestoreTarget = { _tag: "Latest" }

const at = (url: string): DatabaseSource => ({ _tag: "Database", url: Redacted.make(url) })

/** The settings that commands find, also those that this process runs by their functions. */
const SETTINGS = { APP_MODE: "sandbox", SECRET_KEY: "00".repeat(32) }

/** Sets them, and answers what sets them back. */
const setEnvironment = (): (() => void) => {
  const before = Object.keys(SETTINGS).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, SETTINGS)
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

const inEnvironment = Effect.acquireRelease(Effect.sync(setEnvironment), (restore) => Effect.sync(restore))

/** Restores in this process, by the function that the command calls. */
const restored = (folder: string, to: RestoreTarget, url: string) =>
  Effect.provide(restore(at(url), to), BackupPlace.layer(folder))

/** A moment in each of as many equal parts of a length. */
const moments = (length: number): ReadonlyArray<number> =>
  fc
    .sample(fc.double({ min: 0, max: 0.999, noNaN: true }), KILLS)
    .map((drawn, index) => ((index + drawn) / KILLS) * length * SPREAD)

const told = (what: string, done: number, of: number, killed: number): void => {
  if (done % TOLD_EVERY === 0) console.log(`${what}: ${done} of ${of}, ${killed} of them before their end`)
}

/** The longest of a few runs to the end. */
const measured = Effect.fnUntraced(function* (
  run: Effect.Effect<{ readonly code: number | null; readonly millis: number }>
) {
  let longest = 0
  for (let time = 0; time < MEASURED; time += 1) {
    const { code, millis } = yield* run
    expect(code).toBe(0)
    longest = Math.max(longest, millis)
  }
  return longest
})

interface Drilled {
  readonly drill: BackupDrill
  readonly commands: LoadedCommands
  /** The last sequence, and the state there. */
  readonly last: number
  readonly state: string
}

const drilled = Effect.gen(function* (): Effect.fn.Return<Drilled, never, Scope.Scope> {
  yield* inEnvironment
  const drill = yield* backupDrill
  const commands = yield* loadedCommands(SETTINGS)
  const last = drill.backups.at(-1) ?? 0
  return { drill, commands, last, state: (yield* drill.stateAt(last)) ?? "" }
})

/**
 * Kills full backups, into a folder that has some or none: what a restore would take is whole, and the next backup ends.
 * Answers how many were killed before their end.
 */
const killBackups = Effect.fnUntraced(function* ({ commands, drill, last }: Drilled) {
  const place = join(yield* temporaryFolder, "backups")
  const empty = yield* Effect.orDie(emptyDatabase)
  const args = ["backup", "--full", "--database", drill.log.server.databaseUrl, place]
  const emptied = Effect.sync(() => rmSync(place, { recursive: true, force: true }))
  const looked = Effect.exit(
    Effect.map(Effect.provide(preview(at(empty.url), LATEST), BackupPlace.layer(place)), ({ seq }) => seq)
  )
  const length = yield* measured(Effect.andThen(emptied, commands.run(args)))
  const whole = yield* looked
  expect(Exit.isSuccess(whole)).toBe(true)
  const before = Exit.succeed(last)
  let killed = 0
  for (const [index, after] of moments(length).entries()) {
    yield* emptied
    const isFilled = index % 2 === 0
    if (isFilled) cpSync(drill.folder, place, { recursive: true })
    else mkdirSync(place)
    const { code } = yield* commands.run(args, after)
    if (code === null) killed += 1
    const found = yield* looked
    // Until its manifest is there, the folder has the backups before, or none.
    const isNone = Exit.isFailure(found) && String(found).includes("has no full backup")
    const isBefore = code === null && (isFilled ? Equal.equals(found, before) : isNone)
    if (!isBefore) expect([after, found]).toEqual([after, whole])
    expect([after, (yield* commands.run(args)).code]).toEqual([after, 0])
    expect([after, yield* looked]).toEqual([after, whole])
    told("backups", index + 1, KILLS, killed)
  }
  return killed
})

/**
 * Kills restores: the next one into the same database makes the whole state, or finds that the one before had ended.
 * Answers how many were killed before their end.
 */
const killRestores = Effect.fnUntraced(function* ({ commands, drill, state }: Drilled) {
  const argsInto = (url: string) => ["restore", "--to", "latest", "--database", url, drill.folder]
  const whole = Effect.scoped(Effect.flatMap(Effect.orDie(emptyDatabase), ({ url }) => commands.run(argsInto(url))))
  const length = yield* measured(whole)
  let killed = 0
  const one = Effect.fnUntraced(function* (after: number) {
    const { url } = yield* Effect.orDie(emptyDatabase)
    if ((yield* commands.run(argsInto(url), after)).code === null) killed += 1
    const exit = yield* Effect.exit(restored(drill.folder, LATEST, url))
    // Where the killed one had ended, the database is whole and no longer empty.
    const isThere = Exit.isFailure(exit) && String(exit).includes("is not empty")
    if (!isThere) expect([after, Exit.map(exit, (report) => report.state)]).toEqual([after, Exit.succeed(state)])
    const found = yield* Effect.orDie(replayLog({ _tag: "Database", url: Redacted.make(url) }))
    expect([after, found.ok, found.state]).toEqual([after, true, { derived: state, stored: state }])
  })
  for (const [index, after] of moments(length).entries()) {
    yield* Effect.scoped(one(after))
    told("restores", index + 1, KILLS, killed)
  }
  return killed
})

describe("emporion restore", () => {
  itLive(
    "makes the state of any sequence",
    () =>
      Effect.gen(function* () {
        const { drill } = yield* drilled
        const [first, last] = [drill.backups[0] ?? 0, drill.backups.at(-1) ?? 0]
        for (const [index, more] of fc.sample(fc.nat(last - first), DRILLS).entries()) {
          const seq = first + more
          const report = yield* Effect.scoped(
            Effect.flatMap(Effect.orDie(emptyDatabase), ({ url }) =>
              Effect.orDie(restored(drill.folder, { _tag: "Sequence", seq }, url))
            )
          )
          expect(report.seq).toBeLessThanOrEqual(seq)
          expect([seq, report.done, report.state]).toEqual([seq, true, yield* drill.stateAt(report.seq)])
          told("restores to a sequence", index + 1, DRILLS, 0)
        }
      }),
    20_000 + DRILLS * 10_000
  )

  itLive(
    "is whole after kills of backups",
    () =>
      Effect.gen(function* () {
        expect(yield* killBackups(yield* drilled)).toBeGreaterThan(0)
      }),
    30_000 + KILLS * 20_000
  )

  itLive(
    "is whole after kills of restores into the same database",
    () =>
      Effect.gen(function* () {
        expect(yield* killRestores(yield* drilled)).toBeGreaterThan(0)
      }),
    30_000 + KILLS * 20_000
  )
})
