import { PgConnection } from "@effect/sql-pg"
import { describe, expect } from "bun:test"
import { Cause, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { renameSync } from "node:fs"
import { join } from "node:path"
import { backUp, backUpKnowing, backupDrill, restoreTo } from "../../lib/BackupDrill.ts"
import { NOTHING_KNOWN } from "../../../src/backup/Backup.ts"
import { onDatabase, runEmporion } from "../../lib/CliProcess.ts"
import { commandHere } from "../../lib/CommandLine.ts"
import { itLive } from "../../lib/Effects.ts"
import { s3Server } from "../../lib/S3Server.ts"
import { TestServer } from "../../lib/TestServer.ts"
import { usd } from "../../lib/OpenedArena.ts"
import { filesOf } from "../../lib/PlantedPerson.ts"
import { PlayedLog } from "../../lib/PlayedLog.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { emptyDatabase, testDatabase } from "../../lib/TestDatabase.ts"

const epoch = (server: TestServer) =>
  server.run(Effect.flatMap(SqlClient, (sql) => sql<{ readonly epoch: string }>`SELECT epoch FROM event_log`))

/** Notes an erasure in a database that never had the person, as a line has it that went on elsewhere. */
const forgetAlso = (server: TestServer, userId: string) =>
  server.run(
    Effect.flatMap(
      SqlClient,
      (sql) => sql`
        INSERT INTO erasures (id, company_id, at, erased_by, recorded) VALUES (${userId}, 'cmp_1', 1, 'operator', true)`
    )
  )

describe("emporion restore", () => {
  itLive(
    "makes the state of a sequence, on which a server goes on under another epoch",
    () =>
      Effect.gen(function* () {
        const { backups, folder, log, stateAt } = yield* backupDrill
        const last = backups.at(-1) ?? 0
        for (const to of [`${last - 7}`, "latest"]) {
          const { code, database, report, stderr } = yield* restoreTo(folder, to)
          expect([to, code, stderr]).toEqual([to, 0, ""])
          const seq = report?.seq ?? 0
          if (to === "latest") expect(seq).toBe(last)
          else expect(seq).toBeLessThanOrEqual(Number(to))
          expect(report?.state).toBe((yield* stateAt(seq)) ?? "")
          if (to !== "latest") continue
          const server = yield* TestServer.makeOn(database)
          expect(yield* epoch(server)).not.toEqual(yield* epoch(log.server))
          const user = yield* server.user()
          expect((yield* server.mint(user.id, usd(5n))).status).toBe(200)
        }
      }),
    120_000
  )

  itLive(
    "refuses what it cannot restore, says what to do, and begins anew what did not end",
    () =>
      Effect.gen(function* () {
        const folder = join(yield* temporaryFolder, "backups")
        const server = yield* TestServer.make()
        const log = new PlayedLog(server)
        yield* server.user()
        yield* backUp(log, folder)
        const into = yield* Effect.orDie(emptyDatabase)
        const run = (to: string, key?: string, ...args: ReadonlyArray<string>) =>
          Effect.map(
            restoreTo(folder, to, { into, args, ...(key === undefined ? {} : { key }) }),
            ({ code, stderr }) => ({
              code,
              stderr
            })
          )

        const other = yield* run("latest", "5f".repeat(16) + "a3".repeat(16))
        expect([other.code, other.stderr]).toEqual([
          1,
          expect.stringContaining("The backup needs the SECRET_KEY named ")
        ])
        const beyond = yield* run("999999")
        expect([beyond.code, beyond.stderr]).toEqual([1, expect.stringContaining("name a sequence or a time between")])
        const full = yield* restoreTo(folder, "latest", { into: yield* Effect.orDie(testDatabase) })
        expect([full.code, full.stderr]).toEqual([1, expect.stringContaining("is not empty, so nothing was changed")])

        renameSync(join(folder, "keys"), join(folder, "elsewhere"))
        const keyless = yield* run("latest", undefined, "--preview")
        expect([keyless.code, keyless.stderr]).toEqual([1, expect.stringContaining("copy its folder keys/")])
        renameSync(join(folder, "elsewhere"), join(folder, "keys"))
        expect(yield* run("latest", undefined, "--preview")).toEqual({ code: 0, stderr: "" })
        const sql = yield* PgConnection.make(into.config)
        const tables = sql.query("SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'", [], false)
        expect((yield* tables).rows).toEqual([{ tables: 0 }])

        yield* sql.query("CREATE TABLE unfinished_restore (at int)", [], false)
        yield* sql.query("CREATE TABLE left_behind (at int)", [], false)
        const served = yield* runEmporion(["serve"], { env: { ...onDatabase(into.url), PORT: "0" } })
        expect([served.code, served.stderr]).toEqual([1, expect.stringContaining("run emporion restore on it again")])
        expect(yield* run("latest")).toEqual({ code: 0, stderr: "" })
        const left = yield* sql.query(
          "SELECT 1 FROM pg_tables WHERE tablename IN ('left_behind', 'unfinished_restore')",
          [],
          false
        )
        expect(left.rows).toEqual([])
      }),
    60_000
  )

  itLive(
    "restores from a bucket what was backed up there, whose key must be right",
    () =>
      Effect.gen(function* () {
        const { env, objects, place } = yield* s3Server
        const server = yield* TestServer.make()
        yield* server.user()
        const made = yield* runEmporion(["backup", "--full-every", "24", "--keep-days", "7", "--json", place], {
          env: { ...onDatabase(server.databaseUrl), ...env }
        })
        expect([made.code, made.stderr]).toEqual([0, ""])
        expect(JSON.parse(made.stdout)).toMatchObject({ kind: "full", pruned: { backups: 0, files: 0 } })
        expect(objects.size).toBeGreaterThan(3)
        const into = yield* Effect.orDie(emptyDatabase)
        const restore = (more: Readonly<Record<string, string>>) =>
          commandHere(["restore", "--to", "latest", "--json", place], { ...onDatabase(into.url), ...env, ...more })
        const refused = yield* restore({ AWS_SECRET_ACCESS_KEY: "another" })
        expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("is not the one of")])
        const { code, stderr, stdout } = yield* restore({})
        expect([code, stderr]).toEqual([0, ""])
        expect(JSON.parse(stdout)).toMatchObject({ done: true, seq: JSON.parse(made.stdout).seq })
      }),
    60_000
  )

  itLive(
    "a folder of one database takes no backup of another",
    () =>
      Effect.gen(function* () {
        const folder = join(yield* temporaryFolder, "backups")
        const [one, other] = [yield* TestServer.makeFirst(), yield* TestServer.makeFirst()]
        const { id } = yield* one.user()
        yield* backUp(new PlayedLog(one), folder)
        yield* other.user()
        yield* forgetAlso(other, id)
        expect(filesOf(join(folder, "keys"))).toContain(id)
        const exit = yield* Effect.exit(backUp(new PlayedLog(other), folder))
        expect(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "").toContain("has backups of another database")
        expect(filesOf(join(folder, "keys"))).not.toContain(id)
      }),
    60_000
  )

  itLive(
    "two processes that back up to a place seal a new person under one key",
    () =>
      Effect.gen(function* () {
        const folder = join(yield* temporaryFolder, "backups")
        const server = yield* TestServer.make()
        const log = new PlayedLog(server)
        const { known } = yield* backUpKnowing(log, folder, NOTHING_KNOWN)
        const { id } = yield* server.user()
        yield* backUp(log, folder)
        const keys = filesOf(join(folder, "keys"))
        expect(keys).toContain(id)
        yield* backUpKnowing(log, folder, known)
        expect(filesOf(join(folder, "keys"))).toBe(keys)
      }),
    60_000
  )
})
