/** Takes payments as far as they go: asks providers, records their answers, and lets orders take the money. */

import { Clock, Effect } from "effect"
import { type Amount, fromUnits } from "../money/Amount.ts"
import { isRefusal } from "../wire/Refusal.ts"
import { disputeShares } from "./DisputeShares.ts"
import {
  capturedOf,
  declinedRefund,
  declinesOf,
  paymentAccount,
  type PaymentState,
  type Refund,
  refundedOf
} from "./Payment.ts"
import { nextLook, SELDOM_AFTER, waitAfter, waitAfterDecline } from "./PaymentBackoff.ts"
import type { PaymentEvent } from "./PaymentEvent.ts"
import {
  type ChargeStep,
  DISPUTED,
  type PaymentProvider,
  type ProviderOutcome,
  type StepKind
} from "./PaymentProvider.ts"
import { nextStep, type PaymentStep } from "./PaymentStep.ts"
import type { PaymentSituation, PaymentWorld, RecordFailure } from "./PaymentWorld.ts"

/** How long a provider may think about one request. */
const PATIENCE = "15 seconds"

/** Most steps of one go: a payment has less than ten, and each refund three. */
const MAX_STEPS = 40

/** A payment at rest comes due again after this, in milliseconds, unless it is seen to be at rest. */
const LEASE = 60_000

/** What became of a step: `done` goes on, `waiting` asks again later. */
type Progress = "done" | "waiting"

/** An answer that says what became of the request. */
type Answered = Exclude<ProviderOutcome, { readonly _tag: "Unknown" }>

/** The event that an answer makes; undefined: the request is to be made again later. */
type EventOf = (answer: Answered, at: number) => PaymentEvent | undefined

const unknown = (reason: string): Effect.Effect<ProviderOutcome> => Effect.succeed({ _tag: "Unknown", reason })

const missing = unknown("the provider is not available, see the settings")
const tooSlow = unknown("the provider did not answer in time")

/** A refund as a provider is asked for it. */
type AskedRefund = Pick<Refund, "refundId" | "amount" | "attempts">

/**
 * The key of a step: asked again under it, a provider does nothing twice. What it declined is asked for under another
 * one, as it would give the same answer under the first.
 */
const stepKey = (paymentId: string, kind: StepKind, refund: AskedRefund | undefined): string => {
  if (refund === undefined) return `${paymentId}/${kind}`
  const { attempts, refundId } = refund
  return attempts === 1 ? `${paymentId}/${kind}/${refundId}` : `${paymentId}/${kind}/${refundId}/${attempts}`
}

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

type Going<E> = Effect.Effect<Progress, RecordFailure<E>>

/** Lets a payment come due again later. */
const postpone = <E, L>(
  { schedule }: PaymentWorld<E, L>,
  paymentId: string,
  attempts: number,
  why: string,
  wait = waitAfter(attempts)
): Effect.Effect<Progress, E> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.as(schedule.postpone(paymentId, now + wait, attempts, why), "waiting")
  )

/** One request to the payment's provider, and the record of its answer. */
const request = Effect.fnUntraced(function* <E, L>(
  world: PaymentWorld<E, L>,
  state: PaymentState,
  kind: StepKind,
  eventOf: EventOf,
  refund?: AskedRefund
): Effect.fn.Return<Progress, RecordFailure<E>> {
  const { amount, paymentId, provider } = state.plan
  const attempts = yield* world.schedule.attempts(paymentId)
  const key = stepKey(paymentId, kind, refund)
  const step = { key, paymentId, reference: state.reference, amount: refund?.amount ?? amount }
  const outcome = yield* ask(world.provider(provider), kind, state, step, attempts > 0)
  if (outcome._tag === "Unknown") return yield* postpone(world, paymentId, attempts + 1, outcome.reason)
  const at = yield* Clock.currentTimeMillis
  const event = eventOf(outcome, at)
  if (event === undefined) {
    return yield* postpone(world, paymentId, attempts + 1, "the provider cannot do it now")
  }
  yield* world
    .record(state, event)
    .pipe(
      Effect.catch((failure) =>
        isTagged(failure, "InsufficientFunds")
          ? world.record(state, { _tag: "PaymentFailed", at, paymentId, reason: "insufficient_funds" })
          : Effect.fail(failure)
      )
    )
  return "done"
})

const isTagged = (failure: unknown, tag: "InsufficientFunds" | "StaleVersion"): boolean =>
  typeof failure === "object" && failure !== null && "_tag" in failure && failure._tag === tag

/** Records what goes without asking anybody. */
const decided = <E, L>(
  world: PaymentWorld<E, L>,
  { state }: PaymentSituation,
  event: (of: { readonly at: number; readonly paymentId: string }) => PaymentEvent
): Going<E> =>
  Effect.flatMap(Clock.currentTimeMillis, (at) =>
    Effect.as(world.record(state, event({ at, paymentId: state.plan.paymentId })), "done")
  )

/** Sets aside what the order does not need: the refund that was declined is asked for anew, where one was. */
const giveBack = <E, L>(world: PaymentWorld<E, L>, { state, ...rest }: PaymentSituation, amount: Amount): Going<E> =>
  decided(world, { state, ...rest }, (of) => ({
    _tag: "PaymentRefundRequested",
    ...of,
    refundId: declinedRefund(state)?.refundId ?? `rfd_${of.paymentId.replace(/^pay_/, "")}_${state.refunds.size + 1}`,
    amount,
    seller: null
  }))

/** Lets the order take the money. What it refuses goes back. */
const apply = <E, L>(world: PaymentWorld<E, L>, situation: PaymentSituation): Going<E> => {
  const { extent, orderId, payer, paymentId } = situation.state.plan
  return world.pay(orderId, { paymentId, from: paymentAccount(paymentId), extent }, payer).pipe(
    Effect.as<Progress>("done"),
    Effect.catch((refused): Going<E> =>
      isRefusal(refused) ? giveBack(world, situation, capturedOf(situation.state)) : Effect.fail(refused as E)
    )
  )
}

/** Sends a refund on its way. What the order does not need and the provider refuses is tried again, ever later. */
const refund = Effect.fnUntraced(function* <E, L>(
  world: PaymentWorld<E, L>,
  { state }: PaymentSituation,
  asked: Refund
): Effect.fn.Return<Progress, RecordFailure<E>> {
  const { paymentId } = state.plan
  const { refundId } = asked
  const declined: Array<string> = []
  const eventOf: EventOf = (answer, at) => {
    if (answer._tag === "Approved") return { _tag: "PaymentRefunded", at, paymentId, refundId }
    declined.push(answer.reason)
    return { _tag: "PaymentRefundFailed", at, paymentId, refundId, reason: answer.reason }
  }
  const progress = yield* request(world, state, "refund", eventOf, asked)
  const [reason] = declined
  if (reason === undefined) return progress
  const after = yield* world.find(paymentId)
  if (after !== undefined && reason === DISPUTED) yield* lookForDispute(world, after)
  if (asked.seller !== null) return progress
  const declines = declinesOf(state) + asked.attempts
  if (declines >= SELDOM_AFTER) {
    yield* Effect.logError(
      `The refund ${refundId} of the payment ${paymentId} was declined ${declines} times (${reason}): ask the provider why. ` +
        "It is tried once a day."
    )
  }
  const wait = waitAfterDecline(declines)
  return yield* postpone(world, paymentId, declines, `its refund was declined (${reason})`, wait)
})

/** Asks what the payer's bank says of a captured payment, and records it: whether that was anything new. */
const lookForDispute = Effect.fnUntraced(function* <E, L>(
  world: PaymentWorld<E, L>,
  { order, state }: PaymentSituation
): Effect.fn.Return<boolean, RecordFailure<E>> {
  const { paymentId, provider: name } = state.plan
  const provider = world.provider(name)
  const found = provider === undefined ? undefined : yield* provider.dispute(state.reference)
  if (found === undefined || state.dispute?.state === found.state) return false
  const of = { at: yield* Clock.currentTimeMillis, paymentId, disputeId: found.disputeId }
  if (state.dispute === null) {
    const left = capturedOf(state) - refundedOf(state)
    const amount = found.amount < left ? found.amount : fromUnits(left)
    if (amount <= 0n) return false
    yield* world.record(state, { _tag: "PaymentDisputed", ...of, amount })
    return true
  }
  if (found.state === "open" || found.disputeId !== state.dispute.disputeId) return false
  yield* world.record(
    state,
    found.state === "won"
      ? { _tag: "PaymentDisputeWon", ...of }
      : { _tag: "PaymentDisputeLost", ...of, shares: disputeShares(state, order) }
  )
  return true
})

/** Does a step of a payment. */
const perform = <E, L>(
  world: PaymentWorld<E, L>,
  situation: PaymentSituation,
  step: Exclude<PaymentStep, { readonly _tag: "LookForDispute" }>
): Going<E> => {
  const { state } = situation
  const { paymentId } = state.plan
  switch (step._tag) {
    case "Authorize":
      return request(world, state, "authorize", (answer, at) =>
        answer._tag === "Approved"
          ? { _tag: "PaymentAuthorized", at, paymentId, reference: answer.reference }
          : { _tag: "PaymentFailed", at, paymentId, reason: answer.reason }
      )
    case "Capture":
      return request(world, state, "capture", (answer, at) =>
        answer._tag === "Approved"
          ? { _tag: "PaymentCaptured", at, paymentId }
          : { _tag: "PaymentFailed", at, paymentId, reason: answer.reason }
      )
    case "Void":
      return request(world, state, "void", (answer, at) =>
        answer._tag === "Approved" ? { _tag: "PaymentVoided", at, paymentId } : undefined
      )
    case "RequestCapture":
      return decided(world, situation, (of) => ({
        _tag: "PaymentCaptureRequested",
        ...of,
        userId: null,
        requestId: null
      }))
    case "RequestVoid":
      return decided(world, situation, (of) => ({
        _tag: "PaymentVoidRequested",
        ...of,
        userId: null,
        requestId: null,
        reason: "order_changed"
      }))
    case "Apply":
      return apply(world, situation)
    case "RequestRefund":
      return giveBack(world, situation, step.amount)
    case "Refund":
      return refund(world, situation, step.refund)
  }
}

/** Lets a payment rest, unless something was recorded since it was looked at: false then. */
const rest = Effect.fnUntraced(function* <E, L>(
  { find, schedule }: PaymentWorld<E, L>,
  paymentId: string
): Effect.fn.Return<boolean, E> {
  const now = yield* Clock.currentTimeMillis
  const lease = yield* schedule.lease(paymentId, now + LEASE)
  const after = yield* find(paymentId)
  if (after === undefined) return true
  const step = nextStep(after.state, after.takes)
  if (step !== undefined && step._tag !== "LookForDispute") return false
  const { capturedAt } = after.state
  yield* schedule.release(paymentId, lease, step === undefined ? undefined : nextLook(capturedAt ?? now, now))
  return true
})

/** One step; false where the payment rests. */
const go = Effect.fnUntraced(function* <E, L>(
  world: PaymentWorld<E, L>,
  paymentId: string,
  looks: boolean
): Effect.fn.Return<boolean, RecordFailure<E>> {
  const situation = yield* world.find(paymentId)
  if (situation === undefined) return false
  const step = nextStep(situation.state, situation.takes)
  if (step === undefined) return !(yield* rest(world, paymentId))
  if (step._tag === "LookForDispute") {
    return (looks && (yield* lookForDispute(world, situation))) || !(yield* rest(world, paymentId))
  }
  return (yield* perform(world, situation, step)) === "done"
})

/**
 * Goes on with a payment until nothing is left to do now. What is recorded in between means to look again.
 *
 * @param looks - whether to ask for disputes too
 */
export const drivePayment = Effect.fnUntraced(function* <E, L>(
  world: PaymentWorld<E, L>,
  paymentId: string,
  looks: boolean
): Effect.fn.Return<void, RecordFailure<E>> {
  const once = go(world, paymentId, looks).pipe(
    Effect.catch((failure) => (isTagged(failure, "StaleVersion") ? Effect.succeed(true) : Effect.fail(failure)))
  )
  for (let steps = 0; steps < MAX_STEPS; steps++) if (!(yield* once)) return
})
