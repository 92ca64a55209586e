import { Effect } from "effect"
import { Api } from "../api/Api.ts"
import { type ApiError, refuse } from "../api/ApiError.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { pageOf } from "../api/Paging.ts"
import type { FundNotFound } from "../funds/FundsError.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { IdempotencyScope, markStored } from "../http/IdempotencyScope.ts"
import type { Withdrawal } from "./WithdrawalRepository.ts"
import { Withdrawals } from "./Withdrawals.ts"

const toAnswer = ({ asset, at, fundId, quantity, withdrawalId }: Withdrawal) => ({
  id: withdrawalId,
  fund_id: fundId,
  type: asset,
  quantity,
  created_at: at
})

/** The withdrawals group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "withdrawals",
  Effect.fnUntraced(function* (handlers) {
    const withdrawals = yield* Withdrawals
    return handlers.handleAll({
      withdraw: Effect.fnUntraced(function* ({ payload }) {
        const idempotency = yield* IdempotencyScope
        const { userId: owner } = yield* CurrentPrincipal
        const { id: fundId, quantity } = payload
        const made = yield* withdrawals
          .withdraw({ owner, quantity, fundId, idempotency })
          .pipe(
            Effect.catchTag("FundNotFound", (error): Effect.Effect<never, ApiError<"unprocessable"> | FundNotFound> =>
              fundId === undefined
                ? refuse("unprocessable", "You have no fund of USD: name another one as id.")
                : Effect.fail(error)
            )
          )
        yield* markStored
        return { quantity: made.quantity, id: made.fundId }
      }, Effect.uninterruptible),
      listWithdrawals: Effect.fnUntraced(function* ({ query }) {
        const { userId } = yield* CurrentPrincipal
        const { withdrawals: found, ...page } = yield* withdrawals.list(userId, pageOf(query))
        return yield* ListResponse.of(found.map(toAnswer), page)
      })
    })
  })
)
