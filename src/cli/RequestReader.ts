import { Effect, Option, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { isoUtc } from "../api/Timestamp.ts"
import { IDS_A_MILLISECOND } from "../requests/LoggedRequest.ts"
import { RequestLogRepository } from "../requests/RequestLogRepository.ts"
import { requestAnswer } from "../requests/RequestResponses.ts"
import { accessToken, type PlatformClient } from "./AccessToken.ts"
import { CommandFailed, explained } from "./CommandFailed.ts"

/** What a line tells of a request. */
const Row = Schema.Struct({
  id: Schema.String,
  request_id: Schema.String,
  at: Schema.String,
  user_id: Schema.NullOr(Schema.String),
  address: Schema.String,
  operation: Schema.String,
  path: Schema.String,
  status: Schema.Int,
  code: Schema.NullOr(Schema.String),
  duration_ms: Schema.Finite
})

/** A request as it is listed, with everything else that the platform says of it. */
export type TailedRequest = typeof Row.Type & Readonly<Record<string, unknown>>

/** Where requests are read: at most so many, the newest first, with smaller ids than `before`. */
export type ReadRequests<R> = (
  limit: number,
  before: string | undefined
) => Effect.Effect<ReadonlyArray<TailedRequest>, CommandFailed, R>

/** Reads the log in a database: everybody's requests. */
export const fromDatabase =
  (isRefused: boolean): ReadRequests<RequestLogRepository> =>
  (limit, before) =>
    Effect.gen(function* () {
      const { list } = yield* RequestLogRepository
      const { rows } = yield* list({ ...EVERY, isRefused }, limit, before === undefined ? undefined : Number(before))
      return rows.map((request) => ({ ...requestAnswer(request), at: isoUtc(request.at) }))
    }).pipe(explained)

const EVERY = {
  companyId: undefined,
  userId: undefined,
  statusClass: undefined,
  code: undefined,
  operation: undefined,
  path: undefined,
  since: undefined,
  until: undefined,
  eventSeq: undefined
}

const Rows = Schema.Array(Schema.StructWithRest(Row, [Schema.Record(Schema.String, Schema.Unknown)]))
const Problem = Schema.Struct({ message: Schema.String })

const UNAUTHORIZED = 401

/** Asks a platform: the requests of the client's company, or everybody's if the client is an administrator's. */
export const fromPlatform = (client: PlatformClient, isRefused: boolean): ReadRequests<HttpClient.HttpClient> => {
  let token: string | undefined
  const ask = Effect.fnUntraced(function* (url: URL) {
    token ??= yield* accessToken(client)
    return yield* (yield* HttpClient.HttpClient).execute(
      HttpClientRequest.get(url).pipe(HttpClientRequest.bearerToken(token))
    )
  })
  return (limit, before) =>
    Effect.gen(function* () {
      const url = new URL("/v1/requests", client.server)
      url.searchParams.set("limit", String(limit))
      if (before !== undefined) url.searchParams.set("after", before)
      if (isRefused) url.searchParams.set("status", "refused")
      const first = yield* ask(url)
      if (first.status === UNAUTHORIZED) token = undefined
      const response = first.status === UNAUTHORIZED ? yield* ask(url) : first
      if (response.status === 200) return yield* HttpClientResponse.schemaBodyJson(Rows)(response)
      const told = yield* Effect.option(HttpClientResponse.schemaBodyJson(Problem)(response))
      const why = Option.match(told, { onNone: () => `status ${response.status}`, onSome: ({ message }) => message })
      return yield* new CommandFailed({ message: `${client.server.origin} refuses: ${why}` })
    }).pipe(
      Effect.catchTags({
        HttpClientError: () =>
          new CommandFailed({ message: `${client.server.origin} cannot be reached: look at --url.` }),
        SchemaError: () =>
          new CommandFailed({ message: `${client.server.origin} answers like no Emporion: look at --url.` })
      })
    )
}

/** Requests of one page, and the most pages that one look reads. */
const PAGE = 100
const MAX_PAGES = 20

/** How long after others a request may appear that was answered before them, as ids. */
const LATENESS = 5_000 * IDS_A_MILLISECOND

/** Reads on in a log, and gives each request once. */
export class RequestReader<R> {
  readonly #read: ReadRequests<R>
  /** What was given and may be read again. */
  #given = new Set<number>()
  /** Requests before this were given, or are none of ours. */
  #floor = 0

  constructor(read: ReadRequests<R>) {
    this.#read = read
  }

  /** The last requests, the oldest first. Only what comes later is given after them. */
  readonly last = Effect.fnUntraced(
    { self: this as RequestReader<R> },
    function* (this: RequestReader<R>, count: number) {
      const rows: Array<TailedRequest> = []
      // One more than is asked for says where to go on, if none is asked for.
      for (const wanted = Math.max(1, count); rows.length < wanted;) {
        const page = yield* this.#read(Math.min(PAGE, wanted - rows.length), rows.at(-1)?.id)
        rows.push(...page)
        if (page.length === 0) break
      }
      this.#floor = Number(rows.at(-1)?.id ?? 0)
      this.#give(rows)
      return rows.slice(0, count).toReversed()
    }
  )

  /** What came since, the oldest first. */
  readonly next = Effect.fnUntraced({ self: this as RequestReader<R> }, function* (this: RequestReader<R>) {
    const fresh: Array<TailedRequest> = []
    let before: string | undefined
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const page = yield* this.#read(PAGE, before)
      fresh.push(...page.filter(({ id }) => Number(id) > this.#floor && !this.#given.has(Number(id))))
      before = page.at(-1)?.id
      if (page.length < PAGE || Number(before) <= this.#floor) break
    }
    this.#give(fresh)
    return fresh.toReversed()
  })

  #give(rows: ReadonlyArray<TailedRequest>): void {
    for (const { id } of rows) this.#given.add(Number(id))
    const newest = Math.max(0, ...this.#given)
    this.#floor = Math.max(this.#floor, newest - LATENESS)
    this.#given = new Set([...this.#given].filter((id) => id > this.#floor))
  }
}

const WIDTHS = { status: 3, duration: 9, operation: 40 }

/** A request in one line. */
export const lineOf = ({ at, code, operation, path, request_id: id, ...row }: TailedRequest): string => {
  const what = operation === "unmatched" ? `? ${path}` : operation
  const took = `${row.duration_ms.toFixed(1)} ms`.padStart(WIDTHS.duration)
  const who = row.user_id ?? row.address
  return [at, String(row.status).padStart(WIDTHS.status), took, what.padEnd(WIDTHS.operation), who, id, code ?? ""]
    .join("  ")
    .trimEnd()
}
