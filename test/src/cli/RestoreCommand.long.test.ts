import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import fc from "fast-check"
import { replayLog } from "../../../src/cli/Replaying.ts"
import { backupDrill, restoreTo } from "../../lib/BackupDrill.ts"
import { onDatabase, startEmporion } from "../../lib/CliProcess.ts"
import { itLive } from "../../lib/Effects.ts"
import { emptyDatabase } from "../../lib/TestDatabase.ts"

/** Restores, and kills of each command. `BACKUP_DRILLS` is more of them, such as 200. */
const DRILLS = Number(process.env["BACKUP_DRILLS"] ?? "5")

/** Milliseconds within which a command is killed: a whole backup or restore of the play takes about as long. */
const KILLED_WITHIN = 2_500

const drawn = (most: number): ReadonlyArray<number> => fc.sample(fc.nat(most), DRILLS)

const killed = (args: ReadonlyArray<string>, url: string, after: number) =>
  Effect.scoped(Effect.andThen(startEmporion(args, { env: onDatabase(url) }), Effect.sleep(after)))

describe("emporion restore", () => {
  itLive(
    "makes the state of any sequence",
    () =>
      Effect.gen(function* () {
        const { backups, folder, stateAt } = yield* backupDrill
        const [first, last] = [backups[0] ?? 0, backups.at(-1) ?? 0]
        for (const more of drawn(last - first)) {
          const { code, report, stderr } = yield* Effect.scoped(restoreTo(folder, `${first + more}`))
          expect([first + more, code, stderr]).toEqual([first + more, 0, ""])
          expect([report?.seq, report?.state]).toEqual([report?.seq, yield* stateAt(report?.seq ?? 0)])
        }
      }),
    20_000 + DRILLS * 10_000
  )

  itLive(
    "is whole after kills of backups, and of restores into the same database",
    () =>
      Effect.gen(function* () {
        const { folder, log, stateAt } = yield* backupDrill
        for (const after of drawn(KILLED_WITHIN)) {
          yield* killed(["backup", "--full", folder], log.server.databaseUrl, after)
          const { code, stderr } = yield* Effect.scoped(restoreTo(folder, "latest", { args: ["--preview"] }))
          expect([after, code, stderr]).toEqual([after, 0, ""])
        }
        for (const after of drawn(KILLED_WITHIN)) {
          const into = yield* Effect.orDie(emptyDatabase)
          yield* killed(["restore", "--to", "latest", folder], into.url, after)
          const { code, report, stderr } = yield* Effect.scoped(restoreTo(folder, "latest", { into }))
          const found = yield* Effect.orDie(replayLog({ _tag: "Database", url: Redacted.make(into.url) }))
          const expected = (yield* stateAt(found.events)) ?? ""
          expect([after, found.ok, found.state]).toEqual([after, true, { derived: expected, stored: expected }])
          // Where the killed one had ended, the database is whole and no longer empty.
          if (!stderr.includes("is not empty"))
            expect([after, code, stderr, report?.state]).toEqual([after, 0, "", expected])
        }
      }),
    20_000 + DRILLS * 20_000
  )
})
