import { Effect } from "effect"
import { type HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { DEFAULT_LIMIT } from "../api/Paging.ts"
import type { RequestsApi } from "../api/Requests.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import { tellNext } from "../http/ListResponse.ts"
import { type LogReader, RequestLog } from "./RequestLog.ts"
import type { RequestFilter } from "./RequestLogRepository.ts"
import { requestAnswer, requestDetail } from "./RequestResponses.ts"

const reader: Effect.Effect<LogReader, never, CurrentPrincipal> = Effect.map(
  CurrentPrincipal,
  ({ companyId, role }) => ({ companyId, isAdmin: role === "admin" })
)

type Asked = HttpApiEndpoint.Query<(typeof RequestsApi)["endpoints"]["listRequests"]>["Type"]

const filterOf = (query: Asked): RequestFilter => ({
  companyId: query.company_id,
  userId: query.user_id,
  statusClass: query.status === undefined || query.status === "refused" ? undefined : Number(query.status[0]),
  isRefused: query.status === "refused",
  code: query.code,
  operation: query.operation,
  path: query.path,
  since: query.since,
  until: query.until,
  eventSeq: query.event_seq
})

/** The requests group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "requests",
  Effect.fnUntraced(function* (handlers) {
    const log = yield* RequestLog
    return handlers.handleAll({
      listRequests: Effect.fnUntraced(function* ({ query }) {
        const limit = query.limit ?? DEFAULT_LIMIT
        const [by, filter] = [yield* reader, filterOf(query)]
        const { next, rows } = yield* log.list(by, filter, limit, query.after)
        yield* tellNext(next === undefined ? undefined : String(next))
        const total = yield* log.count(by, filter)
        const headers = total === undefined ? {} : { "x-total-count": total }
        return HttpApiSchema.withHeaders({ body: rows.map(requestAnswer), headers })
      }),
      getRequest: Effect.fnUntraced(function* ({ params }) {
        return requestDetail(yield* log.find(yield* reader, params.id))
      })
    })
  })
)
