import { Effect } from "effect"
import { format } from "../../engine/money/Amount.ts"
import { Api } from "../api/Api.ts"
import { refuse } from "../api/ApiError.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import { IdempotencyScope, markStored } from "../http/IdempotencyScope.ts"
import { AuditLog } from "../identity/audit/AuditLog.ts"
import { type DeskHolding, ExchangeDesk } from "./ExchangeDesk.ts"
import { toAnswer } from "./FxQuote.ts"
import { FxQuotes } from "./FxQuotes.ts"

const holdingAnswer = ({ amount, asset }: DeskHolding) => ({ type: asset, symbol: amount })

/** The fx group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "fx",
  Effect.fnUntraced(function* (handlers) {
    const audit = yield* AuditLog
    const desk = yield* ExchangeDesk
    const quotes = yield* FxQuotes
    return handlers.handleAll({
      createFxQuote: Effect.fnUntraced(function* ({ payload }) {
        const { pair, quantity, trade: side = "Sell" } = payload
        const idempotency = yield* IdempotencyScope
        const { userId: owner } = yield* CurrentPrincipal
        const quote = yield* quotes.quote({ owner, pair, side, quantity, idempotency })
        yield* markStored
        return toAnswer(quote)
      }, Effect.uninterruptible),
      getFxQuote: Effect.fnUntraced(function* ({ params }) {
        const { userId } = yield* CurrentPrincipal
        return toAnswer(yield* quotes.find(userId, params.id))
      }),
      getFxDesk: () => Effect.map(desk.holdings, (holdings) => holdings.map(holdingAnswer)),
      fundFxDesk: Effect.fnUntraced(function* ({ payload }) {
        const { external_reference: reference, symbol: amount, type: asset } = payload
        const after = { asset, units: format(amount), external_reference: reference }
        yield* audit.recordRequest({ act: "fx_desk.fund", subjectId: "fx_desk", after })
        if (!(yield* desk.fund(asset, amount, reference))) {
          return yield* refuse("conflict", `The desk's ${asset} was already added to for ${reference}.`)
        }
        const holdings = yield* desk.holdings
        return holdingAnswer(holdings.find((each) => each.asset === asset) ?? { asset, amount })
      })
    })
  })
)
