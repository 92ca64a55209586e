import { Clock, Context, Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import { GPUS, INSTRUMENTS, instrumentOf } from "../../engine/arena/Instrument.ts"
import type { PriceHistory } from "../../engine/arena/PriceHistory.ts"
import { medianOf } from "../../engine/arena/QuoteMedian.ts"
import { type Amount, format } from "../../engine/money/Amount.ts"
import { Settings } from "../Config.ts"
import { secretHash } from "../SecretHash.ts"
import { dailyRates } from "./DailyRatesFile.ts"
import * as GpuPriceSource from "./GpuPriceSource.ts"
import * as LiveRatesSource from "./LiveRatesSource.ts"
import * as PolledSource from "./PolledSource.ts"
import type { PriceSource, Quote } from "./PriceSource.ts"
import * as SimulatedSource from "./SimulatedSource.ts"
import { StartingPrices } from "./StartingPrices.ts"

/** The median of one asset's fresh quotes. */
export interface OracleMedian {
  readonly asset: string
  /** USD for what the instrument's unit says. */
  readonly price: Amount
  /** The sources it is the median of, with commas between. */
  readonly source: string
  /** When the oldest of its quotes was observed, in milliseconds since 1970. */
  readonly observedAt: number
  /** Some of it is the sandbox's own. */
  readonly simulated: boolean
}

/** Specification 4.3, `oracles` of the agent's status. Simulated prices make no live source available. */
export interface OracleStatus {
  readonly price_oracle: { readonly available: boolean; readonly sample_price: string; readonly source: string }
  readonly fx_api: { readonly available: boolean }
  readonly gpu_marketplaces: { readonly available: boolean }
}

/** What everything is worth, from every source in use. */
export class Oracles extends Context.Service<
  Oracles,
  {
    /** Every fresh quote. A source that has none now is left out. */
    readonly quotes: Effect.Effect<ReadonlyArray<Quote>>
    /** The median of each asset that has a fresh quote. */
    readonly medians: Effect.Effect<ReadonlyArray<OracleMedian>>
    /** `sample_price` is that of a commodity in USD, gold if there is one; `0` of source `none` without any. */
    readonly status: Effect.Effect<OracleStatus>
    /** The real daily closes, for volatilities and fair prices. */
    readonly history: PriceHistory
  }
>()("emporion/oracles/Oracles") {
  /** The given sources and no others. */
  static readonly layerOf = (sources: ReadonlyArray<PriceSource>): Layer.Layer<Oracles> =>
    Layer.effect(
      this,
      Effect.map(dailyRates, (history) => make(sources, history))
    )

  /**
   * The sources that the settings name. In the sandbox, and nowhere else, what no live source is set for is simulated;
   * an asset is never live and simulated in turn.
   */
  static readonly layer: Layer.Layer<Oracles, never, Settings | StartingPrices | HttpClient.HttpClient> = Layer.effect(
    this,
    Effect.gen(function* () {
      const history = yield* dailyRates
      const live = yield* liveSources
      const simulated = yield* simulatedSources(history)
      return make([...live, ...simulated], history)
    })
  )
}

const liveSources = Effect.gen(function* () {
  const { oracles } = yield* Settings
  const client = yield* HttpClient.HttpClient
  const sources: Array<PolledSource.PolledSource> = []
  if (oracles.fxUrl !== undefined) sources.push(yield* LiveRatesSource.make(client, oracles.fxUrl))
  if (oracles.gpuPricesUrl !== undefined) sources.push(yield* GpuPriceSource.make(client, oracles.gpuPricesUrl))
  yield* Effect.forEach(sources, PolledSource.poll)
  return sources
})

const simulatedSources = Effect.fnUntraced(function* (history: PriceHistory) {
  const { arena, mode, oracles, secretKey } = yield* Settings
  if (mode !== "sandbox") return []
  const live = new Set(
    [
      ...(oracles.fxUrl === undefined ? [] : LiveRatesSource.LIVE_INSTRUMENTS),
      ...(oracles.gpuPricesUrl === undefined ? [] : GPUS)
    ].map(({ asset }) => asset)
  )
  const { read } = yield* StartingPrices
  const source = yield* SimulatedSource.make({
    mode,
    hash: secretHash(secretKey, "emporion/walk"),
    history,
    speed: arena.walkSpeed,
    start: yield* read,
    assets: new Set(INSTRUMENTS.map(({ asset }) => asset).filter((asset) => !live.has(asset)))
  }).pipe(Effect.orDie)
  return [source]
})

const make = (sources: ReadonlyArray<PriceSource>, history: PriceHistory): Oracles["Service"] => {
  const quotes = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const answers = yield* Effect.forEach(sources, ({ quotes: latest, staleAfterMillis }) =>
      latest.pipe(
        Effect.map((list) => list.filter(({ observedAt }) => now - observedAt <= staleAfterMillis)),
        Effect.catch(() => Effect.succeed([]))
      )
    )
    return answers.flat()
  })
  const medians = Effect.map(quotes, mediansOf)
  return Oracles.of({ quotes, medians, status: Effect.map(medians, statusOf), history })
}

/** The median of each asset's quotes, in the order in which the assets first appear. */
export const mediansOf = (quotes: ReadonlyArray<Quote>): ReadonlyArray<OracleMedian> => {
  const byAsset = new Map<string, Array<Quote>>()
  for (const quote of quotes) byAsset.set(quote.asset, [...(byAsset.get(quote.asset) ?? []), quote])
  return [...byAsset].flatMap(([asset, list]) => {
    const price = medianOf(list.map((quote) => quote.price))
    if (price === undefined) return []
    return [
      {
        asset,
        price,
        source: [...new Set(list.map(({ source }) => source))].join(","),
        observedAt: list.reduce((oldest, { observedAt }) => Math.min(oldest, observedAt), Infinity),
        simulated: list.some(({ simulated }) => simulated)
      }
    ]
  })
}

const statusOf = (medians: ReadonlyArray<OracleMedian>): OracleStatus => {
  const first = (type: AssetType) => medians.find(({ asset }) => instrumentOf(asset)?.assetType === type)
  const isLive = (type: AssetType) =>
    medians.some(({ asset, simulated }) => !simulated && instrumentOf(asset)?.assetType === type)
  const sample = medians.find(({ asset }) => asset === "XAU") ?? first("commodity")
  return {
    price_oracle: {
      available: sample !== undefined,
      sample_price: sample === undefined ? "0" : format(sample.price),
      source: sample?.source ?? "none"
    },
    fx_api: { available: isLive("fx") },
    gpu_marketplaces: { available: isLive("gpu") }
  }
}
