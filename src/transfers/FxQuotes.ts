import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Idempotency } from "../../engine/actor/Journal.ts"
import type { CurrencyPair } from "../../engine/fx/CurrencyPair.ts"
import type { Side } from "../../engine/fx/FxDesk.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { findQuote, holdRate, type TransfersWorld } from "../../engine/transfers/Sending.ts"
import type { InvalidTransfer, NoRate, NothingPaidOut, QuoteNotFound } from "../../engine/transfers/TransferError.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { dieOnRefusal, writeEntry } from "../database/EntryWriting.ts"
import type { UnitOfWork } from "../database/UnitOfWork.ts"
import * as Identifier from "../Identifier.ts"
import { ExchangeDesk } from "./ExchangeDesk.ts"
import type { FxQuote } from "./FxQuote.ts"
import { FxQuoteRepository } from "./FxQuoteRepository.ts"

/** What an owner wants a rate for. */
export interface RateWanted {
  readonly owner: string
  readonly pair: CurrencyPair
  readonly side: Side
  readonly quantity: Amount
  readonly idempotency?: Idempotency | undefined
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
    /** One of whoever's it is, and whether it was used; undefined where there is none. */
    readonly held: (id: string) => Effect.Effect<FxQuote | undefined, Unavailable>
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
  const world: TransfersWorld<Unavailable> = {
    prices: desk.pricesOf,
    quote: repository.find,
    sent: () => Effect.succeed(undefined),
    write: (entry) => Effect.provideContext(writeEntry(entry), context)
  }

  return FxQuotes.of({
    held: repository.find,
    find: (owner, id) => findQuote(world, owner, id),
    quote: Effect.fn("FxQuotes.quote")(function* ({ idempotency, ...wanted }) {
      const quoteId = yield* Effect.provideContext(Identifier.make("fxq"), context)
      const event = yield* holdRate(world, { ...wanted, quoteId }, idempotency).pipe(
        dieOnRefusal,
        Effect.catchTag("StaleVersion", Effect.die)
      )
      return { ...event, used: false }
    })
  })
})
