import { Clock, Effect } from "effect"
import type { Entry } from "../../actor/Journal.ts"
import { retryStale } from "../../actor/StaleRetry.ts"
import type { InsufficientFunds } from "../../ledger/Book.ts"
import { chargeShortage, failureReasonOf } from "../../subscriptions/ChargeShortage.ts"
import { subscriptionStream, type SubscriptionState } from "../../subscriptions/Subscription.ts"
import { cancel, create, dueStep, failed, renew } from "../../subscriptions/SubscriptionDecision.ts"
import type { SubscriptionEvent } from "../../subscriptions/SubscriptionEvent.ts"
import type { CompanyRequest } from "./CompanyPlan.ts"
import {
  type Caller,
  counted,
  type DeskWorld,
  FirstMeanings,
  keyed,
  type Served,
  type WriteFailure
} from "./DeskWorld.ts"

type Asked<A extends CompanyRequest["act"]> = Extract<CompanyRequest, { readonly act: A }>

const missing = (short: InsufficientFunds) => Effect.fail(chargeShortage(short))

/** What companies buy of each other each period, by request and when it is due. */
export class SubscriptionDesk {
  readonly #world: DeskWorld
  /** The product or the subscription that a request means. */
  readonly #meant = new FirstMeanings<string | undefined>()

  constructor(world: DeskWorld) {
    this.#world = world
  }

  subscribe(by: Caller, asked: Asked<"subscribe">, key: string): Served {
    const { every, periods, product: number, quantity, startsIn } = asked
    const { newId, projection } = this.#world
    return retryStale(
      Effect.gen({ self: this }, function* () {
        const named = this.#meant.of(key, () => counted([...projection.products.keys()], number))
        const product = projection.products.get(named ?? "")
        if (product === undefined) return "NoProduct"
        const { companyId, productId, userId } = product
        const [quote] = projection.quoted([productId]).values()
        if (quote === undefined) return "NoProduct"
        const at = yield* Clock.currentTimeMillis
        const terms = {
          subscriptionId: newId("sub"),
          buyer: by,
          seller: { companyId, userId },
          productId,
          quantity,
          unitPrice: quote.price,
          every,
          periods,
          startAt: at + startsIn
        }
        const entry = yield* Effect.fromResult(create(terms, at))
        const { stream, version } = quote.product
        return yield* this.#write(undefined, entry, key, [{ stream, version }])
      })
    ).pipe(Effect.catchTag("InsufficientFunds", missing))
  }

  renew(by: Caller, { stranger, subscription }: Asked<"renew">, key: string): Served {
    return retryStale(
      Effect.gen({ self: this }, function* () {
        const state = this.#named(by, subscription, stranger, key)
        if (state === undefined) return "NoSubscription"
        const at = yield* Clock.currentTimeMillis
        return yield* this.#write(state, yield* Effect.fromResult(renew(state, { ...by, at })), key)
      })
    ).pipe(Effect.catchTag("InsufficientFunds", missing))
  }

  cancel(by: Caller, { atPeriodEnd, stranger, subscription }: Asked<"cancelSubscription">, key: string): Served {
    return retryStale(
      Effect.gen({ self: this }, function* () {
        const state = this.#named(by, subscription, stranger, key)
        if (state === undefined) return "NoSubscription"
        const at = yield* Clock.currentTimeMillis
        return yield* this.#write(state, yield* Effect.fromResult(cancel(state, atPeriodEnd, { ...by, at })), key)
      })
    )
  }

  /** The subscriptions of which something is due. */
  due(now: number): ReadonlyArray<string> {
    return [...this.#world.projection.subscriptions.values()].flatMap(({ nextAt, terms }) =>
      nextAt !== null && nextAt <= now ? [terms.subscriptionId] : []
    )
  }

  /** Takes the step that is due, on the version that was read: whoever comes first takes it. */
  step(subscriptionId: string): Effect.Effect<void, WriteFailure> {
    return Effect.gen({ self: this }, function* () {
      const state = this.#world.projection.subscriptions.get(subscriptionId)
      const at = yield* Clock.currentTimeMillis
      const entry: Entry<SubscriptionEvent> | undefined = state === undefined ? undefined : dueStep(state, at)
      if (state === undefined || entry === undefined) return
      yield* this.#write(state, entry).pipe(
        Effect.catchTag("InsufficientFunds", (short) => this.#write(state, failed(state, failureReasonOf(short), at))),
        Effect.catchTag("StaleVersion", () => Effect.void)
      )
    })
  }

  #write(
    state: SubscriptionState | undefined,
    { commands, event }: Entry<SubscriptionEvent>,
    key?: string,
    preconditions: ReadonlyArray<{ readonly stream: string; readonly version: number }> = []
  ): Effect.Effect<string, WriteFailure> {
    const idempotency = key === undefined ? undefined : keyed(key)
    const stream = subscriptionStream(event.subscriptionId)
    const entry = { commands, event, idempotency }
    return Effect.as(this.#world.write({ stream, version: state?.version ?? 0, preconditions, entry }), event._tag)
  }

  #named({ companyId }: Caller, number: number, stranger: boolean, key: string): SubscriptionState | undefined {
    const { subscriptions } = this.#world.projection
    const meant = this.#meant.of(key, () => {
      const own = [...subscriptions.values()].filter(
        ({ terms: { buyer } }) => (buyer.companyId === companyId) !== stranger
      )
      return counted(own, number)?.terms.subscriptionId
    })
    return subscriptions.get(meant ?? "")
  }
}
