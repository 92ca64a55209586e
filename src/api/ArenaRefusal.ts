import { Schema, SchemaTransformation } from "effect"
import * as E from "../../engine/arena/ArenaError.ts"
import * as Amount from "../../engine/money/Amount.ts"
import type { Amount as Units } from "../../engine/money/Amount.ts"
import { ApiError, CATALOGUE, isApiError } from "./ApiError.ts"
import type { Code } from "./ApiError.ts"
import { isoUtc } from "./Timestamp.ts"

/**
 * An engine error under its code: a handler lets it pass, the caller gets `{success: false, message, code}`, and a
 * client reads it back as {@link ApiError}.
 */
const refusal = <const C extends Code, T extends { readonly _tag: string }>(
  code: C,
  constructor: abstract new (...args: never) => T,
  sentence: (error: T) => string
) => {
  const is = (value: unknown): value is T | ApiError<C> => value instanceof constructor || isApiError(code)(value)
  return Schema.Struct({ success: Schema.Literal(false), message: Schema.String, code: Schema.Literal(code) })
    .pipe(
      Schema.decodeTo(
        Schema.declare(is, { expected: `the refusal ${code}` }),
        SchemaTransformation.transform<T | ApiError<C>, { success: false; message: string; code: C }>({
          decode: (sent) => new ApiError(code, sent.message),
          encode: (error) => ({
            success: false,
            message: error instanceof ApiError ? error.message : sentence(error),
            code
          })
        })
      )
    )
    .annotate({
      httpApiStatus: CATALOGUE[code].status,
      description: `${code}: ${CATALOGUE[code].sentence}`,
      title: `arena_${code}`
    })
}

const usd = (amount: Units): string => `${Amount.format(amount)} USD`

export const CircuitBreakerOpen = refusal("ARENA_009", E.CircuitBreakerOpen, (error) =>
  error.scope === "global"
    ? `Trading is paused by the circuit breaker: try again in ${error.retryAfterSeconds} seconds.`
    : `Trading in ${error.scope} is paused by its circuit breaker: try again in ${error.retryAfterSeconds} seconds.`
)

export const OrderNotFound = refusal(
  "ARENA_001",
  E.OrderNotFound,
  (error) => `There is no order ${error.orderId}: list /api/arena/orders to find one.`
)

export const OrderNotOpen = refusal(
  "ARENA_003",
  E.OrderNotOpen,
  (error) => `Order ${error.orderId} is ${error.status}: commit to one that is open or competing.`
)

export const WindowClosed = refusal(
  "ARENA_004",
  E.WindowClosed,
  (error) =>
    `The commitment window of order ${error.orderId} closed at ${isoUtc(error.expiredAt)}: choose another order.`
)

export const MachineNotRegistered = refusal(
  "ARENA_006",
  E.MachineNotRegistered,
  (error) => `No active machine trader ${error.botId} is registered for this account.`
)

export const AccessDenied = refusal("access_denied", E.AccessDenied, (error) => error.reason)

export const InvalidTerms = refusal(
  "ARENA_005",
  E.InvalidTerms,
  (error) => `payload.${error.field}: Expected ${error.expected}`
)

export const LossLimitReached = refusal(
  "loss_limit",
  E.LossLimitReached,
  (error) =>
    `Machine trader ${error.botId} may risk ${usd(error.available)} more and this needs ${usd(error.needed)}: ` +
    "lower the quantity or wait for open commitments to settle."
)

export const VaultClosed = refusal("ARENA_008", E.VaultClosed, () => CATALOGUE.ARENA_008.sentence)

export const InsufficientCollateral = refusal(
  "ARENA_002",
  E.InsufficientCollateral,
  (error) =>
    `The collateral is ${usd(error.needed)} and ${usd(error.available)} is free: add funds or lower the quantity.`
)

export const TooManyCommitments = refusal(
  "rate_limited",
  E.TooManyCommitments,
  (error) => `One owner may hold ${error.limit} commitments on an order: choose another order.`
)

export const AlreadyCommitted = refusal(
  "conflict",
  E.AlreadyCommitted,
  (error) => `The decision ${error.decisionId} was committed before.`
)

export const CommitmentsHalted = refusal(
  "commitments_halted",
  E.CommitmentsHalted,
  () => CATALOGUE.commitments_halted.sentence
)

/** Every refusal of a commitment, for an endpoint's `error`. */
export const commitmentRefusals = [
  CircuitBreakerOpen,
  OrderNotFound,
  OrderNotOpen,
  WindowClosed,
  MachineNotRegistered,
  AccessDenied,
  InvalidTerms,
  LossLimitReached,
  VaultClosed,
  InsufficientCollateral,
  TooManyCommitments,
  AlreadyCommitted,
  CommitmentsHalted
] as const

const encodeRefusal = Schema.encodeSync(Schema.Union(commitmentRefusals))

/** The refusal of a commitment as the error that callers get: its code, sentence and wait, as its schema has them. */
export const asApiError = (error: E.ArenaError): ApiError => {
  const { code, message } = encodeRefusal(error)
  return new ApiError(code, message, error._tag === "CircuitBreakerOpen" ? error.retryAfterSeconds : undefined, [])
}
