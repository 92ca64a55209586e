import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { Direct } from "./BoundedClient.ts"
import { sessionName } from "./NodeSessions.ts"

/** For how long after a start of PostgreSQL, in seconds, a node that has not reconnected does not count as gone. */
const RECONNECT_SECONDS = 3

/** The node that writes. */
export interface Writer {
  readonly address: string
  /** Its process. After a restart the same address has another one. */
  readonly holder: string
  readonly term: bigint
  /** Whether it takes requests. */
  readonly isServing: boolean
  /** Since when. */
  readonly servingSince?: Date
}

interface WriterRow {
  readonly address: string | null
  readonly holder: string
  readonly term: bigint
  readonly since: Date | null
}

/** The nodes' sessions. */
interface Sessions {
  /** Whether all nodes have had time to connect since PostgreSQL started. */
  readonly settled: boolean
  readonly names: ReadonlyArray<string>
}

const sessionsOf = (sql: SqlClient) => sql`
  pg_postmaster_start_time() < now() - make_interval(secs => ${RECONNECT_SECONDS}) AS settled,
  ARRAY(
    SELECT DISTINCT application_name FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'emporion node %'
  ) AS names`

const NOBODY: Sessions = { settled: false, names: [] }

/** The nodes' sessions, also before the first migration. */
export const sessionsNow: Effect.Effect<Sessions, SqlError, SqlClient> = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(sql<Sessions>`SELECT ${sessionsOf(sql)}`, ([row]) => row ?? NOBODY)
)

/**
 * The same with the node that took the last term, in one statement; undefined if a server was alone. Fails before the first
 * migration.
 */
export const standingNow: Effect.Effect<
  { readonly writer: Writer | undefined; readonly sessions: Sessions },
  SqlError,
  SqlClient
> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<WriterRow & Sessions>`
    SELECT address, holder, term, serving_since AS since, ${sessionsOf(sql)} FROM writer_term`
  if (row === undefined) return { writer: undefined, sessions: yield* sessionsNow }
  const { address, holder, since, term } = row
  const serving = { isServing: since !== null, ...(since !== null && { servingSince: since }) }
  return { writer: address === null ? undefined : { address, holder, term, ...serving }, sessions: row }
})

/** How far the tables are. */
export interface Projected {
  /** The sequence of the last event that they have. */
  readonly seq: number
  /** Who may write to them: the last writer. */
  readonly term: bigint
}

/** How far the tables are now. */
export const projectedNow: Effect.Effect<Projected, SqlError, Direct> = Effect.flatMap(Direct, (sql) =>
  Effect.map(sql<{ readonly seq: bigint; readonly term: bigint }>`SELECT seq, term FROM projection`, ([row]) => ({
    seq: Number(row?.seq ?? 0n),
    term: row?.term ?? 0n
  }))
)

/** A node as the database knows it. */
export interface ListedNode {
  readonly address: string
  /** Since when it is connected; undefined if it is gone. */
  readonly since: Date | undefined
  /** Whether it took the last term. */
  readonly writes: boolean
}

/** The nodes of a database, and the one that writes. */
export interface NodeList {
  /** In the order of their addresses. */
  readonly nodes: ReadonlyArray<ListedNode>
  readonly term: bigint
  /** The writer's address; undefined if a server is alone, or none ever ran. */
  readonly writer: string | undefined
  /** Since when it takes requests; undefined if it does not. */
  readonly servingSince: Date | undefined
  /** Events that the tables lack. */
  readonly lag: number
}

interface Row {
  readonly term: bigint
  readonly address: string | null
  readonly serving_since: Date | null
  readonly lag: bigint
}

/** The nodes; none if the database never had any. */
export const nodesNow: Effect.Effect<NodeList, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<Row>`
    SELECT w.term, w.address, w.serving_since,
      greatest(0, coalesce((SELECT max(first_seq + count - 1) FROM journal), 0) - p.seq)::bigint AS lag
    FROM writer_term w, projection p`
  const [table] = yield* sql<{ readonly found: boolean }>`SELECT to_regclass('cluster_runners') IS NOT NULL AS found`
  const runners =
    table?.found === true
      ? yield* sql<{ readonly address: string }>`SELECT address FROM cluster_runners ORDER BY address`
      : []
  const sessions = yield* sql<{ readonly name: string; readonly since: Date }>`
    SELECT application_name AS name, min(backend_start) AS since FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'emporion node %' GROUP BY application_name`
  const since = new Map(sessions.map((session) => [session.name, session.since]))
  const writer = row?.address ?? undefined
  return {
    nodes: runners.map(({ address }) => ({
      address,
      since: since.get(sessionName(address)),
      writes: address === writer
    })),
    term: row?.term ?? 0n,
    writer,
    servingSince: row?.serving_since ?? undefined,
    lag: Number(row?.lag ?? 0n)
  }
})

/** The same on the program's own connections. */
export const nodesSource: Effect.Effect<Effect.Effect<NodeList, SqlError>, never, SqlClient> = Effect.map(
  SqlClient,
  (sql) => Effect.provideService(nodesNow, SqlClient, sql)
)
