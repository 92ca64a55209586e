import type { MoneyTransferred, MoneyWithdrawn, RateQuoted } from "../../engine/transfers/TransferEvent.ts"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { fromUnits as rateOf } from "../../engine/money/Rate.ts"

const TEN = fromUnits(10n * ONE)

/** Ada sells 10 EUR at 1.1 for Bob. */
export const transferred = (change: Partial<MoneyTransferred> = {}): MoneyTransferred => ({
  _tag: "MoneyTransferred",
  at: 5,
  transferId: "rent",
  sender: "ada",
  recipient: "bob",
  payout: false,
  pair: { base: "EUR", quote: "USD" },
  mode: "international",
  side: "Sell",
  quantity: TEN,
  worst: null,
  quoteId: null,
  rate: rateOf(1_100_000_000_000n),
  taken: TEN,
  received: fromUnits(11n * ONE),
  country: "BE",
  description: "rent",
  createdDate: 1,
  ...change
})

export const withdrawn: MoneyWithdrawn = {
  _tag: "MoneyWithdrawn",
  at: 6,
  withdrawalId: "wdr_1",
  owner: "ada",
  fundId: "fnd_1",
  asset: "EUR",
  quantity: TEN
}

/** Ada's rate for what {@link transferred} exchanges. */
export const quoted = (change: Partial<RateQuoted> = {}): RateQuoted => ({
  _tag: "RateQuoted",
  at: 4,
  quoteId: "fxq_1",
  owner: "ada",
  pair: { base: "EUR", quote: "USD" },
  side: "Sell",
  quantity: TEN,
  rate: rateOf(1_100_000_000_000n),
  value: fromUnits(11n * ONE),
  expiresAt: 60_004,
  ...change
})
