import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { format } from "../../engine/money/Amount.ts"
import { Api } from "../api/Api.ts"
import { ApiError, refuse } from "../api/ApiError.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { FundAnswer, MAX_CSV_ENTRIES } from "../api/Funds.ts"
import { pageOf } from "../api/Paging.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { IdempotencyScope } from "../http/IdempotencyScope.ts"
import { IdempotencyRepository } from "../http/IdempotencyRepository.ts"
import { keptOr } from "../http/KeptResponse.ts"
import { AuditLog } from "../identity/audit/AuditLog.ts"
import { toAnswer } from "./Fund.ts"
import { type Caller, Funds } from "./Funds.ts"
import type { MintRefused } from "./FundsError.ts"
import { toAnswer as entryAnswer, toCsv } from "./Statement.ts"
import { Statements } from "./Statements.ts"

const caller: Effect.Effect<Caller, never, CurrentPrincipal> = Effect.map(CurrentPrincipal, ({ userId, role }) => ({
  userId,
  isAdmin: role === "admin"
}))

/** What the caller is told of a failure. */
const told = (error: MintRefused | Unavailable) => {
  switch (error._tag) {
    case "Unavailable":
      return error
    case "MintForbidden":
      return new ApiError("access_denied", error.reason)
    case "OwnerNotFound":
      return new ApiError("not_found", `There is no user ${error.owner}: name the id of a registered one.`)
    case "ReferenceRequired":
      return new ApiError("invalid_request", "payload.external_reference: Expected what the money stands for outside")
    case "ReferenceUsed":
      return new ApiError("conflict", `Funds were already added for external_reference ${error.reference}.`)
    case "FundIdConflict":
      return new ApiError(
        "conflict",
        error.existing === undefined
          ? `Another fund has the id ${error.id}: choose another one, or leave it out.`
          : `This owner's fund of that type is ${error.existing}: send that id, or leave it out.`
      )
    case "MintLimitReached":
      return new ApiError(
        "unprocessable",
        `The sandbox adds ${format(error.left)} ${error.asset} more at most: ask for less.`
      )
  }
}

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
        const fund = yield* funds
          .mint(by, { owner, asset, amount, id, externalReference, idempotency: keyed })
          .pipe(Effect.mapError(told))
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
        const fund = yield* funds
          .find(yield* caller, params.id)
          .pipe(Effect.catchTag("FundNotFound", ({ id }) => refuse("not_found", `There is no fund ${id} of yours.`)))
        return toAnswer(fund)
      }),
      listFundEntries: Effect.fnUntraced(function* ({ params, query }) {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const isCsv = (query.format ?? (headers["accept"]?.includes("text/csv") === true ? "csv" : "json")) === "csv"
        const page = isCsv ? { ...pageOf(query), limit: MAX_CSV_ENTRIES } : pageOf(query)
        const { entries, fund, ...found } = yield* statements
          .entries(yield* caller, params.id, page)
          .pipe(Effect.catchTag("FundNotFound", ({ id }) => refuse("not_found", `There is no fund ${id} of yours.`)))
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
