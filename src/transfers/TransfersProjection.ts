import { Effect, Schema } from "effect"
import { WithdrawAnswer } from "../api/Withdrawals.ts"
import { type ContextProjection, each } from "../database/Projection.ts"
import { quoteJson } from "./FxQuote.ts"
import { FxQuoteRepository } from "./FxQuoteRepository.ts"
import { receiptJson } from "./Transfer.ts"
import { TransferRepository } from "./TransferRepository.ts"
import { WithdrawalRepository } from "./WithdrawalRepository.ts"

const withdrawJson = Schema.encodeSync(Schema.fromJsonString(WithdrawAnswer))

/** Writes the rows of transfers, withdrawals and held rates for recorded events, within their transaction. */
export const transfersProjection = Effect.gen(function* () {
  const quotes = yield* FxQuoteRepository
  const transfers = yield* TransferRepository
  const withdrawals = yield* WithdrawalRepository
  const projection: ContextProjection = {
    write: (events) => [
      ...each(events, "RateQuoted", quotes.quoted),
      ...each(events, "MoneyTransferred", transfers.transferred),
      ...each(events, "MoneyWithdrawn", withdrawals.withdrawn)
    ],
    answers: {
      RateQuoted: ({ event }) => ({ status: 200, body: quoteJson(event) }),
      MoneyTransferred: ({ event }) => ({ status: 200, body: receiptJson(event) }),
      MoneyWithdrawn: ({ event: { fundId, quantity } }) => ({
        status: 200,
        body: withdrawJson({ quantity, id: fundId })
      })
    }
  }
  return projection
})
