import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import type { Cell, CountedUsage } from "./UsageCounts.ts"

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

const ofCompany = (sql: SqlClient, { endpoint, from, to }: UsageRange, companyId: string) =>
  sql<Row>`
    SELECT day, endpoint, requests, client_errors, server_errors, latency::text AS latency FROM usage_days
    WHERE company_id = ${companyId} AND day BETWEEN ${from} AND ${to}
      AND (${endpoint ?? null}::text IS NULL OR endpoint = ${endpoint ?? null})
    ORDER BY day, endpoint`

const ofAll = (sql: SqlClient, { endpoint, from, to }: UsageRange) =>
  sql<Row>`
    WITH chosen AS (
      SELECT * FROM usage_days WHERE day BETWEEN ${from} AND ${to}
        AND (${endpoint ?? null}::text IS NULL OR endpoint = ${endpoint ?? null})
    ), counted AS (
      SELECT day, endpoint, sum(requests)::bigint AS requests, sum(client_errors)::bigint AS client_errors,
        sum(server_errors)::bigint AS server_errors
      FROM chosen GROUP BY day, endpoint
    ), buckets AS (
      SELECT day, endpoint, bucket, sum(count)::bigint AS count
      FROM chosen, unnest(latency) WITH ORDINALITY AS counts (count, bucket) GROUP BY day, endpoint, bucket
    ), latencies AS (
      SELECT day, endpoint, array_agg(count ORDER BY bucket)::text AS latency FROM buckets GROUP BY day, endpoint
    )
    SELECT counted.*, latencies.latency FROM counted JOIN latencies USING (day, endpoint) ORDER BY day, endpoint`

/** Usage by day in the database. */
export class UsageRepository extends Context.Service<
  UsageRepository,
  {
    /** Adds to what is counted, all or nothing. No two may be of the same company, day and endpoint. */
    readonly add: (usage: ReadonlyArray<CountedUsage>) => Effect.Effect<void, Unavailable>
    /** By day and endpoint. */
    readonly read: (range: UsageRange) => Effect.Effect<ReadonlyArray<EndpointDay>, Unavailable>
  }
>()("emporion/analytics/UsageRepository") {
  static readonly layer: Layer.Layer<UsageRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      UsageRepository.of({
        add: (usage) => (usage.length === 0 ? Effect.void : unavailableOrDie(Effect.asVoid(adding(sql)(usage)))),
        read: (range) =>
          unavailableOrDie(
            Effect.map(
              range.companyId === undefined ? ofAll(sql, range) : ofCompany(sql, range, range.companyId),
              (rows) => rows.map(toDay)
            )
          )
      })
    )
  )
}
