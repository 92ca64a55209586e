import { Cause, Clock, Context, Duration, Effect, FiberSet, Layer } from "effect"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { READ_AGAIN_AFTER } from "../../engine/webhooks/EndpointActor.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { untilDone } from "../UntilDone.ts"
import { DeliveryActors } from "./DeliveryActors.ts"
import { WakeSignal } from "./WakeSignal.ts"
import { DeliveryRepository } from "./DeliveryRepository.ts"
import { DeliveryTimes, type Look } from "./DeliveryTimes.ts"

/** Endpoints that are checked at the same time. */
const CONCURRENCY = 64

/** The pause before deliveries and endpoints are read again that could not be. */
const READ_AGAIN = Duration.seconds(1)

/** The webhook that a recorded event changed in a way that matters for sending. */
const changedBy = (event: PlatformEvent): string | undefined => {
  switch (event._tag) {
    case "WebhookChanged":
    case "WebhookSecretRotated":
    case "WebhookDisabled":
    case "WebhookEnabled":
    case "WebhookDeleted":
      return event.webhookId
    default:
      return undefined
  }
}

/**
 * Lets endpoints check their deliveries when something is due, was asked for by hand, or changed. It is one fiber in
 * all.
 */
export class DeliveryDispatcher extends Context.Service<
  DeliveryDispatcher,
  {
    /** Finds what was due before the start. */
    readonly recall: Effect.Effect<void>
    /** Lets the endpoints check whose time has come. */
    readonly round: Effect.Effect<void>
  }
>()("emporion/webhooks/DeliveryDispatcher") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const actors = yield* DeliveryActors
      const wakeSignal = yield* WakeSignal
      const clock = yield* Clock.Clock
      const { endpointsOf, nextDue } = yield* DeliveryRepository
      const fork = yield* FiberSet.makeRuntime<never>()
      const times = yield* DeliveryTimes
      const journal = yield* UnitOfWork

      /** Those that are read again at their next check. */
      const stale = new Set<string>()

      const again = ({ reload, webhookId }: Look): void => {
        if (reload) stale.add(webhookId)
        times.enter(webhookId, clock.currentTimeMillisUnsafe() + READ_AGAIN_AFTER)
      }

      const look = (one: Look) =>
        Effect.suspend(() =>
          actors.look(stale.delete(one.webhookId) ? { ...one, reload: true, told: undefined } : one)
        ).pipe(
          Effect.catchCause((cause) =>
            Cause.hasInterrupts(cause)
              ? Effect.interrupt
              : Effect.andThen(
                  Effect.logDebug(`The webhook ${one.webhookId} could not look`, cause),
                  Effect.sync(() => again(one))
                )
          )
        )

      const recall = untilDone(
        Effect.map(nextDue, (found) => {
          for (const { at, webhookId } of found) times.enter(webhookId, at)
        }),
        "Deliveries of webhooks wait",
        READ_AGAIN
      )

      /** The endpoints of a company that was forgotten are read anew: nobody knows their URLs any more. */
      const forgotten = (companyId: string) =>
        untilDone(
          Effect.map(endpointsOf(companyId), (found) => found.forEach(times.changed)),
          "Webhooks of a forgotten company wait",
          READ_AGAIN
        )

      yield* journal.onCommit((events) => {
        for (const { event } of events) {
          if (event._tag === "UserErased" && event.companyErased) fork(forgotten(event.companyId))
          const webhookId = changedBy(event)
          if (webhookId !== undefined) times.changed(webhookId)
        }
      })
      yield* wakeSignal.listen((webhookId) => times.enter(webhookId, clock.currentTimeMillisUnsafe()))

      return DeliveryDispatcher.of({
        recall,
        round: Effect.flatMap(times.take, (looks) =>
          Effect.onInterrupt(Effect.forEach(looks, look, { concurrency: CONCURRENCY, discard: true }), () =>
            Effect.sync(() => looks.forEach(again))
          )
        )
      })
    })
  )

  /** Delivers for ever. */
  static readonly running = Layer.effectDiscard(
    Effect.gen(function* () {
      const { recall, round } = yield* DeliveryDispatcher
      const { due } = yield* DeliveryTimes
      yield* Effect.forkScoped(Effect.andThen(recall, Effect.forever(Effect.andThen(due, round))))
    })
  )
}
