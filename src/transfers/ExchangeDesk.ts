import { Context, Effect, Layer } from "effect"
import type { CurrencyPair } from "../../engine/fx/CurrencyPair.ts"
import { spreadOf, unitPrice } from "../../engine/fx/FxDesk.ts"
import { type Instrument, RATED } from "../../engine/arena/Instrument.ts"
import { realizedVolatility } from "../../engine/arena/RealizedVolatility.ts"
import { FUND_ASSETS } from "../../engine/ledger/FundAsset.ts"
import { type Amount, fromUnits as amountOf, ONE } from "../../engine/money/Amount.ts"
import { ONE as PARITY, type Rate, ZERO as NOTHING } from "../../engine/money/Rate.ts"
import { deskOf } from "../../engine/transfers/TransferDecision.ts"
import { Breakers } from "../arena/Breakers.ts"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { Funds } from "../funds/Funds.ts"
import { type OracleMedian, Oracles } from "../oracles/Oracles.ts"
import { NoRate } from "./TransfersError.ts"

/** What the two assets of a pair cost in USD now, and what the desk keeps of a rate between them. */
export interface DeskPrices {
  readonly base: Rate
  readonly quote: Rate
  readonly spread: Rate
}

export interface DeskHolding {
  readonly asset: string
  readonly amount: Amount
}

/** How much of each asset the sandbox's desk starts with: about ten million USD's worth, less of coins and metals. */
const SANDBOX_UNITS = { currency: 10_000_000n, metal: 10_000n, crypto: 1_000n }

const instruments: ReadonlyMap<string, Instrument> = new Map(
  RATED.map((instrument) => [
    instrument.assetType === "fx" ? instrument.code.toUpperCase() : instrument.asset,
    instrument
  ])
)

const startOf = (asset: string): Amount => {
  const instrument = instruments.get(asset)
  if (instrument?.assetType === "commodity") return amountOf(SANDBOX_UNITS[instrument.group] * ONE)
  return amountOf(SANDBOX_UNITS.currency * BigInt(instrument?.per ?? 1) * ONE)
}

/** An asset's price in USD, and how much it moves in a year. */
interface Priced {
  readonly price: Rate
  readonly volatility: Rate
  readonly simulated: boolean
}

const DOLLAR: Priced = { price: PARITY, volatility: NOTHING, simulated: false }

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

  const pricedOf = (asset: string, medians: ReadonlyArray<OracleMedian>): Priced | undefined => {
    if (asset === "USD") return DOLLAR
    const instrument = instruments.get(asset)
    const median = medians.find((each) => each.asset === instrument?.asset)
    const closes = oracles.history.closes.get(instrument?.asset ?? "")
    if (instrument === undefined || median === undefined || closes === undefined) return undefined
    if (breakers.statuses()[instrument.assetType] === "open") return undefined
    const price = unitPrice(median.price, instrument.per)
    return price > 0n ? { price, volatility: realizedVolatility(closes), simulated: median.simulated } : undefined
  }

  return ExchangeDesk.of({
    pricesOf: Effect.fnUntraced(function* (pair) {
      const medians = yield* oracles.medians
      const base = pricedOf(pair.base, medians)
      const quote = pricedOf(pair.quote, medians)
      if (base === undefined || quote === undefined) return yield* new NoRate({ pair })
      const speed = base.simulated || quote.simulated ? arena.walkSpeed : 1
      const spread = spreadOf([base.volatility, quote.volatility], speed)
      return spread === undefined ? yield* new NoRate({ pair }) : { base: base.price, quote: quote.price, spread }
    }),
    holdings: Effect.map(funds.balances(FUND_ASSETS.map(deskOf)), (balances) =>
      FUND_ASSETS.map((asset) => ({ asset, amount: balances.get(deskOf(asset)) ?? amountOf(0n) }))
    ),
    fund: (asset, amount, reference) => funds.capital(deskOf(asset), amount, `reference:${reference}`)
  })
})
