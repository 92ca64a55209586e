import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { Cell, type CountedUsage } from "./UsageCounts.ts"

/** The company whose rows are the sums of all, so that nobody has to add them up. */
export const EVERYBODY = "*"

/** What was asked of one endpoint on one day. */
export interface EndpointDay {
  /** Days since 1970 in UTC. */
  readonly day: number
  readonly endpoint: string
  readonly requests: number
  readonly clientErrors: number
  readonly serverErrors: number
  /** The counts of the buckets of {@link LatencyHistogram}, without the zeros at the end. */
  readonly latency: ReadonlyArray<number>
}

/** Of which days, of one company or all, and of one endpoint or all. */
export interface UsageRange {
  readonly companyId: string | undefined
  readonly from: number
  /** Included. */
  readonly to: number
  readonly endpoint: string | undefined
}

interface Row {
  readonly day: number
  readonly endpoint: string
  readonly requests: bigint
  readonly client_errors: bigint
  readonly server_errors: bigint
  readonly latency: string
}

const toDay = (row: Row): EndpointDay => ({
  day: row.day,
  endpoint: row.endpoint,
  requests: Number(row.requests),
  clientErrors: Number(row.client_errors),
  serverErrors: Number(row.server_errors),
  latency: row.latency.slice(1, -1).split(",").map(Number)
})

/** An array in PostgreSQL's own notation, because parameters are no arrays of arrays. */
const literal = ({ latency }: Cell): string => {
  const end = latency.findLastIndex((count) => count > 0) + 1
  return `{${latency.subarray(0, end).join(",")}}`
}

/** By day and endpoint. */
const sumsOf = (usage: ReadonlyArray<CountedUsage>): ReadonlyArray<CountedUsage> => {
  const sums = new Map<string, CountedUsage>()
  for (const { cell, day, endpoint } of usage) {
    const key = `${day} ${endpoint}`
    const sum = sums.get(key) ?? { companyId: EVERYBODY, day, endpoint, cell: new Cell() }
    sum.cell.add(cell)
    sums.set(key, sum)
  }
  return [...sums.values()]
}

const adding = (sql: SqlClient) => (usage: ReadonlyArray<CountedUsage>) =>
  sql`
    INSERT INTO usage_days AS kept
      (company_id, day, endpoint, requests, client_errors, server_errors, latency)
    SELECT company_id, day, endpoint, requests, client_errors, server_errors, latency::bigint[] FROM unnest(
      ${usage.map(({ companyId }) => companyId)}::text[],
      ${usage.map(({ day }) => day)}::integer[],
      ${usage.map(({ endpoint }) => endpoint)}::text[],
      ${usage.map(({ cell }) => BigInt(cell.requests))}::bigint[],
      ${usage.map(({ cell }) => BigInt(cell.clientErrors))}::bigint[],
      ${usage.map(({ cell }) => BigInt(cell.serverErrors))}::bigint[],
      ${usage.map(({ cell }) => literal(cell))}::text[]
    ) AS counted (company_id, day, endpoint, requests, client_errors, server_errors, latency)
    ON CONFLICT (company_id, day, endpoint) DO UPDATE SET
      requests = kept.requests + excluded.requests,
      client_errors = kept.client_errors + excluded.client_errors,
      server_errors = kept.server_errors + excluded.server_errors,
      latency = (
        SELECT array_agg(coalesce(one, 0) + coalesce(other, 0) ORDER BY bucket)
        FROM unnest(kept.latency, excluded.latency) WITH ORDINALITY AS sums (one, other, bucket))`

const reading = (sql: SqlClient, { companyId, endpoint, from, to }: UsageRange) =>
  sql<Row>`
    SELECT day, endpoint, requests, client_errors, server_errors, latency::text AS latency FROM usage_days
    WHERE company_id = ${companyId ?? EVERYBODY} AND day BETWEEN ${from} AND ${to}
      AND (${endpoint ?? null}::text IS NULL OR endpoint = ${endpoint ?? null})
    ORDER BY day, endpoint`

/** Usage by day in the database. */
export class UsageRepository extends Context.Service<
  UsageRepository,
  {
    /** Adds to what is counted, all or nothing. No two may be of the same company, day and endpoint. */
    readonly add: (usage: ReadonlyArray<CountedUsage>) => Effect.Effect<void, Unavailable>
    /** By day and endpoint. */
    readonly read: (range: UsageRange) => Effect.Effect<ReadonlyArray<EndpointDay>, Unavailable>
    /** Removes at most so many rows of days before one; answers how many. */
    readonly prune: (day: number, limit: number) => Effect.Effect<number, Unavailable>
  }
>()("emporion/analytics/UsageRepository") {
  static readonly layer: Layer.Layer<UsageRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      UsageRepository.of({
        add: (usage) =>
          usage.length === 0 ? Effect.void : unavailableOrDie(Effect.asVoid(adding(sql)([...usage, ...sumsOf(usage)]))),
        read: (range) => unavailableOrDie(Effect.map(reading(sql, range), (rows) => rows.map(toDay))),
        prune: (day, limit) =>
          sql`
            DELETE FROM usage_days WHERE ctid = ANY (ARRAY(
              SELECT ctid FROM usage_days WHERE day < ${day} ORDER BY day LIMIT ${BigInt(limit)}))
            RETURNING day`.pipe(
            Effect.map((rows) => rows.length),
            unavailableOrDie
          )
      })
    )
  )
}
