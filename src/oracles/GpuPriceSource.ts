import { DateTime, Effect, Option, Result, Schema } from "effect"
import type { HttpClient } from "effect/http"
import { GPUS } from "../../engine/arena/Instrument.ts"
import { machineTime } from "../../engine/journal/TimeLead.ts"
import { fromNumber } from "../../engine/money/Amount.ts"
import { getJson, RequestFailed } from "./BoundedJson.ts"
import * as PolledSource from "./PolledSource.ts"
import type { Quote } from "./PriceSource.ts"

export const GPU_MARKETPLACES = "gpu-marketplaces"

/** How old the observation of an answer may be. */
export const OBSERVATION_MAX_AGE_MILLIS = 3_600_000

/** How far an observation may be ahead of our clock. */
export const OBSERVATION_MAX_LEAD_MILLIS = 60_000

/** The most offers of an answer. */
export const MAX_OFFERS = 1_000

const MAX_NAME = 64

const Name = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(MAX_NAME))

/** Offers of marketplaces, in USD per hour. */
export const GpuOffers = Schema.Struct({
  observed_at: Schema.String,
  prices: Schema.Array(
    Schema.Struct({ model: Name, provider: Name, usd_per_hour: Schema.Finite.check(Schema.isGreaterThan(0)) })
  ).check(Schema.isMaxLength(MAX_OFFERS))
})

const models = new Set(GPUS.map(({ asset }) => asset))
const refused = (reason: string) => new RequestFailed({ reason })

/**
 * The quotes of an answer at a time, one for each model and provider (the first counts). Models that are not configured
 * and prices with more than six decimals are left out; an observation that is too old or of the future fails.
 */
export const quotesOf = (
  { observed_at, prices }: typeof GpuOffers.Type,
  now: number
): Result.Result<ReadonlyArray<Quote>, RequestFailed> => {
  const observed = DateTime.make(observed_at).pipe(Option.map(DateTime.toEpochMillis))
  if (Option.isNone(observed)) return Result.fail(refused("observed_at is no ISO 8601 time"))
  const age = now - observed.value
  if (age > OBSERVATION_MAX_AGE_MILLIS || -age > OBSERVATION_MAX_LEAD_MILLIS) {
    return Result.fail(refused(`the offers are of ${observed_at}`))
  }
  const quotes = new Map<string, Quote>()
  for (const { model, provider, usd_per_hour } of prices) {
    const price = fromNumber(usd_per_hour)
    const key = `${model} ${provider}`
    if (!models.has(model) || quotes.has(key) || Result.isFailure(price)) continue
    quotes.set(key, { asset: model, price: price.success, source: provider, observedAt: now, simulated: false })
  }
  return quotes.size === 0 ? Result.fail(refused("none of the known models")) : Result.succeed([...quotes.values()])
}

/**
 * Accelerator hours from a JSON document
 * `{"observed_at": "2026-09-29T12:00:00Z", "prices": [{"model": "H100-SXM", "provider": "…", "usd_per_hour": 2.49}, …]}`.
 */
export const make = (client: HttpClient.HttpClient, url: URL) =>
  PolledSource.make(
    GPU_MARKETPLACES,
    Effect.gen(function* () {
      const offers = yield* getJson(client, url, GpuOffers)
      return yield* Effect.fromResult(quotesOf(offers, yield* machineTime))
    })
  )
