import { DateTime, Effect, Option, Result, Schema } from "effect"
import type { HttpClient } from "effect/http"
import { amountFromFine, priceFromRate } from "../../engine/arena/FinePrice.ts"
import { COMMODITIES, CURRENCIES } from "../../engine/arena/Instrument.ts"
import { machineTime } from "../../engine/journal/TimeLead.ts"
import { getJson, RequestFailed } from "./BoundedJson.ts"
import * as PolledSource from "./PolledSource.ts"
import type { Quote } from "./PriceSource.ts"

export const LIVE_RATES = "live-rates"

/** How long after the beginning of its date a publication may be used. */
export const PUBLICATION_MAX_AGE_MILLIS = 3 * 86_400_000

/** How far ahead of our clock a publication's date may begin: it may be tomorrow already where it was made. */
export const PUBLICATION_MAX_LEAD_MILLIS = 86_400_000

/** What is taken from the rates: currencies and precious metals. A daily rate is too old for crypto-currencies. */
export const LIVE_INSTRUMENTS = [...CURRENCIES, ...COMMODITIES.filter(({ group }) => group === "metal")]

const Rate = Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0)))

/** Daily rates as public currency services publish them: how many units of each one USD buys. */
export const DailyRates = Schema.Struct({
  date: Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/)),
  usd: Schema.Struct(Object.fromEntries(LIVE_INSTRUMENTS.map(({ code }) => [code, Rate])))
})

const refused = (reason: string) => new RequestFailed({ reason })

/** The quotes of a publication at a time. Symbols that it lacks have none; one that is too old or of the future fails. */
export const quotesOf = (
  { date, usd }: typeof DailyRates.Type,
  now: number
): Result.Result<ReadonlyArray<Quote>, RequestFailed> => {
  const published = DateTime.make(date).pipe(Option.map(DateTime.toEpochMillis))
  if (Option.isNone(published)) return Result.fail(refused(`no such date as ${date}`))
  const age = now - published.value
  if (age > PUBLICATION_MAX_AGE_MILLIS || -age > PUBLICATION_MAX_LEAD_MILLIS) {
    return Result.fail(refused(`the rates are of ${date}`))
  }
  const quotes = LIVE_INSTRUMENTS.flatMap(({ asset, code, per }) => {
    const price = priceFromRate(String(usd[code]), per)
    return Result.isSuccess(price)
      ? [{ asset, price: amountFromFine(price.success), source: LIVE_RATES, observedAt: now, simulated: false }]
      : []
  })
  return quotes.length === 0 ? Result.fail(refused("none of the known symbols")) : Result.succeed(quotes)
}

/**
 * Currencies and precious metals from a JSON document `{"date": "2026-09-29", "usd": {"eur": 0.88, "xau": 0.00024, …}}`.
 *
 * A quote is observed when the service answered it, which says that the publication is still its latest.
 */
export const make = (client: HttpClient.HttpClient, url: URL) =>
  PolledSource.make(
    LIVE_RATES,
    Effect.gen(function* () {
      const rates = yield* getJson(client, url, DailyRates)
      return yield* Effect.fromResult(quotesOf(rates, yield* machineTime))
    })
  )
