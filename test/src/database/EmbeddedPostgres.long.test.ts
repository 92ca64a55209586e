import { PgConnection } from "@effect/sql-pg"
import { describe, expect, it } from "bun:test"
import { Effect, Exit, Schedule, Scope } from "effect"
import { spawn } from "node:child_process"
import { existsSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sharedBuffers, startEmbeddedPostgres } from "../../../src/database/EmbeddedPostgres.ts"
import type { EmbeddedConnection } from "../../../src/database/EmbeddedPostgres.ts"
import { signal } from "../../../src/database/PostgresProcess.ts"
import type { Isolation } from "../../../src/database/PostgresProcess.ts"
import { itLive } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const LIMIT = 60_000

const query = (connection: EmbeddedConnection, sql: string) =>
  Effect.scoped(
    Effect.flatMap(PgConnection.make(connection), (session) => Effect.map(session.query(sql), ({ rows }) => rows))
  )

const soon = Schedule.max([Schedule.spaced(20), Schedule.recurs(500)])

const gone = (pid: number) =>
  Effect.suspend(() => (signal(pid, 0) ? Effect.fail("it lives") : Effect.void)).pipe(Effect.retry(soon))

/** Starts a server in a process of its own; answers the processes of both. */
const startElsewhere = (dataDir: string) =>
  Effect.promise(
    () =>
      new Promise<{ readonly host: number; readonly postgres: number }>((resolve) => {
        const script = join(import.meta.dir, "../../lib/EmbeddedServer.ts")
        const child = spawn(process.execPath, [script, dataDir], { stdio: ["ignore", "pipe", "inherit"] })
        child.stdout.once("data", (line) =>
          resolve({ host: child.pid ?? 0, postgres: Number(`${line}`.split(" ")[1]) })
        )
      })
  )

const SETTINGS = `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
  current_setting('full_page_writes') AS pages, current_setting('listen_addresses') AS tcp,
  current_setting('server_encoding') AS encoding, current_setting('TimeZone') AS zone,
  (SELECT datlocale FROM pg_database WHERE datname = current_database()) AS locale`

const DURABLE = { fsync: "on", commit: "on", pages: "on", tcp: "", encoding: "UTF8", zone: "UTC", locale: "C.UTF-8" }

const startsIn = (isolation?: Isolation) =>
  Effect.gen(function* () {
    const dataDir = join(yield* temporaryFolder, "data")
    const scope = yield* Scope.make()
    const options = { dataDir, ...(isolation === undefined ? {} : { isolation }) }
    const { connection, pid } = yield* Scope.provide(startEmbeddedPostgres(options), scope)
    const process = yield* pid
    expect(yield* query(connection, SETTINGS)).toEqual([DURABLE])
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    yield* Scope.close(scope, Exit.void)
    yield* gone(process)
    expect(existsSync(connection.path)).toBe(false)
  })

describe("the embedded PostgreSQL", () => {
  it("takes an eighth of the memory for pages, within bounds", () => {
    const gib = 1024 ** 3
    expect([0, gib, 2 * gib, 64 * gib].map((memory) => sharedBuffers(memory) / gib)).toEqual([0.125, 0.125, 0.25, 0.5])
  })

  itLive(
    "starts in an empty folder that only its owner may enter, durable, and stops with its scope",
    () => startsIn(),
    LIMIT
  )

  if (process.platform === "linux" && process.getuid?.() === 0) {
    itLive("starts as root without user namespaces", () => startsIn("nobody"), LIMIT)

    itLive(
      "goes on with a folder that was used in the other way",
      () =>
        Effect.gen(function* () {
          const dataDir = yield* temporaryFolder
          for (const isolation of ["nobody", "namespace", "nobody"] as const) {
            yield* Effect.scoped(
              Effect.flatMap(startEmbeddedPostgres({ dataDir, isolation, durable: false }), ({ connection }) =>
                query(connection, "CREATE TABLE IF NOT EXISTS kept (id int)")
              )
            )
          }
        }),
      LIMIT
    )
  }

  itLive(
    "is found under a path that is too long for a socket",
    () =>
      Effect.gen(function* () {
        const dataDir = join(yield* temporaryFolder, "deep".repeat(30))
        const { connection } = yield* startEmbeddedPostgres({ dataDir, durable: false })
        expect(yield* query(connection, "SELECT 1 AS one")).toEqual([{ one: 1 }])
      }),
    LIMIT
  )

  itLive(
    "refuses a folder that another server uses, and leaves that one alone",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const { connection } = yield* startEmbeddedPostgres({ dataDir, durable: false })
        const error = yield* Effect.flip(Effect.scoped(startEmbeddedPostgres({ dataDir, durable: false })))
        expect(error.message).toBe(
          `DATA_DIR ${dataDir} is in use by another server (process ${process.pid}): stop it, or choose another DATA_DIR.`
        )
        expect(yield* query(connection, "SELECT 1 AS one")).toEqual([{ one: 1 }])
      }),
    LIMIT
  )

  itLive(
    "starts again after its process was killed, with all that was committed",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const { host, postgres } = yield* startElsewhere(dataDir)
        const refused = yield* Effect.flip(Effect.scoped(startEmbeddedPostgres({ dataDir })))
        expect(refused.message).toContain(`in use by another server (process ${host})`)
        signal(host, "SIGKILL")
        const { connection } = yield* startEmbeddedPostgres({ dataDir })
        expect(yield* query(connection, "SELECT id FROM kept")).toEqual([{ id: 7 }])
        yield* gone(postgres)
      }),
    LIMIT
  )

  itLive(
    "starts again after it and its process were killed at once",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const { host, postgres } = yield* startElsewhere(dataDir)
        signal(postgres, "SIGKILL")
        signal(host, "SIGKILL")
        const { connection } = yield* startEmbeddedPostgres({ dataDir })
        expect(yield* query(connection, "SELECT id FROM kept")).toEqual([{ id: 7 }])
      }),
    LIMIT
  )

  itLive(
    "is restarted when it is stopped at once or killed, as often as that happens",
    () =>
      Effect.gen(function* () {
        const { connection, pid, stopAtOnce } = yield* startEmbeddedPostgres({ dataDir: yield* temporaryFolder })
        yield* query(connection, "CREATE TABLE kept AS SELECT 7 AS id")
        const kill = Effect.map(pid, (postmaster) => signal(postmaster, "SIGKILL"))
        for (const end of [stopAtOnce, kill, stopAtOnce]) {
          const before = yield* pid
          yield* end
          yield* gone(before)
          expect(yield* Effect.retry(query(connection, "SELECT id FROM kept"), soon)).toEqual([{ id: 7 }])
          expect(yield* pid).not.toBe(before)
        }
      }),
    LIMIT
  )

  itLive(
    "says what PostgreSQL said when it does not start",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        yield* Effect.scoped(startEmbeddedPostgres({ dataDir, durable: false }))
        writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "12\n")
        const error = yield* Effect.flip(startEmbeddedPostgres({ dataDir, durable: false }))
        expect(error.message).toContain("The embedded PostgreSQL did not start: ")
        expect(error.message).toContain("initialized by PostgreSQL version 12")
        expect(error.message).toContain(join(dataDir, "postgres.log"))
      }),
    LIMIT
  )
})
