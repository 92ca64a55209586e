import { Context, Effect, Layer } from "effect"
import type { CurrencyPair } from "../../engine/fx/CurrencyPair.ts"
import { deskInstruments, deskPrices, type DeskPrices } from "../../engine/fx/DeskPrices.ts"
import { FUND_ASSETS } from "../../engine/ledger/FundAsset.ts"
import { type Amount, fromUnits as amountOf, ONE } from "../../engine/money/Amount.ts"
import { deskOf } from "../../engine/transfers/TransferDecision.ts"
import { NoRate } from "../../engine/transfers/TransferError.ts"
import { Breakers } from "../arena/Breakers.ts"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { Funds } from "../funds/Funds.ts"
import { Oracles } from "../oracles/Oracles.ts"

export interface DeskHolding {
  readonly asset: string
  readonly amount: Amount
}

/** How much of each asset the sandbox's desk starts with: about ten million USD's worth, less of coins and metals. */
const SANDBOX_UNITS = { currency: 10_000_000n, metal: 10_000n, crypto: 1_000n }

const startOf = (asset: string): Amount => {
  const instrument = deskInstruments.get(asset)
  if (instrument?.assetType === "commodity") return amountOf(SANDBOX_UNITS[instrument.group] * ONE)
  return amountOf(SANDBOX_UNITS.currency * BigInt(instrument?.per ?? 1) * ONE)
}

/**
 * What the platform exchanges currencies with, at the oracles' prices less a spread. It has what capital it was given
 * and what callers gave it in exchange, and no more.
 */
export class ExchangeDesk extends Context.Service<
  ExchangeDesk,
  {
    /** Fails without a fresh price of both, or while a circuit breaker doubts one of them. */
    readonly pricesOf: (pair: CurrencyPair) => Effect.Effect<DeskPrices, NoRate>
    /** What the desk has of each asset. */
    readonly holdings: Effect.Effect<ReadonlyArray<DeskHolding>, Unavailable>
    /** Adds capital for what it stands for outside: answers whether the reference is new. */
    readonly fund: (asset: string, amount: Amount, reference: string) => Effect.Effect<boolean, Unavailable>
  }
>()("emporion/transfers/ExchangeDesk") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const { arena, mode } = yield* Settings
  const breakers = yield* Breakers
  const funds = yield* Funds
  const oracles = yield* Oracles

  if (mode === "sandbox") {
    yield* Effect.forEach(FUND_ASSETS, (asset) => funds.capital(deskOf(asset), startOf(asset)), {
      concurrency: "unbounded",
      discard: true
    })
  }

  return ExchangeDesk.of({
    pricesOf: Effect.fnUntraced(function* (pair) {
      const medians = yield* oracles.medians
      const statuses = breakers.statuses()
      const prices = deskPrices(pair, {
        fresh: (asset) => medians.find((each) => each.asset === asset),
        history: oracles.history,
        isOpen: (type) => statuses[type] === "open",
        walkSpeed: arena.walkSpeed
      })
      return prices ?? (yield* new NoRate({ pair }))
    }),
    holdings: Effect.map(funds.balances(FUND_ASSETS.map(deskOf)), (balances) =>
      FUND_ASSETS.map((asset) => ({ asset, amount: balances.get(deskOf(asset)) ?? amountOf(0n) }))
    ),
    fund: (asset, amount, reference) => funds.capital(deskOf(asset), amount, `reference:${reference}`)
  })
})
