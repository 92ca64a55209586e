import { Clock, Context, Effect, Layer, Result } from "effect"
import { retried } from "../../engine/webhooks/Delivery.ts"
import { DAILY_DELIVERIES, dayOf, nextDayAt } from "../../engine/webhooks/DeliveryQuota.ts"
import type { Page } from "../api/Paging.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import { Companies } from "../identity/companies/Companies.ts"
import { WakeSignal } from "./WakeSignal.ts"
import {
  type DeliveryFilter,
  DeliveryLogRepository,
  type DeliveryPage,
  type FoundDelivery,
  type KeptAttempt,
  type LoggedDelivery,
  type Retried
} from "./DeliveryLogRepository.ts"
import { DeliveryNotFailed, DeliveryNotFound, WebhookIsDisabled, type WebhookNotFound } from "./WebhookError.ts"
import { type Caller, Webhooks } from "./Webhooks.ts"

/** Attempts that are shown of one delivery. */
export const SHOWN_ATTEMPTS = 100

/** Deliveries that one request retries. */
export const MOST_RETRIED = 10_000

/** A delivery and the attempts at it, oldest first. */
export interface TriedDelivery {
  readonly delivery: FoundDelivery
  readonly attempts: ReadonlyArray<KeptAttempt>
}

/** A company's deliveries of a UTC day, and what its plan allows. */
export interface UsedDeliveries {
  /** Days since 1970. */
  readonly day: number
  /** When the next day begins, in milliseconds since 1970. */
  readonly endsAt: number
  /** Deliveries that began on the day. */
  readonly begun: number
  /** Null: no limit. */
  readonly limit: number | null
  /** Deliveries that wait for room, of whatever day. */
  readonly held: number
}

/** Shows what was delivered, what was not and why, and starts retries. */
export class DeliveryLog extends Context.Service<
  DeliveryLog,
  {
    /** A webhook's deliveries, newest first. */
    readonly list: (
      caller: Caller,
      webhookId: string,
      filter: DeliveryFilter,
      page: Page
    ) => Effect.Effect<DeliveryPage, WebhookNotFound | Unavailable | UnknownCursor>
    /** A delivery of the caller's company, or any for an administrator, with its attempts, oldest first. */
    readonly find: (caller: Caller, id: string) => Effect.Effect<TriedDelivery, DeliveryNotFound | Unavailable>
    /** How much of what its plan allows a company has used today. Specification 8. */
    readonly today: (companyId: string) => Effect.Effect<UsedDeliveries, Unavailable>
    /** Begins a failed delivery anew, at once. */
    readonly retry: (
      caller: Caller,
      id: string
    ) => Effect.Effect<LoggedDelivery, DeliveryNotFound | DeliveryNotFailed | WebhookIsDisabled | Unavailable>
    /** The same for {@link MOST_RETRIED} of those that failed since a time, the oldest first. */
    readonly retryFailed: (
      caller: Caller,
      webhookId: string,
      since: number
    ) => Effect.Effect<Retried, WebhookNotFound | WebhookIsDisabled | Unavailable>
  }
>()("emporion/webhooks/DeliveryLog") {
  static readonly layer: Layer.Layer<DeliveryLog, never, Companies | WakeSignal | DeliveryLogRepository | Webhooks> =
    Layer.effect(
      this,
      Effect.gen(function* () {
        const repository = yield* DeliveryLogRepository
        const webhooks = yield* Webhooks
        const wakeSignal = yield* WakeSignal
        const { standings } = yield* Companies

        const today = Effect.fnUntraced(function* (companyId: string) {
          const now = yield* Clock.currentTimeMillis
          const day = dayOf(now)
          const plan = (yield* standings([companyId])).get(companyId)?.plan ?? "standard"
          const limit = DAILY_DELIVERIES[plan]
          const used = yield* repository.today(companyId, day)
          return { ...used, day, endsAt: nextDayAt(now), limit: Number.isFinite(limit) ? limit : null }
        })

        const found = Effect.fnUntraced(function* ({ companyId, isAdmin }: Caller, id: string) {
          const delivery = yield* repository.find(id)
          if (delivery === undefined || delivery.webhook.status === "deleted")
            return yield* new DeliveryNotFound({ id })
          return isAdmin || delivery.companyId === companyId ? delivery : yield* new DeliveryNotFound({ id })
        })

        const retry = Effect.fnUntraced(function* (caller: Caller, id: string) {
          const delivery = yield* found(caller, id)
          const { round, webhook, webhookId } = delivery
          if (webhook.status === "disabled") return yield* new WebhookIsDisabled({ id: webhookId })
          const now = yield* Clock.currentTimeMillis
          const decided = retried(delivery.state, now)
          if (Result.isFailure(decided)) return yield* new DeliveryNotFailed({ status: decided.failure.status })
          // Somebody else came first: it is no longer a failed delivery.
          if (!(yield* repository.retry(id, round, now))) return yield* new DeliveryNotFailed({ status: "pending" })
          yield* wakeSignal.ring(webhookId)
          return { ...delivery, state: decided.success, round: round + 1, updatedAt: now }
        })

        const retryFailed = Effect.fnUntraced(function* (caller: Caller, webhookId: string, since: number) {
          const { state } = yield* webhooks.find(caller, webhookId)
          if (state.status === "disabled") return yield* new WebhookIsDisabled({ id: webhookId })
          const now = yield* Clock.currentTimeMillis
          const done = yield* repository.retryFailed(webhookId, since, MOST_RETRIED, now)
          if (done.retried > 0) yield* wakeSignal.ring(webhookId)
          return done
        })

        return DeliveryLog.of({
          list: Effect.fn("DeliveryLog.list")(function* (caller, webhookId, filter, page) {
            yield* webhooks.find(caller, webhookId)
            return yield* repository.list(webhookId, filter, page)
          }),
          find: Effect.fn("DeliveryLog.find")(function* (caller, id) {
            const delivery = yield* found(caller, id)
            return { delivery, attempts: yield* repository.attempts(id, SHOWN_ATTEMPTS) }
          }),
          today: Effect.fn("DeliveryLog.today")(today),
          retry: Effect.fn("DeliveryLog.retry")(retry, Effect.uninterruptible),
          retryFailed: Effect.fn("DeliveryLog.retryFailed")(retryFailed, Effect.uninterruptible)
        })
      })
    )
}
