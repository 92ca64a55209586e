import { Data, Result } from "effect"
import { nextAttemptAt } from "./DeliverySchedule.ts"

export const DELIVERY_STATUSES = ["pending", "held", "delivered", "failed"] as const

/**
 * - `pending`: an attempt is due at a known time.
 * - `held`: the day's quota is used up; it goes on when there is room.
 * - `delivered`: a receiver answered 2xx.
 * - `failed`: all attempts failed; it goes on when somebody asks for it.
 */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** What came of one attempt. */
export interface AttemptOutcome {
  readonly startedAt: number
  readonly endedAt: number
  /** The HTTP status; null where no answer came. */
  readonly status: number | null
}

/** Where a delivery stands. Times are milliseconds since 1970. */
export interface DeliveryState {
  readonly status: DeliveryStatus
  /** Attempts of the present round. A retry by hand begins a new round. */
  readonly attempts: number
  /** When the next attempt is due; null where none is. */
  readonly dueAt: number | null
}

/** conflict: a delivery is retried by hand only after it failed. */
export class NotFailed extends Data.TaggedError("NotFailed")<{ readonly status: DeliveryStatus }> {}

/** A new delivery: its first attempt is due at once. */
export const created = (at: number): DeliveryState => ({ status: "pending", attempts: 0, dueAt: at })

/** Any 2xx is a success; redirects are not followed and so are none. Specification 6.3. */
export const isSuccess = ({ status }: AttemptOutcome): boolean => status !== null && status >= 200 && status < 300

/** Takes the outcome of an attempt. Dies by `RangeError` where none was due. */
export const attempted = (state: DeliveryState, outcome: AttemptOutcome): DeliveryState => {
  if (state.status !== "pending") throw new RangeError(`a ${state.status} delivery was attempted`)
  const attempts = state.attempts + 1
  if (isSuccess(outcome)) return { status: "delivered", attempts, dueAt: null }
  const dueAt = nextAttemptAt(attempts, outcome.endedAt)
  return dueAt === undefined ? { status: "failed", attempts, dueAt: null } : { status: "pending", attempts, dueAt }
}

/** Waits for the quota of another day. Its attempts stay counted. */
export const held = (state: DeliveryState): DeliveryState =>
  state.status === "pending" ? { ...state, status: "held", dueAt: null } : state

/** Goes on after it was held. */
export const resumed = (state: DeliveryState, at: number): DeliveryState =>
  state.status === "held" ? { ...state, status: "pending", dueAt: at } : state

/** Begins a new round of attempts, at once. */
export const retried = (state: DeliveryState, at: number): Result.Result<DeliveryState, NotFailed> =>
  state.status === "failed" ? Result.succeed(created(at)) : Result.fail(new NotFailed({ status: state.status }))
