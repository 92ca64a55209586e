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
import { KillDrill, type Phase, phaseOf } from "../../lib/KillDrill.ts"
import { type DrillEnd, loadedCommands, type LoadedCommands } from "../../lib/LoadedCommands.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { emptyDatabase } from "../../lib/TestDatabase.ts"

/** Restores to a sequence, and kills that strike each command. `BACKUP_DRILLS` and `BACKUP_KILLS` are more of them. */
const DRILLS = Number(process.env["BACKUP_DRILLS"] ?? "5")
const KILLS = Number(process.env["BACKUP_KILLS"] ?? process.env["BACKUP_DRILLS"] ?? "5")

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

/** A backup's phases: there is a new one once its manifest is there, whose putting is `publish`. */
const BACKUP_PHASES: ReadonlyArray<Phase> = [
  { name: "look", begins: "step backup.backup" },
  { name: "copy", begins: "step backup.copied" },
  { name: "keys", begins: "done backup.copied" },
  { name: "publish", begins: "step backup.putManifest" },
  { name: "end", begins: "done backup.putManifest" }
]

/** A restore's phases: a server may start once its mark is gone, whose removal is `finish`. */
const RESTORE_PHASES: ReadonlyArray<Phase> = [
  { name: "read", begins: "step cli.restore" },
  { name: "mark", begins: "step RestoreRepository.begin" },
  { name: "migrate", begins: "step Migrations.migrate" },
  { name: "load", begins: "step backup.loadPlan" },
  { name: "follow", begins: "done backup.loadPlan" },
  { name: "complete", begins: "step RestoreRepository.complete" },
  { name: "prove", begins: "step cli.verify" },
  { name: "finish", begins: "step RestoreRepository.finish" },
  { name: "end", begins: "done RestoreRepository.finish" }
]

const told = (what: string, done: number, report: () => string): void => {
  if (done % TOLD_EVERY === 0) console.log(`${what}: ${report()}`)
}

/** Every kill struck, also in the last phases once there are enough to come to each. */
const expectStruck = (what: string, drill: KillDrill, phases: ReadonlyArray<Phase>): void => {
  console.log(`kills of ${what}: ${drill.report}`)
  expect(drill.struck).toBe(KILLS)
  if (KILLS < 4 * phases.length) return
  expect(phases.map(({ name }) => name).filter((name) => drill.struckIn(name) === 0)).toEqual([])
}

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

/** Kills full backups, into a folder that has some or none: what a restore would take is whole, and the next backup ends. */
const killBackups = Effect.fnUntraced(function* ({ commands, drill, last }: Drilled) {
  const place = join(yield* temporaryFolder, "backups")
  const empty = yield* Effect.orDie(emptyDatabase)
  const args = ["backup", "--full", "--database", drill.log.server.databaseUrl, place]
  const folder = (isFilled: boolean) =>
    Effect.sync(() => {
      rmSync(place, { recursive: true, force: true })
      if (isFilled) cpSync(drill.folder, place, { recursive: true })
      else mkdirSync(place)
    })
  const looked = Effect.exit(
    Effect.map(Effect.provide(preview(at(empty.url), LATEST), BackupPlace.layer(place)), ({ seq }) => seq)
  )
  const lives = new Map<boolean, DrillEnd>()
  for (const isFilled of [true, false]) {
    yield* folder(isFilled)
    const life = yield* commands.run(args)
    expect([life.code, life.stderr]).toEqual([0, ""])
    lives.set(isFilled, life)
  }
  const whole = yield* looked
  expect(Exit.isSuccess(whole)).toBe(true)
  const kills = new KillDrill(BACKUP_PHASES, KILLS)
  for (let index = 0; index < KILLS; index += 1) {
    const isFilled = fc.sample(fc.boolean(), 1)[0] === true
    const life = lives.get(isFilled) ?? { millis: 0, steps: [] }
    const end = yield* kills.strike(index, life, (moment) =>
      Effect.andThen(folder(isFilled), commands.run(args, moment))
    )
    const phase = phaseOf(BACKUP_PHASES, end)
    const found = yield* looked
    // Until its manifest is there, the folder has the backups before, or none.
    const isNone = Exit.isFailure(found) && String(found).includes("has no full backup")
    const isBefore = isFilled ? Equal.equals(found, Exit.succeed(last)) : isNone
    const mayBeBefore = phase !== "end"
    const mayBeWhole = phase === "end" || phase === "publish"
    const isWhole = Equal.equals(found, whole)
    if (!((mayBeBefore && isBefore) || (mayBeWhole && isWhole)))
      expect([phase, end, found]).toEqual([phase, end, whole])
    const next = yield* commands.run(args)
    expect([phase, next.code, next.stderr]).toEqual([phase, 0, ""])
    expect([phase, yield* looked]).toEqual([phase, whole])
    told("kills of backups", index + 1, () => kills.report)
  }
  expectStruck("backups", kills, BACKUP_PHASES)
})

/** Kills restores: the next one into the same database makes the whole state, or finds that the one before had ended. */
const killRestores = Effect.fnUntraced(function* ({ commands, drill, state }: Drilled) {
  const argsInto = (url: string) => ["restore", "--to", "latest", "--database", url, drill.folder]
  const life = yield* Effect.scoped(
    Effect.flatMap(Effect.orDie(emptyDatabase), ({ url }) => commands.run(argsInto(url)))
  )
  expect([life.code, life.stderr]).toEqual([0, ""])
  const kills = new KillDrill(RESTORE_PHASES, KILLS)
  const one = Effect.fnUntraced(function* (index: number) {
    let url = ""
    const end = yield* kills.strike(index, life, (moment) =>
      Effect.flatMap(Effect.orDie(emptyDatabase), (database) => {
        url = database.url
        return commands.run(argsInto(url), moment)
      })
    )
    const phase = phaseOf(RESTORE_PHASES, end)
    const exit = yield* Effect.exit(restored(drill.folder, LATEST, url))
    // Where the killed one had ended, the database is whole and no longer empty.
    const isThere = Exit.isFailure(exit) && String(exit).includes("is not empty")
    if (phase === "end") expect([phase, isThere]).toEqual([phase, true])
    else if (!isThere || phase !== "finish") {
      expect([phase, Exit.map(exit, (report) => report.state)]).toEqual([phase, Exit.succeed(state)])
    }
    const found = yield* Effect.orDie(replayLog({ _tag: "Database", url: Redacted.make(url) }))
    expect([phase, found.ok, found.state]).toEqual([phase, true, { derived: state, stored: state }])
  })
  for (let index = 0; index < KILLS; index += 1) {
    yield* Effect.scoped(one(index))
    told("kills of restores", index + 1, () => kills.report)
  }
  expectStruck("restores", kills, RESTORE_PHASES)
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
          told("restores to a sequence", index + 1, () => `${index + 1} of ${DRILLS}`)
        }
      }),
    20_000 + DRILLS * 10_000
  )

  itLive("is whole after kills of backups", () => Effect.flatMap(drilled, killBackups), 30_000 + KILLS * 20_000)

  itLive(
    "is whole after kills of restores into the same database",
    () => Effect.flatMap(drilled, killRestores),
    30_000 + KILLS * 20_000
  )
})
