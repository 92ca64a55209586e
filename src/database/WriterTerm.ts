import { PgClient } from "@effect/sql-pg"
import { Clock, Context, Deferred, Effect, Layer, Semaphore } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { randomBytes } from "node:crypto"
import { Deposed } from "../../engine/journal/Deposed.ts"
import { ConnectionCheck, Direct, StatementWait } from "./BoundedClient.ts"
import { proving, TermProof } from "./TermProof.ts"

const ANOTHER =
  "Another server writes on this database since: this one stops. Start it again only where it is to take over."

const otherPlace = (before: Place, now: Place): Deposed =>
  new Deposed({
    message: `The database answers as another one (system ${now.system}, timeline ${now.timeline}; it was system ${before.system}, timeline ${before.timeline}), which may lack what was acknowledged: this server stops. Look which one is right, then start again.`
  })

/** Where the other nodes reach this process; undefined where it is alone. */
export const WriterAddress = Context.Reference<string | undefined>("emporion/database/WriterAddress", {
  defaultValue: () => undefined
})

/** How long a start waits for a transaction of the previous writer, in milliseconds. */
const TAKE_LIMIT = 30_000

/** How long the previous writer's sessions may take to end, and how often to look, in milliseconds. */
const END_LIMIT = 5_000
const END_POLL = 5

/** How long the end of a writer may take to be noted, in milliseconds. */
const LEAVE_LIMIT = 1_000

/** Which cluster of PostgreSQL, and which of its histories. */
interface Place {
  readonly system: bigint
  readonly timeline: number
}

const isSame = (one: Place, other: Place): boolean => one.system === other.system && one.timeline === other.timeline

interface Row {
  readonly term: bigint
  readonly sessions: string
  readonly system: bigint | null
  readonly timeline: number | null
}

/**
 * The right to append, which outlives the lock's session: a number that grows with each writer.
 *
 * A writer takes a higher term than the last, which waits for what is on its way under that one, and reads only then. An
 * append locks the term that it was decided under, and fails where it is not the last: so nothing is written behind the
 * back of a writer that has begun to read. The same holds for a writer's own connection that was lost, and for the
 * tables, whose position has the term that may move it.
 */
export class WriterTerm extends Context.Service<
  WriterTerm,
  {
    readonly current: () => bigint
    /** Takes a higher term again. Fails if another process took one, or if the database is not the same any more. */
    readonly renew: Effect.Effect<void, Deposed | SqlError>
    /** Fails if another process took a higher term. */
    readonly check: Effect.Effect<void, Deposed | SqlError>
    /** Notes that this process may no longer write. */
    readonly resign: (why: Deposed) => Effect.Effect<never, Deposed>
    /** Fails once this process may no longer write. */
    readonly deposed: Effect.Effect<never, Deposed>
    /** Whether this process certainly writes, as far as it can know without asking. */
    readonly holds: () => boolean
    /** Says to the other nodes that this one takes requests from now on. */
    readonly serve: Effect.Effect<void, SqlError>
  }
>()("emporion/database/WriterTerm") {
  /** Takes the next term when it is built. */
  static readonly layer: Layer.Layer<WriterTerm, SqlError, PgClient.PgClient | Direct | ConnectionCheck> = Layer.effect(
    this,
    Effect.suspend(() => make)
  )

  /** No right at all, for a journal that keeps nothing. */
  static readonly none: Layer.Layer<WriterTerm> = Layer.succeed(
    this,
    this.of({
      current: () => 0n,
      renew: Effect.void,
      check: Effect.void,
      resign: Effect.fail,
      deposed: Effect.never,
      holds: () => true,
      serve: Effect.void
    })
  )
}

const placeNow = (sql: SqlClient) => sql<Place>`
  SELECT (SELECT system_identifier FROM pg_control_system()) AS system,
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer AS timeline`

const readPlace = (sql: SqlClient): Effect.Effect<Place, SqlError> =>
  Effect.flatMap(placeNow(sql), ([place]) =>
    place === undefined ? Effect.die(new Error("the database does not say which it is")) : Effect.succeed(place)
  )

/** The connections of a writer. */
const sessionsOf = (sql: SqlClient, name: string) => sql`pg_stat_activity
    WHERE datname = current_database() AND application_name IN (${name}, ${writerName(name)})`

/**
 * Ends the previous writer's connections: a stopped process keeps them, with the locks of its unfinished work. Those that were
 * asked to end before are left alone. Returns the processes of all that were asked.
 */
const endSessions = Effect.fnUntraced(function* (sql: SqlClient, name: string, asked: ReadonlyArray<number>) {
  const sessions = sessionsOf(sql, name)
  const others = sql`${sessions} AND pid <> ALL(${asked}::int[])`
  const ended = yield* sql<{ readonly pid: number }>`SELECT pid, pg_terminate_backend(pid) FROM ${others}`
  if (ended.length === 0) return asked
  const pids = ended.map(({ pid }) => pid)
  // PostgreSQL itself would look whether one has ended only every 100 ms. Whoever lives on may connect again meanwhile.
  const left = Effect.delay(sql`SELECT 1 FROM ${sessions} AND ${sql.in("pid", pids)}`, END_POLL)
  yield* Effect.timeoutOption(Effect.repeat(left, { until: ({ length }) => length === 0 }), END_LIMIT)
  yield* Effect.logWarning(`Ended ${ended.length} connections of the server that wrote before (${name}).`)
  return [...asked, ...pids]
})

/** The name of the connection on which a process appends. */
export const writerName = (applicationName: string): string => `${applicationName} writer`

/** A connection that reads nothing more. */
const refused = ({ message }: Deposed): Effect.Effect<never, SqlError> =>
  Effect.fail(new SqlError({ reason: new ConnectionError({ cause: new Error(message), message, operation: "query" }) }))

/** Takes the next term, whoever held the last. If the database is not the same as then, its log gets another name. */
const take = (sql: SqlClient, holder: string, sessions: string, address: string | undefined) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT set_config('lock_timeout', ${String(TAKE_LIMIT)}, true),
        set_config('statement_timeout', ${String(TAKE_LIMIT)}, true)`
      const [before] = yield* sql<Row>`
        SELECT term, sessions, system_identifier AS system, timeline FROM writer_term FOR UPDATE`
      if (before === undefined) return yield* Effect.die(new Error("the database has no term"))
      const place = yield* readPlace(sql)
      const term = before.term + 1n
      yield* sql`
        UPDATE writer_term SET term = ${term}, holder = ${holder}, sessions = ${sessions}, taken_at = now(),
          address = ${address ?? null}, serving_since = NULL,
          system_identifier = ${place.system}, timeline = ${place.timeline}`
      yield* sql`UPDATE projection SET term = ${term}`
      const { system, timeline } = before
      if (system !== null && timeline !== null && !isSame({ system, timeline }, place)) {
        yield* Effect.logWarning("The database is another one than at the last start: streams begin anew.")
        yield* sql`UPDATE event_log SET epoch = replace(gen_random_uuid()::text, '-', '')`
      }
      return { term, place, previous: before.sessions }
    })
  )

/**
 * Notes that a writer ended in order: the next one has nothing to end. It has where PostgreSQL still works on a statement
 * or a transaction that this one gave up on, whose locks the next one would wait for. A read that has not ended is none.
 */
const leave = (sql: SqlClient, holder: string, sessions: string): Effect.Effect<void> =>
  sql`
    UPDATE writer_term SET sessions = '' WHERE holder = ${holder} AND NOT EXISTS (
      SELECT 1 FROM ${sessionsOf(sql, sessions)} AND state <> 'idle' AND pid <> pg_backend_pid()
          AND NOT (state = 'active' AND backend_xid IS NULL AND query ~* '^\\s*SELECT\\M'))`.pipe(
    Effect.timeout(LEAVE_LIMIT),
    Effect.ignore
  )

/** Takes the next term, and ends the connections of whoever wrote before. */
const takeOver = Effect.fnUntraced(function* (sql: SqlClient, holder: string, sessions: string) {
  const end = (name: string, asked: ReadonlyArray<number> = []) =>
    name === "" || name === sessions
      ? Effect.succeed(asked)
      : Effect.provideService(endSessions(sql, name, asked), StatementWait, TAKE_LIMIT).pipe(
          Effect.catch((error) =>
            Effect.as(Effect.logWarning("Connections of the server that wrote before were not ended.", error), asked)
          )
        )
  const [before] = yield* sql<{ readonly sessions: string }>`SELECT sessions FROM writer_term`
  const asked = yield* end(before?.sessions ?? "")
  const address = yield* WriterAddress
  const taken = yield* Effect.provideService(take(sql, holder, sessions, address), StatementWait, TAKE_LIMIT + 1_000)
  // What the previous one opened meanwhile passed its check. What it opens from now on does not.
  yield* end(taken.previous, asked)
  return taken
})

const make = Effect.gen(function* () {
  const { config } = yield* PgClient.PgClient
  const sql = yield* Direct
  const sessions = config.applicationName ?? ""
  const holder = randomBytes(16).toString("hex")
  const lost = yield* Deferred.make<never, Deposed>()

  const clock = yield* Clock.Clock
  const now = (): bigint => clock.monotonicTimeNanosUnsafe()
  const proof = new TermProof(now())
  const taken = yield* takeOver(sql, holder, sessions)
  let term = taken.term
  yield* Effect.logDebug(`The term is ${term}.`)
  yield* Effect.addFinalizer(() => leave(sql, holder, sessions))

  const resign = (why: Deposed): Effect.Effect<never, Deposed> =>
    Effect.suspend(() => {
      proof.over()
      return Effect.andThen(Deferred.fail(lost, why), Deferred.await(lost))
    })

  const replaced = resign(new Deposed({ message: ANOTHER }))

  const renew = Effect.gen(function* () {
    const askedAt = now()
    const [row] = yield* sql<{ readonly term: bigint }>`
      WITH renewed AS (
        UPDATE writer_term SET term = term + 1, taken_at = now() WHERE holder = ${holder} RETURNING term)
      UPDATE projection SET term = renewed.term FROM renewed RETURNING renewed.term`
    if (row === undefined) return yield* replaced
    const place = yield* readPlace(sql)
    if (!isSame(taken.place, place)) return yield* resign(otherPlace(taken.place, place))
    term = row.term
    proof.proved(askedAt)
  })

  const check = Effect.gen(function* () {
    const askedAt = now()
    const rows = yield* sql`SELECT 1 FROM writer_term WHERE holder = ${holder}`
    if (rows.length === 0) return yield* replaced
    proof.proved(askedAt)
  })
  const checking = yield* ConnectionCheck
  yield* checking.set((connection) =>
    Effect.flatMap(connection.execute("SELECT 1 FROM writer_term WHERE holder = $1", [holder], undefined), (rows) =>
      rows.length > 0 ? Effect.void : replaced.pipe(Effect.catch(refused))
    )
  )
  const connection = { ...config, applicationName: writerName(sessions) }
  const holds = yield* proving({ connection, check, proof, now })

  return WriterTerm.of({
    current: () => term,
    renew: Semaphore.makeUnsafe(1).withPermit(renew),
    check,
    resign,
    deposed: Deferred.await(lost),
    holds,
    serve: sql`UPDATE writer_term SET serving_since = now() WHERE holder = ${holder}`
  })
})
