import { Clock, Effect } from "effect"
import type { PaymentState } from "../../engine/payments/Payment.ts"
import type { PaymentEvent } from "../../engine/payments/PaymentEvent.ts"
import { waitAfter } from "./PaymentBackoff.ts"
import type { ChargeStep, PaymentProvider, ProviderOutcome, StepKind } from "./PaymentProvider.ts"
import { PaymentProviders } from "./PaymentProviders.ts"
import { record } from "./PaymentRecord.ts"
import { PaymentScheduleRepository } from "./PaymentScheduleRepository.ts"

/** How long a provider may think about one request. */
const PATIENCE = "15 seconds"

/** What became of a step: `done` goes on, `waiting` asks again later. */
export type Progress = "done" | "waiting"

/** An answer that says what became of the request. */
export type Answered = Exclude<ProviderOutcome, { readonly _tag: "Unknown" }>

/** The event that an answer makes; undefined: the request is to be made again later. */
export type EventOf = (answer: Answered, at: number) => PaymentEvent | undefined

const unknown = (reason: string): Effect.Effect<ProviderOutcome> => Effect.succeed({ _tag: "Unknown", reason })

const missing = unknown("the provider is not available, see the settings")
const tooSlow = unknown("the provider did not answer in time")

/** The key of a step: asked again under it, a provider does nothing twice. */
const stepKey = (paymentId: string, kind: StepKind, refundId: string | undefined): string =>
  refundId === undefined ? `${paymentId}/${kind}` : `${paymentId}/${kind}/${refundId}`

/** Asks a provider. What was asked before is looked for first, as a provider forgets keys in time. */
const ask = (
  provider: PaymentProvider | undefined,
  kind: StepKind,
  state: PaymentState,
  step: ChargeStep,
  isAgain: boolean
): Effect.Effect<ProviderOutcome> => {
  if (provider === undefined) return missing
  const { instrument } = state.plan
  const request = kind === "authorize" ? provider.authorize({ ...step, instrument }) : provider[kind](step)
  const asked = isAgain
    ? Effect.flatMap(provider.find(kind, step), (found) => (found === undefined ? request : Effect.succeed(found)))
    : request
  return Effect.timeoutOrElse(asked, { duration: PATIENCE, orElse: () => tooSlow })
}

/** Lets a payment come due again later. */
export const postpone = Effect.fnUntraced(function* (paymentId: string, attempts: number, reason: string) {
  yield* Effect.logWarning(`The payment ${paymentId} waits: ${reason}.`)
  const due = (yield* Clock.currentTimeMillis) + waitAfter(attempts)
  yield* Effect.flatMap(PaymentScheduleRepository, (schedule) => schedule.postpone(paymentId, due, attempts))
  return "waiting" as Progress
})

/** One request to the payment's provider, and the record of its answer. */
export const request = Effect.fnUntraced(function* (
  state: PaymentState,
  kind: StepKind,
  eventOf: EventOf,
  refund?: { readonly refundId: string; readonly amount: ChargeStep["amount"] }
) {
  const { amount, paymentId, provider } = state.plan
  const providers = yield* PaymentProviders
  const attempts = yield* Effect.flatMap(PaymentScheduleRepository, (schedule) => schedule.attempts(paymentId))
  const key = stepKey(paymentId, kind, refund?.refundId)
  const step = { key, paymentId, reference: state.reference, amount: refund?.amount ?? amount }
  const outcome = yield* ask(providers.find(provider), kind, state, step, attempts > 0)
  if (outcome._tag === "Unknown") return yield* postpone(paymentId, attempts + 1, outcome.reason)
  const at = yield* Clock.currentTimeMillis
  const event = eventOf(outcome, at)
  if (event === undefined) return yield* postpone(paymentId, attempts + 1, "the provider cannot do it now")
  yield* record(state, event).pipe(
    Effect.catchTag("InsufficientFunds", () =>
      record(state, { _tag: "PaymentFailed", at, paymentId, reason: "insufficient_funds" })
    )
  )
  return "done" as Progress
})
