import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { startEmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"
import { USER } from "../../src/database/PostgresCluster.ts"

/** What decides whether a commit survives a crash. */
const DURABILITY = ["fsync", "synchronous_commit", "full_page_writes", "wal_sync_method", "commit_delay"]

/** The PostgreSQL that everything in a run is measured on, with the settings of the program's own. */
export interface BenchPostgres {
  /** The socket's file. */
  readonly path: string
  readonly version: string
  /** As the server says them. */
  readonly durability: Readonly<Record<string, string>>
  /** A new database: empty, or with all of another that nobody is connected to. */
  readonly create: (template?: string) => Effect.Effect<string>
  readonly drop: (database: string) => Effect.Effect<void>
  readonly query: <A>(database: string, statement: string) => Effect.Effect<ReadonlyArray<A>>
  /** Runs statements one after the other on one connection. */
  readonly script: (database: string, statements: ReadonlyArray<string>) => Effect.Effect<void>
}

/** A case has several servers at once. */
const MAX_CONNECTIONS = 120

/** A database's address, as `DATABASE_URL`. */
export const urlOf = ({ path }: BenchPostgres, database: string): string =>
  `postgresql://${USER}@localhost/${database}?host=${encodeURIComponent(dirname(path))}`

/** A folder of its own, removed with the scope. */
export const temporaryFolder = (name: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), `emporion-bench-${name}-`))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

/** Starts it in a folder of its own, as durable as the program's. It stops with the scope. */
export const startBenchPostgres = Effect.gen(function* () {
  const dataDir = yield* temporaryFolder("pg")
  const { connection } = yield* startEmbeddedPostgres({ dataDir, maxConnections: MAX_CONNECTIONS })
  const { path } = connection

  const query = <A>(database: string, statement: string): Effect.Effect<ReadonlyArray<A>> =>
    Effect.scoped(
      Effect.flatMap(PgConnection.make({ path, username: USER, database }), (session) =>
        session.query(statement, [], false)
      )
    ).pipe(
      Effect.map(({ rows }) => rows as ReadonlyArray<A>),
      Effect.orDie
    )

  const script = (database: string, statements: ReadonlyArray<string>): Effect.Effect<void> =>
    Effect.scoped(
      Effect.flatMap(PgConnection.make({ path, username: USER, database }), (session) =>
        Effect.forEach(statements, (statement) => session.query(statement, [], false), { discard: true })
      )
    ).pipe(Effect.orDie)

  const names = DURABILITY.map((name) => `'${name}'`).join(", ")
  const settings = yield* query<{ name: string; setting: string }>(
    "postgres",
    `SELECT name, setting FROM pg_settings WHERE name IN (${names}) ORDER BY name`
  )
  const [found] = yield* query<{ version: string }>("postgres", "SELECT current_setting('server_version') AS version")
  let made = 0

  return {
    path,
    version: found?.version ?? "",
    durability: Object.fromEntries(settings.map(({ name, setting }) => [name, setting])),
    query,
    script,
    create: (template = "template1") =>
      Effect.suspend(() => {
        made += 1
        const name = `bench_${made}`
        return Effect.as(query("postgres", `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`), name)
      }),
    drop: (database) => Effect.asVoid(query("postgres", `DROP DATABASE ${database} WITH (FORCE)`))
  } satisfies BenchPostgres
}).pipe(Effect.orDie)
