import { Context, Effect, Layer } from "effect"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { LoggedRequest } from "./LoggedRequest.ts"
import { RequestNotFound } from "./RequestLogError.ts"
import { type LoggedPage, type RequestFilter, RequestLogRepository } from "./RequestLogRepository.ts"

/** Who asks. */
export interface LogReader {
  readonly companyId: string
  readonly isAdmin: boolean
}

/** What `id` of the log looks like; anything else is an `X-Request-Id`. */
const ID = /^[1-9]\d{12,15}$/

/** Which of those that are asked for a reader sees; undefined for none. */
const seenBy = ({ companyId, isAdmin }: LogReader, filter: RequestFilter): RequestFilter | undefined => {
  if (isAdmin) return filter
  const isOthers = filter.companyId !== undefined && filter.companyId !== companyId
  return isOthers ? undefined : { ...filter, companyId }
}

/** What was asked of the platform and how it was answered: of the reader's company, and of everybody to administrators. */
export class RequestLog extends Context.Service<
  RequestLog,
  {
    /** The newest first, with smaller ids than `before`. */
    readonly list: (
      reader: LogReader,
      filter: RequestFilter,
      limit: number,
      before: number | undefined
    ) => Effect.Effect<LoggedPage, Unavailable>
    /** How many those are on all pages; undefined where there are too many to look through. */
    readonly count: (reader: LogReader, filter: RequestFilter) => Effect.Effect<number | undefined, Unavailable>
    /** One by its id in the log, or the newest by its `X-Request-Id`. */
    readonly find: (reader: LogReader, id: string) => Effect.Effect<LoggedRequest, RequestNotFound | Unavailable>
  }
>()("emporion/requests/RequestLog") {
  static readonly layer: Layer.Layer<RequestLog, never, RequestLogRepository> = Layer.effect(
    this,
    Effect.map(RequestLogRepository, (repository) =>
      RequestLog.of({
        list: Effect.fn("RequestLog.list")((reader, filter, limit, before) => {
          const own = seenBy(reader, filter)
          return own === undefined ? Effect.succeed({ rows: [], next: undefined }) : repository.list(own, limit, before)
        }),
        count: Effect.fn("RequestLog.count")((reader, filter) => {
          const own = seenBy(reader, filter)
          return own === undefined ? Effect.succeed(0) : repository.count(own)
        }),
        find: Effect.fn("RequestLog.find")(function* ({ companyId, isAdmin }, id) {
          const scope = isAdmin ? undefined : companyId
          const byId = ID.test(id) ? yield* repository.byId(Number(id), scope) : undefined
          const found = byId ?? (yield* repository.byRequestId(id, scope))
          return found ?? (yield* new RequestNotFound({ id }))
        })
      })
    )
  )
}
