import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Idempotency } from "../../engine/actor/Journal.ts"
import type { CurrencyPair } from "../../engine/fx/CurrencyPair.ts"
import { isCovered, rateOf, type Side } from "../../engine/fx/FxDesk.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { checkQuote, decideQuote, quoteStream } from "../../engine/transfers/HeldRate.ts"
import type { Offer } from "../../engine/transfers/TransferDecision.ts"
import {
  type InvalidTransfer,
  type NothingPaidOut,
  type QuoteError,
  QuoteGone,
  QuoteNotFound
} from "../../engine/transfers/TransferError.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { dieOnRefusal, writeEntry } from "../database/EntryWriting.ts"
import type { UnitOfWork } from "../database/UnitOfWork.ts"
import * as Identifier from "../Identifier.ts"
import { ExchangeDesk } from "./ExchangeDesk.ts"
import type { FxQuote } from "./FxQuote.ts"
import { FxQuoteRepository } from "./FxQuoteRepository.ts"
import type { NoRate } from "./TransfersError.ts"

/** What an owner wants a rate for. */
export interface RateWanted {
  readonly owner: string
  readonly pair: CurrencyPair
  readonly side: Side
  readonly quantity: Amount
  readonly idempotency?: Idempotency | undefined
}

/** What a held rate is to serve. */
export interface QuoteUse {
  readonly owner: string
  readonly pair: CurrencyPair
  readonly quantity: Amount
}

/** Rates that the desk holds for an owner and a size, for one use within a minute. */
export class FxQuotes extends Context.Service<
  FxQuotes,
  {
    readonly quote: (
      wanted: RateWanted
    ) => Effect.Effect<FxQuote, InvalidTransfer | NothingPaidOut | NoRate | Unavailable>
    /** One of the owner's. */
    readonly find: (owner: string, id: string) => Effect.Effect<FxQuote, QuoteNotFound | Unavailable>
    /**
     * What the desk offers by a held rate. It no longer does once the market has moved past the rate by more than the
     * spread, so that to wait and see gains nobody anything. That it is used once is the ledger's to say.
     */
    readonly offer: (id: string, use: QuoteUse) => Effect.Effect<Offer, QuoteError | NoRate | Unavailable>
  }
>()("emporion/transfers/FxQuotes") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const desk = yield* ExchangeDesk
  const repository = yield* FxQuoteRepository
  const context = yield* Effect.context<UnitOfWork | SecureRandom>()

  const find = Effect.fnUntraced(function* (owner: string, id: string) {
    const quote = yield* repository.find(id)
    return quote?.owner === owner ? quote : yield* new QuoteNotFound({ quoteId: id })
  })

  return FxQuotes.of({
    find,
    quote: Effect.fn("FxQuotes.quote")(function* ({ idempotency, ...wanted }) {
      const quoteId = yield* Effect.provideContext(Identifier.make("fxq"), context)
      const { base, quote, spread } = yield* desk.pricesOf(wanted.pair)
      const at = yield* Clock.currentTimeMillis
      const rate = rateOf(wanted.side, base, quote, spread)
      const entry = yield* Effect.fromResult(decideQuote({ ...wanted, quoteId }, rate, at))
      const { event } = yield* writeEntry({
        stream: quoteStream(quoteId),
        version: 0,
        entry: { ...entry, idempotency }
      }).pipe(dieOnRefusal, Effect.catchTag("StaleVersion", Effect.die), Effect.provideContext(context))
      return { ...event, used: false }
    }),
    offer: Effect.fnUntraced(function* (id, use) {
      const held = yield* find(use.owner, id)
      yield* Effect.fromResult(checkQuote(held, use, yield* Clock.currentTimeMillis))
      if (held.used) return yield* new QuoteGone({ quoteId: id, reason: "used" })
      const { base, quote } = yield* desk.pricesOf(held.pair)
      if (!isCovered(held.side, held.rate, base, quote)) {
        return yield* new QuoteGone({ quoteId: id, reason: "passed" })
      }
      return { side: held.side, rate: held.rate, quoteId: id }
    })
  })
})
