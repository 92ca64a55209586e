import { Context, Duration, Effect, Layer, Metric } from "effect"
import { type ActorHost, makeActorHost } from "../../engine/actor/ActorHost.ts"
import type { ArenaError } from "../../engine/arena/ArenaError.ts"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import type { OrderTerms } from "../../engine/arena/OrderTerms.ts"
import { orderBehavior, type OrderMessage, type OrderReply } from "../../engine/arena/OrderActor.ts"
import * as ActorRestarts from "../ActorRestarts.ts"
import { phaseMeter } from "../CommitPhases.ts"
import { JournalRepository } from "../database/JournalRepository.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { Breakers } from "./Breakers.ts"
import { OpenOrders } from "./OpenOrders.ts"
import { OrderFactsSource } from "./OrderFactsSource.ts"
import { OrderRepository } from "./OrderRepository.ts"

/** Submissions and steps that may wait for one order. */
const MAILBOX_CAPACITY = 10_000

/** Submissions and steps that an order takes at once. */
const BATCH_LIMIT = 500

const PASSIVATE_AFTER = Duration.minutes(10)
const MIN_BACKOFF = Duration.millis(100)
const MAX_BACKOFF = Duration.seconds(5)

const failures = Metric.counter("emporion_order_actor_failures", {
  description: "Order actors that failed and were restarted",
  incremental: true
})

/** Events with these terms in the place of equal ones that were read: an order in memory has them once. */
const sharing =
  (terms: OrderTerms | undefined) =>
  (events: ReadonlyArray<ArenaEvent>): ReadonlyArray<ArenaEvent> => {
    const [first, ...rest] = events
    return terms === undefined || first?._tag !== "OrderOpened" ? events : [{ ...first, terms }, ...rest]
  }

/** The actors of all orders in this process. */
export class OrderActors extends Context.Service<OrderActors, ActorHost<OrderMessage, OrderReply, ArenaError>>()(
  "emporion/arena/OrderActors"
) {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const journal = yield* UnitOfWork
      const repository = yield* JournalRepository
      const orders = yield* OrderRepository
      const breakers = yield* Breakers
      const facts = yield* OrderFactsSource
      const open = yield* OpenOrders
      const meter = yield* phaseMeter("decision")
      const behavior = orderBehavior({
        journal,
        history: (orderId) => Effect.map(orders.events(orderId), sharing(open.terms(orderId))),
        halt: breakers.halt,
        facts: facts.of,
        watch: () => {
          const begun = meter.now()
          return (decided) => meter.add(meter.now() - begun, decided)
        }
      })
      const { recordedAt: notBefore } = yield* repository.end
      const host = yield* makeActorHost(behavior, {
        notBefore,
        mailboxCapacity: MAILBOX_CAPACITY,
        batchLimit: BATCH_LIMIT,
        passivateAfter: PASSIVATE_AFTER,
        minBackoff: MIN_BACKOFF,
        maxBackoff: MAX_BACKOFF,
        onFailure: ActorRestarts.counted("Order", failures)
      })
      return OrderActors.of(host)
    })
  )
}
