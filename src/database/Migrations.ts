import { Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { createHash } from "node:crypto"
import { StatementWait } from "./BoundedClient.ts"
import type { Migration } from "./Migration.ts"
import { registry } from "./migrations/Registry.ts"

/** The database's schema and the program's migrations do not fit. Its message is one sentence that says what to do. */
export class MigrationRefused extends Data.TaggedError("MigrationRefused")<{ readonly message: string }> {}

/** The key of the advisory lock for changes of the schema: "migr" in ASCII. */
const LOCK = 0x6d696772

/** How long one statement of a migration may take, which may rewrite a large table. */
const STATEMENT_LIMIT = "1h"

/** What a database remembers of a migration that it ran. */
export interface Applied {
  readonly id: number
  readonly name: string
  readonly checksum: string
}

const hashed = ({ up }: Migration): string => {
  const hash = createHash("sha256")
  for (const statement of up) hash.update(`${statement.trim().replaceAll(/\s+/g, " ")};\n`)
  return hash.digest("hex")
}

/** A node that takes over knows them from its rehearsal. */
const checksums = new WeakMap<Migration, string>()

/** SHA-256 over the statements of `up`, in hex. Layout alone does not change it. */
export const checksum = (migration: Migration): string => {
  const known = checksums.get(migration)
  if (known !== undefined) return known
  const made = hashed(migration)
  checksums.set(migration, made)
  return made
}

export const label = ({ id, name }: { readonly id: number; readonly name: string }): string =>
  `${String(id).padStart(4, "0")}_${name}`

/**
 * The migrations that a database still needs, or a sentence why it cannot have them.
 *
 * @param applied - what the database ran, in order
 */
export const pending = (
  migrations: ReadonlyArray<Migration>,
  applied: ReadonlyArray<Applied>
): ReadonlyArray<Migration> | string => {
  const unordered = migrations.find((migration, at) => at > 0 && migration.id <= (migrations[at - 1]?.id ?? 0))
  if (unordered !== undefined) return `Migration ${label(unordered)} is not after the one before it.`
  const known = new Map(migrations.map((migration) => [migration.id, migration]))
  for (const ran of applied) {
    const migration = known.get(ran.id)
    if (migration === undefined) {
      return `The database has migration ${label(ran)}, which this version does not know: start a newer version.`
    }
    if (checksum(migration) !== ran.checksum) {
      return `Migration ${label(ran)} was changed after it ran: restore it, and write the change as a new migration.`
    }
  }
  const done = new Set(applied.map(({ id }) => id))
  const last = applied.at(-1)
  const todo = migrations.filter(({ id }) => !done.has(id))
  const late = todo.find(({ id }) => last !== undefined && id < last.id)
  if (late === undefined || last === undefined) return todo
  return `Migration ${label(late)} comes before ${label(last)}, which already ran: give it a later number.`
}

const ensureTable = `CREATE TABLE IF NOT EXISTS schema_migrations (
  id integer PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)`

const refuse = (message: string): Effect.Effect<never, MigrationRefused> =>
  Effect.fail(new MigrationRefused({ message }))

/** What a database has run and what it still needs, oldest first. */
export interface SchemaStatus {
  readonly applied: ReadonlyArray<Applied & { readonly at: Date }>
  readonly pending: ReadonlyArray<Migration>
}

/** Looks, and changes nothing. */
export const status = Effect.fn("Migrations.status")(function* (migrations: ReadonlyArray<Migration> = registry) {
  const sql = yield* SqlClient
  const [table] = yield* sql<{ readonly found: boolean }>`
    SELECT to_regclass('schema_migrations') IS NOT NULL AS found`
  const applied =
    table?.found === true
      ? yield* sql<SchemaStatus["applied"][number]>`
          SELECT id, name, checksum, applied_at AS at FROM schema_migrations ORDER BY id`
      : []
  const todo = pending(migrations, applied)
  if (typeof todo === "string") return yield* refuse(todo)
  return { applied, pending: todo } satisfies SchemaStatus
})

/** The last so many of the migrations that ran, the last first; refused where one of them cannot be undone. */
export const undoable = Effect.fnUntraced(function* (
  { applied }: SchemaStatus,
  count: number,
  migrations: ReadonlyArray<Migration> = registry
): Effect.fn.Return<ReadonlyArray<Migration>, MigrationRefused> {
  const last = applied.slice(-count).toReversed()
  const undone = last.flatMap(({ id }) => migrations.filter((migration) => migration.id === id))
  for (const migration of undone) yield* reversible(migration)
  return undone
})

const reversible = (migration: Migration): Effect.Effect<ReadonlyArray<string>, MigrationRefused> =>
  "irreversible" in migration.down
    ? refuse(`${label(migration)} cannot be undone: ${migration.down.irreversible}`)
    : Effect.succeed(migration.down)

/** Runs one step in a transaction that no other process can run at the same time. */
const exclusively = <A, E>(
  sql: SqlClient,
  body: (applied: ReadonlyArray<Applied>) => Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError> =>
  Effect.provideService(exclusive(sql, body), StatementWait, Number.POSITIVE_INFINITY)

const exclusive = <A, E>(
  sql: SqlClient,
  body: (applied: ReadonlyArray<Applied>) => Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError> =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT set_config('statement_timeout', ${STATEMENT_LIMIT}, true),
        set_config('lock_timeout', ${STATEMENT_LIMIT}, true)`
      yield* sql`SELECT pg_advisory_xact_lock(${LOCK})`
      yield* sql.unsafe(ensureTable).unprepared
      return yield* body(yield* sql<Applied>`SELECT id, name, checksum FROM schema_migrations ORDER BY id`)
    })
  )

const remember = (sql: SqlClient, migration: Migration) =>
  sql`INSERT INTO schema_migrations (id, name, checksum) VALUES (${migration.id}, ${migration.name}, ${checksum(migration)})`

const runAll = (sql: SqlClient, statements: ReadonlyArray<string>): Effect.Effect<void, SqlError> =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true })

/** Refuses to change tables that lack events of the journal: the version that appended these must write them. */
const refuseTail = Effect.fnUntraced(function* (sql: SqlClient) {
  const [table] = yield* sql<{ readonly found: boolean }>`SELECT to_regclass('projection') IS NOT NULL AS found`
  if (table?.found !== true) return
  const [tail] = yield* sql<{ readonly events: bigint }>`
    SELECT coalesce(last.seq, 0) - least(projection.seq, coalesce(last.seq, 0)) AS events
    FROM projection, (SELECT max(first_seq + count - 1) AS seq FROM journal) AS last`
  if (tail === undefined || tail.events === 0n) return
  return yield* refuse(
    `The tables lack ${tail.events} events of the journal, for the server was killed: start the version that ran last once more, which writes them, and stop it.`
  )
})

/** Runs it on one connection, outside of a transaction. Whoever migrates holds the process lock, so nobody else does. */
const applyConcurrently = (sql: SqlClient, migration: Migration): Effect.Effect<void, SqlError> =>
  Effect.scoped(
    Effect.flatMap(sql.reserve, (connection) =>
      sql`SELECT set_config('statement_timeout', ${STATEMENT_LIMIT}, false),
        set_config('lock_timeout', ${STATEMENT_LIMIT}, false)`.pipe(
        Effect.andThen(runAll(sql, migration.up)),
        Effect.andThen(remember(sql, migration)),
        Effect.ensuring(Effect.ignore(sql.unsafe("RESET ALL").unprepared)),
        Effect.provideService(sql.transactionService, [connection, 0])
      )
    )
  ).pipe(Effect.provideService(StatementWait, Number.POSITIVE_INFINITY))

/** Applies the first pending migration; returns it, or undefined if none is. */
const applyNext = Effect.fnUntraced(function* (
  sql: SqlClient,
  migrations: ReadonlyArray<Migration>
): Effect.fn.Return<Migration | undefined, MigrationRefused | SqlError> {
  const next = yield* exclusively(
    sql,
    Effect.fnUntraced(function* (applied) {
      const todo = pending(migrations, applied)
      if (typeof todo === "string") return yield* refuse(todo)
      const [next] = todo
      if (next === undefined) return undefined
      yield* refuseTail(sql)
      if (next.concurrently === true) return next
      yield* runAll(sql, next.up)
      yield* remember(sql, next)
      return next
    })
  )
  if (next?.concurrently === true) yield* applyConcurrently(sql, next)
  return next
})

/** Brings the schema to the last migration, each in its own transaction. Returns those that ran now. */
export const migrate = Effect.fn("Migrations.migrate")(function* (migrations: ReadonlyArray<Migration> = registry) {
  const sql = yield* SqlClient
  const ran: Array<Migration> = []
  for (;;) {
    const next = yield* applyNext(sql, migrations)
    if (next === undefined) break
    ran.push(next)
  }
  if (ran.length > 0) yield* Effect.logInfo(`Migrations applied: ${ran.map(label).join(", ")}.`)
  return ran
})

const undoLast = (
  sql: SqlClient,
  migrations: ReadonlyArray<Migration>,
  target: number
): Effect.Effect<Migration | undefined, MigrationRefused | SqlError> =>
  exclusively(
    sql,
    Effect.fnUntraced(function* (applied) {
      const todo = pending(migrations, applied)
      if (typeof todo === "string") return yield* refuse(todo)
      const last = migrations.find(({ id }) => id === applied.at(-1)?.id)
      if (last === undefined || last.id <= target) return undefined
      yield* refuseTail(sql)
      yield* runAll(sql, yield* reversible(last))
      yield* sql`DELETE FROM schema_migrations WHERE id = ${last.id}`
      return last
    })
  )

/** Undoes every migration after the target, the last first, up to one that cannot be undone. */
export const rollback = Effect.fn("Migrations.rollback")(function* (
  target: number,
  migrations: ReadonlyArray<Migration> = registry
) {
  const sql = yield* SqlClient
  const undone: Array<Migration> = []
  for (;;) {
    const last = yield* undoLast(sql, migrations, target)
    if (last === undefined) return undone
    yield* Effect.logInfo(`Migration ${label(last)} undone.`)
    undone.push(last)
  }
})

/** Migrates when it is built. */
export const layer: Layer.Layer<never, MigrationRefused | SqlError, SqlClient> = Layer.effectDiscard(migrate())
