import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { format } from "../../engine/money/Amount.ts"
import { Api } from "../api/Api.ts"
import { refuse } from "../api/ApiError.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { FundAnswer, MAX_CSV_ENTRIES } from "../api/Funds.ts"
import { pageOf } from "../api/Paging.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { IdempotencyScope } from "../http/IdempotencyScope.ts"
import { IdempotencyRepository } from "../http/IdempotencyRepository.ts"
import { keptOr } from "../http/KeptResponse.ts"
import { AuditLog } from "../identity/audit/AuditLog.ts"
import { toAnswer } from "./Fund.ts"
import { type Caller, Funds } from "./Funds.ts"
import { toAnswer as entryAnswer, toCsv } from "./Statement.ts"
import { Statements } from "./Statements.ts"

const caller: Effect.Effect<Caller, never, CurrentPrincipal> = Effect.map(CurrentPrincipal, ({ userId, role }) => ({
  userId,
  isAdmin: role === "admin"
}))

const keptOrFund = keptOr(FundAnswer)

/** The funds group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "funds",
  Effect.fnUntraced(function* (handlers) {
    const funds = yield* Funds
    const statements = yield* Statements
    const keptAnswers = yield* Effect.context<IdempotencyRepository>()
    const kept = (answer: Effect.Effect<typeof FundAnswer.Type>) =>
      Effect.provideContext(keptOrFund(answer), keptAnswers)
    const audit = yield* AuditLog

    return handlers.handleAll({
      createFund: Effect.fnUntraced(function* ({ payload }) {
        const { owner, type: asset, symbol: amount, id, external_reference: externalReference } = payload
        const keyed = yield* IdempotencyScope
        const by = yield* caller
        if (by.isAdmin && by.userId !== owner) {
          const after = { asset, units: format(amount), external_reference: externalReference ?? null }
          yield* audit.recordRequest({ act: "funds.mint", subjectId: owner, after })
        }
        const fund = yield* funds.mint(by, { owner, asset, amount, id, externalReference, idempotency: keyed })
        return yield* kept(Effect.succeed(toAnswer(fund)))
      }, Effect.uninterruptible),
      listFunds: Effect.fnUntraced(function* ({ query }) {
        const { userId, isAdmin } = yield* caller
        if (!isAdmin && query.owner !== undefined && query.owner !== userId) {
          return yield* refuse("access_denied", "Only an administrator lists the funds of another owner.")
        }
        const { funds: found, ...page } = yield* funds.list(isAdmin ? query.owner : userId, pageOf(query))
        return yield* ListResponse.of(found.map(toAnswer), page)
      }),
      getFund: Effect.fnUntraced(function* ({ params }) {
        const fund = yield* funds.find(yield* caller, params.id)
        return toAnswer(fund)
      }),
      listFundEntries: Effect.fnUntraced(function* ({ params, query }) {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const isCsv = (query.format ?? (headers["accept"]?.includes("text/csv") === true ? "csv" : "json")) === "csv"
        const page = isCsv ? { ...pageOf(query), limit: MAX_CSV_ENTRIES } : pageOf(query)
        const { entries, fund, ...found } = yield* statements.entries(yield* caller, params.id, page)
        if (!isCsv) {
          return yield* ListResponse.of(entries.map(entryAnswer), found)
        }
        yield* ListResponse.tellNext(found.next)
        return HttpServerResponse.text(toCsv(fund.asset, entries), {
          contentType: "text/csv",
          headers: {
            "x-total-count": `${found.total}`,
            "content-disposition": `attachment; filename="${fund.id}.csv"`
          }
        })
      })
    })
  })
)
