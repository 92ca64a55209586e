import type { RateQuoted } from "../../engine/transfers/TransferEvent.ts"
import type { QuoteAnswer } from "../api/Fx.ts"

/** A rate that was held. */
export interface FxQuote extends Omit<RateQuoted, "_tag"> {
  readonly used: boolean
}

/** The quote under the names of the contract. */
export const toAnswer = (quote: FxQuote): typeof QuoteAnswer.Type => ({
  id: quote.quoteId,
  pair: quote.pair,
  trade: quote.side,
  quantity: quote.quantity,
  rate: quote.rate,
  value: quote.value,
  created_at: quote.at,
  expires_at: quote.expiresAt,
  used: quote.used
})
