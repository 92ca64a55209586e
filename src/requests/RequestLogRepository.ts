import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { bigints, nullableBigints, nullableTexts, texts } from "../database/ArrayParameter.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { firstIdAt, type LoggedRequest, type RequestPhases } from "./LoggedRequest.ts"

/** Which requests are listed; undefined for any. */
export interface RequestFilter {
  readonly companyId: string | undefined
  readonly userId: string | undefined
  /** The first digit of the status. */
  readonly statusClass: number | undefined
  /** Those whose status is 400 or above. */
  readonly isRefused: boolean
  readonly code: string | undefined
  readonly operation: string | undefined
  /** What their path contains. */
  readonly path: string | undefined
  /** Answered since this time and before that one, in milliseconds since 1970. */
  readonly since: number | undefined
  readonly until: number | undefined
  /** The one that wrote this event. */
  readonly eventSeq: number | undefined
}

interface Row {
  readonly id: bigint
  readonly request_id: string
  readonly at: bigint
  readonly company_id: string | null
  readonly user_id: string | null
  readonly client_id: string | null
  readonly address: string
  readonly operation: string
  readonly path: string
  readonly query: string | null
  readonly status: number
  readonly code: string | null
  readonly duration_us: bigint
  readonly request_bytes: bigint | null
  readonly response_bytes: bigint | null
  readonly trace_id: string | null
  readonly body: string | null
  readonly event_seqs: string | null
  readonly phases: string | null
}

const numberOf = (value: bigint | null): number | undefined => (value === null ? undefined : Number(value))

/** An array in PostgreSQL's own notation. */
const literal = (values: ReadonlyArray<number | undefined>): string =>
  `{${values.map((value) => value ?? "NULL").join(",")}}`

const numbersOf = (text: string | null): ReadonlyArray<number | undefined> =>
  text === null || text === "{}"
    ? []
    : text
        .slice(1, -1)
        .split(",")
        .map((value) => (value === "NULL" ? undefined : Number(value)))

const phasesOf = (text: string | null): RequestPhases | undefined => {
  if (text === null) return undefined
  const [checks = 0, decision = 0, append = 0, answer = 0, projection] = numbersOf(text)
  return { checks, decision, append, answer, projection }
}

const toRequest = (row: Row): LoggedRequest => ({
  id: Number(row.id),
  requestId: row.request_id,
  at: Number(row.at),
  companyId: row.company_id ?? undefined,
  userId: row.user_id ?? undefined,
  clientId: row.client_id ?? undefined,
  address: row.address,
  operation: row.operation,
  path: row.path,
  query: row.query ?? undefined,
  status: row.status,
  code: row.code ?? undefined,
  durationMicros: Number(row.duration_us),
  requestBytes: numberOf(row.request_bytes),
  responseBytes: numberOf(row.response_bytes),
  traceId: row.trace_id ?? undefined,
  body: row.body ?? undefined,
  eventSeqs: numbersOf(row.event_seqs).flatMap((seq) => seq ?? []),
  phases: phasesOf(row.phases)
})

const orNull = (rows: ReadonlyArray<LoggedRequest>, of: (row: LoggedRequest) => string | undefined) =>
  nullableTexts(rows.map((row) => of(row) ?? null))

const orNullNumber = (rows: ReadonlyArray<LoggedRequest>, of: (row: LoggedRequest) => number | undefined) =>
  nullableBigints(
    rows.map((row) => {
      const value = of(row)
      return value === undefined ? null : BigInt(value)
    })
  )

const phasesText = ({ phases }: LoggedRequest): string | undefined =>
  phases && literal([phases.checks, phases.decision, phases.append, phases.answer, phases.projection])

const adding = (sql: SqlClient) => (rows: ReadonlyArray<LoggedRequest>) =>
  sql`
    INSERT INTO request_log (id, at, request_id, company_id, user_id, client_id, address, operation, path, query,
      status, code, duration_us, request_bytes, response_bytes, trace_id, body, event_seqs, phases)
    SELECT id, at, request_id, company_id, user_id, client_id, address, operation, path, query, status::integer, code,
      duration_us, request_bytes, response_bytes, trace_id, body, event_seqs::bigint[], phases::bigint[]
    FROM unnest(
      ${bigints(rows.map(({ id }) => BigInt(id)))}::bigint[],
      ${bigints(rows.map(({ at }) => BigInt(at)))}::bigint[],
      ${texts(rows.map(({ requestId }) => requestId))}::text[],
      ${orNull(rows, ({ companyId }) => companyId)}::text[],
      ${orNull(rows, ({ userId }) => userId)}::text[],
      ${orNull(rows, ({ clientId }) => clientId)}::text[],
      ${texts(rows.map(({ address }) => address))}::text[],
      ${texts(rows.map(({ operation }) => operation))}::text[],
      ${texts(rows.map(({ path }) => path))}::text[],
      ${orNull(rows, ({ query }) => query)}::text[],
      ${bigints(rows.map(({ status }) => BigInt(status)))}::bigint[],
      ${orNull(rows, ({ code }) => code)}::text[],
      ${bigints(rows.map(({ durationMicros }) => BigInt(durationMicros)))}::bigint[],
      ${orNullNumber(rows, ({ requestBytes }) => requestBytes)}::bigint[],
      ${orNullNumber(rows, ({ responseBytes }) => responseBytes)}::bigint[],
      ${orNull(rows, ({ traceId }) => traceId)}::text[],
      ${orNull(rows, ({ body }) => body)}::text[],
      ${orNull(rows, ({ eventSeqs }) => (eventSeqs.length === 0 ? undefined : literal(eventSeqs)))}::text[],
      ${orNull(rows, phasesText)}::text[]
    ) AS logged (id, at, request_id, company_id, user_id, client_id, address, operation, path, query, status, code,
      duration_us, request_bytes, response_bytes, trace_id, body, event_seqs, phases)
    ON CONFLICT (id) DO NOTHING`

/** What a text stands for in a pattern of `LIKE`. */
const literally = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** Looked up first, by the index of events: a walk from the newest request on could pass all of them. */
const writersOf = (sql: SqlClient, eventSeq: number): Fragment =>
  sql`SELECT id FROM request_log WHERE event_seqs @> ARRAY[${BigInt(eventSeq)}::bigint]`

const timesOf = (sql: SqlClient, { since, until }: RequestFilter): ReadonlyArray<Fragment> => [
  ...(since === undefined ? [] : [sql`id >= ${BigInt(firstIdAt(since))}`]),
  ...(until === undefined ? [] : [sql`id < ${BigInt(firstIdAt(until))}`])
]

const wanted = (sql: SqlClient, filter: RequestFilter): ReadonlyArray<Fragment> => {
  const { code, companyId, eventSeq, isRefused, operation, path, statusClass, userId } = filter
  return [
    ...(companyId === undefined ? [] : [sql`company_id = ${companyId}`]),
    ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
    ...(statusClass === undefined
      ? []
      : [sql`status >= ${statusClass * 100}::integer AND status < ${statusClass * 100 + 100}::integer`]),
    ...(isRefused || code !== undefined || (statusClass ?? 0) >= 4 ? [sql`status >= 400`] : []),
    ...(code === undefined ? [] : [sql`code = ${code}`]),
    ...(operation === undefined ? [] : [sql`operation = ${operation}`]),
    ...(path === undefined ? [] : [sql`path LIKE ${`%${literally(path)}%`}`]),
    ...timesOf(sql, filter),
    ...(eventSeq === undefined ? [] : [sql`id = ANY(ARRAY(${writersOf(sql, eventSeq)}))`])
  ]
}

/** Requests that one page looks through where no index has what is wanted; the next page goes on behind them. */
export const MAX_LOOKED_THROUGH = 20_000

/** Some requests, the newest first. */
export interface LoggedPage {
  readonly rows: ReadonlyArray<LoggedRequest>
  /** Those of the next page have smaller ids; undefined where there are none. */
  readonly next: number | undefined
}

/** Whether rows are passed by that nobody wants. */
const walks = ({ code, eventSeq, operation, path, statusClass, userId }: RequestFilter): boolean =>
  eventSeq === undefined && [code, operation, path, statusClass, userId].some((given) => given !== undefined)

const reads = (sql: SqlClient) => {
  const columns = sql`
    id, request_id, at, company_id, user_id, client_id, address, operation, path, query, status, code, duration_us,
    request_bytes, response_bytes, trace_id, body, event_seqs::text AS event_seqs, phases::text AS phases`
  const newest = (conditions: ReadonlyArray<Fragment>, limit: number) =>
    unavailableOrDie(
      Effect.map(
        sql<Row>`
          SELECT ${columns} FROM request_log WHERE ${sql.and([...conditions, sql`true`])}
          ORDER BY id DESC LIMIT ${BigInt(limit)}`,
        (rows) => rows.map(toRequest)
      )
    )
  const scopeOf = (companyId: string | undefined) => (companyId === undefined ? [] : [sql`company_id = ${companyId}`])
  const lookedThrough = (conditions: ReadonlyArray<Fragment>) =>
    unavailableOrDie(
      Effect.map(
        sql<{ readonly id: bigint }>`
          SELECT id FROM request_log WHERE ${sql.and([...conditions, sql`true`])}
          ORDER BY id DESC OFFSET ${BigInt(MAX_LOOKED_THROUGH)} LIMIT 1`,
        ([row]) => (row === undefined ? undefined : Number(row.id))
      )
    )
  return {
    lastId: unavailableOrDie(
      Effect.map(sql<{ readonly last: bigint | null }>`SELECT max(id) AS last FROM request_log`, ([row]) =>
        Number(row?.last ?? 0n)
      )
    ),
    list: Effect.fnUntraced(function* (filter: RequestFilter, limit: number, before: number | undefined) {
      const behind = before === undefined ? [] : [sql`id < ${BigInt(before)}`]
      const end = walks(filter)
        ? yield* lookedThrough([...scopeOf(filter.companyId), ...timesOf(sql, filter), ...behind])
        : undefined
      const within = end === undefined ? [] : [sql`id > ${BigInt(end)}`]
      const found = yield* newest([...wanted(sql, filter), ...behind, ...within], limit + 1)
      const rows = found.slice(0, limit)
      const goesOn = end === undefined ? undefined : end + 1
      return { rows, next: found.length > limit ? rows.at(-1)?.id : goesOn } satisfies LoggedPage
    }),
    count: Effect.fnUntraced(function* (filter: RequestFilter) {
      const which = sql.and([...wanted(sql, filter), sql`true`])
      const within = walks(filter) ? sql.and([...scopeOf(filter.companyId), ...timesOf(sql, filter), sql`true`]) : which
      const [row] = yield* sql<{ readonly looked: bigint; readonly total: bigint }>`
        SELECT count(*) AS looked, count(*) FILTER (WHERE ${which}) AS total FROM (
          SELECT id, company_id, user_id, status, code, operation, path, event_seqs FROM request_log WHERE ${within}
          LIMIT ${BigInt(MAX_LOOKED_THROUGH + 1)}) AS looked_through`
      return row === undefined || row.looked > MAX_LOOKED_THROUGH ? undefined : Number(row.total)
    }, unavailableOrDie),
    byId: (id: number, companyId: string | undefined) =>
      Effect.map(newest([sql`id = ${BigInt(id)}`, ...scopeOf(companyId)], 1), ([row]) => row),
    byRequestId: (requestId: string, companyId: string | undefined) =>
      Effect.map(newest([sql`request_id = ${requestId}`, ...scopeOf(companyId)], 1), ([row]) => row)
  }
}

const pruning = (sql: SqlClient) => (before: number, batch: number) =>
  sql<{ readonly gone: bigint }>`
    WITH gone AS (
      DELETE FROM request_log WHERE id IN (
        SELECT id FROM request_log WHERE id < ${BigInt(firstIdAt(before))} ORDER BY id LIMIT ${BigInt(batch)})
      RETURNING 1)
    SELECT count(*) AS gone FROM gone`.pipe(
    Effect.map(([row]) => Number(row?.gone ?? 0n)),
    unavailableOrDie
  )

/** The request log in the database. */
export class RequestLogRepository extends Context.Service<
  RequestLogRepository,
  {
    /** Adds requests, all or none. One whose id is there is left out. */
    readonly add: (rows: ReadonlyArray<LoggedRequest>) => Effect.Effect<void, Unavailable>
    /** The largest id; 0 where there is none. */
    readonly lastId: Effect.Effect<number, Unavailable>
    /**
     * The newest of those that are wanted, with smaller ids than `before`. Where no index has them, of the next
     * {@link MAX_LOOKED_THROUGH}, so that a page may have few or none and still have a next one.
     */
    readonly list: (
      filter: RequestFilter,
      limit: number,
      before: number | undefined
    ) => Effect.Effect<LoggedPage, Unavailable>
    /** How many are wanted; undefined where more than {@link MAX_LOOKED_THROUGH} would have to be looked through. */
    readonly count: (filter: RequestFilter) => Effect.Effect<number | undefined, Unavailable>
    /** One of a company, or of anybody. */
    readonly byId: (id: number, companyId: string | undefined) => Effect.Effect<LoggedRequest | undefined, Unavailable>
    /** The newest under an `X-Request-Id`, of a company or of anybody. */
    readonly byRequestId: (
      requestId: string,
      companyId: string | undefined
    ) => Effect.Effect<LoggedRequest | undefined, Unavailable>
    /** Removes at most a batch of the requests answered before a time, in milliseconds since 1970, and says how many. */
    readonly prune: (before: number, batch: number) => Effect.Effect<number, Unavailable>
  }
>()("emporion/requests/RequestLogRepository") {
  static readonly layer: Layer.Layer<RequestLogRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      RequestLogRepository.of({
        add: (rows) => (rows.length === 0 ? Effect.void : unavailableOrDie(Effect.asVoid(adding(sql)(rows)))),
        ...reads(sql),
        prune: pruning(sql)
      })
    )
  )
}
