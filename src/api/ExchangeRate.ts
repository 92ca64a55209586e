import { Effect, Result, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { type CurrencyPair, formatPair, parsePair } from "../../engine/fx/CurrencyPair.ts"
import { roundUnits, shortestDecimal } from "../../engine/money/Decimal.ts"
import { DECIMALS, fromUnits, type Rate, toNumber } from "../../engine/money/Rate.ts"
import { documented } from "./DocumentedBounds.ts"

type Options = Parameters<Parameters<typeof SchemaTransformation.transformEffect>[0]["decode"]>[1]

const invalid = (expected: string, input: unknown, options: Options) =>
  Effect.fail(new SchemaIssue.InvalidValue({ message: `Expected ${expected}` }, input, options))

const isPair = (value: unknown): value is CurrencyPair =>
  typeof value === "object" && value !== null && "base" in value && "quote" in value

const PAIR = "two symbols of funds, such as EUR/USD, eur-usd, EUR_USD or EURUSD"

/** BASE/QUOTE. Specification 2.10, 2.14. */
export const Pair = Schema.String.annotate({ description: `BASE/QUOTE: ${PAIR}.` }).pipe(
  Schema.decodeTo(
    Schema.declare(isPair, { expected: "a pair" }),
    SchemaTransformation.transformEffect({
      decode: (text, options) => {
        const pair = parsePair(text)
        return pair === undefined ? invalid(PAIR, text, options) : Effect.succeed(pair)
      },
      encode: (pair: CurrencyPair) => Effect.succeed(formatPair(pair))
    })
  )
)

const isRate = (value: unknown): value is Rate => typeof value === "bigint"

/** The largest rate that is taken: 10¹⁰. */
const MAX_RATE = 10_000_000_000
const RATE = `a decimal number from 0 to ${MAX_RATE}`

const parsed = (value: number): Result.Result<Rate, undefined> => {
  const isInside = Number.isFinite(value) && value >= 0 && value <= MAX_RATE && !Object.is(value, -0)
  const units = isInside ? roundUnits(shortestDecimal(value), DECIMALS) : undefined
  return units === undefined ? Result.fail(undefined) : Result.succeed(fromUnits(units))
}

/** An exchange rate as a JSON number, rounded half to even at the 12th decimal: the quote's units for one of the base. */
export const RateFromNumber = Schema.Finite.annotate({
  description: `How much of the quote one unit of the base is: ${RATE}; decimals beyond the ${DECIMALS}th are rounded.`
})
  .check(documented({ minimum: 0, maximum: MAX_RATE }))
  .pipe(
    Schema.decodeTo(
      Schema.declare(isRate, { expected: "a rate" }),
      SchemaTransformation.transformEffect({
        decode: (value, options) => {
          const rate = parsed(value)
          return Result.isFailure(rate) ? invalid(RATE, value, options) : Effect.succeed(rate.success)
        },
        encode: (rate: Rate) => Effect.succeed(toNumber(rate))
      })
    )
  )
