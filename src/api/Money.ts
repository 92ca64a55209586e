import { Effect, Result, Schema, SchemaIssue, SchemaTransformation } from "effect"
import * as Amount from "../../engine/money/Amount.ts"
import type { Amount as Units, InvalidAmount } from "../../engine/money/Amount.ts"
import { type Bounds, documented } from "./DocumentedBounds.ts"

const isUnits = (value: unknown): value is Units => typeof value === "bigint"

/** An amount in 10⁻⁶, as the program holds it. */
export const AmountUnits = Schema.declare(isUnits, { expected: "an amount" })

const parsed =
  <I>(read: (input: I) => Result.Result<Units, InvalidAmount>) =>
  (input: I, options: Parameters<Parameters<typeof SchemaTransformation.transformEffect>[0]["decode"]>[1]) => {
    const amount = read(input)
    if (Result.isSuccess(amount)) return Effect.succeed(amount.success)
    const message = `Expected ${amount.failure.expected}`
    return Effect.fail(new SchemaIssue.InvalidValue({ message }, input, options))
  }

/** The largest amount as a JSON number. */
export const MAX_NUMBER = Amount.toNumber(Amount.MAX)

const NUMBER =
  "A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even."

const amountWithin = (bounds: Bounds) =>
  Schema.Finite.annotate({ description: NUMBER })
    .check(documented(bounds))
    .pipe(
      Schema.decodeTo(
        AmountUnits,
        SchemaTransformation.transformEffect({
          decode: parsed(Amount.fromNumber),
          encode: (amount: Units) => Effect.succeed(Amount.toNumber(amount))
        })
      )
    )

/**
 * An amount, quantity or price as a JSON number: not negative, at most 8·10⁹, rounded half to even at the sixth decimal.
 * Anything else is refused with what was expected.
 */
export const AmountFromNumber = amountWithin({ minimum: 0, maximum: MAX_NUMBER })

/** The same, and more than 0. */
export const PositiveAmountFromNumber = amountWithin({ exclusiveMinimum: 0, maximum: MAX_NUMBER }).check(
  Schema.makeFilter((amount) => amount > 0n || "Expected more than 0")
)

/** A number in a query: the decimal text of {@link AmountFromNumber}. */
export const AmountFromString = Schema.String.annotate({ format: "decimal", description: NUMBER }).pipe(
  Schema.decodeTo(
    AmountUnits,
    SchemaTransformation.transformEffect({
      decode: parsed(Amount.parseRounded),
      encode: (amount: Units) => Effect.succeed(Amount.format(amount))
    })
  )
)

/**
 * A signed amount in an answer, such as a profit. A client reads it back to the nearest 10⁻⁶; it is never decoded from
 * a request.
 */
export const SignedAmount = Schema.Finite.annotate({ description: "A decimal number; negative for a loss." }).pipe(
  Schema.decodeTo(
    AmountUnits,
    SchemaTransformation.transformEffect({
      decode: (value, options) => {
        const magnitude = Amount.fromNumber(Math.abs(value))
        return Result.match(magnitude, {
          onFailure: (error) =>
            Effect.fail(new SchemaIssue.InvalidValue({ message: `Expected ${error.expected}` }, value, options)),
          onSuccess: (amount) => Effect.succeed(value < 0 ? Amount.fromUnits(-amount) : amount)
        })
      },
      encode: (amount: Units) => Effect.succeed(Amount.toNumber(amount))
    })
  )
)
