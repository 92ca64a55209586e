import { Cause, Clock, Context, Effect, Layer } from "effect"
import type { Entry } from "../../engine/actor/Journal.ts"
import { failureReasonOf } from "../../engine/subscriptions/ChargeShortage.ts"
import { subscriptionStream, type SubscriptionState } from "../../engine/subscriptions/Subscription.ts"
import { dueStep, failed } from "../../engine/subscriptions/SubscriptionDecision.ts"
import type { FailureReason, SubscriptionEvent } from "../../engine/subscriptions/SubscriptionEvent.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { dieOnRefusal, writeEntry } from "../database/EntryWriting.ts"
import type { UnitOfWork } from "../database/UnitOfWork.ts"
import { MoneyGate } from "../identity/MoneyGate.ts"
import { SubscriptionRepository } from "./SubscriptionRepository.ts"

/** Subscriptions that are looked at in one round, and how many of them at once. */
export const ROUND = 100
const AT_ONCE = 8

/** Records a failure, on the version that the charge was decided on. */
const recordFailure = (state: SubscriptionState, reason: FailureReason, at: number) =>
  writeEntry({
    stream: subscriptionStream(state.terms.subscriptionId),
    version: state.version,
    entry: failed(state, reason, at)
  })

/**
 * Takes the step that is due, on the version that was read: whoever comes first takes it, and the other one's is
 * refused by the journal. A period's charge has ids of its own besides, so that the ledger takes it once.
 */
const step = Effect.fnUntraced(function* (id: string) {
  const state = yield* (yield* SubscriptionRepository).find(id)
  const at = yield* Clock.currentTimeMillis
  const entry: Entry<SubscriptionEvent> | undefined = state === undefined ? undefined : dueStep(state, at)
  if (state === undefined || entry === undefined) return
  const { buyer } = state.terms
  const write = writeEntry({ stream: subscriptionStream(id), version: state.version, entry })
  const charge =
    entry.event._tag === "SubscriptionCancelled" ? write : Effect.andThen((yield* MoneyGate).open(buyer.userId), write)
  yield* charge.pipe(
    Effect.catchTag("MoneyGateClosed", () => recordFailure(state, "account_not_active", at)),
    Effect.catchTag("InsufficientFunds", (missing) => recordFailure(state, failureReasonOf(missing), at)),
    Effect.catchTag("StaleVersion", () => Effect.void),
    dieOnRefusal
  )
})

/** One that fails for a reason of its own does not keep the others waiting. */
const survived = (id: string) =>
  step(id).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterrupts(cause) || Cause.hasFails(cause)
        ? Effect.failCause(cause)
        : Effect.logError(`The subscription ${id} stumbled`, cause)
    )
  )

/** Lets subscriptions that are due take their steps. */
export class Renewals extends Context.Service<
  Renewals,
  {
    /** One round at the present time, of at most {@link ROUND}: how many were due. */
    readonly round: Effect.Effect<number, Unavailable>
  }
>()("emporion/subscriptions/Renewals") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* SubscriptionRepository
      const context = yield* Effect.context<SubscriptionRepository | MoneyGate | UnitOfWork>()
      return Renewals.of({
        round: Effect.gen(function* () {
          const ids = yield* repository.due(yield* Clock.currentTimeMillis, ROUND)
          yield* Effect.forEach(ids, survived, { concurrency: AT_ONCE, discard: true })
          return ids.length
        }).pipe(Effect.provideContext(context), Effect.withSpan("Renewals.round"))
      })
    })
  )
}
