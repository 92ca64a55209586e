import { Context, Deferred, Duration, Effect, Layer, Metric, Result } from "effect"
import {
  type ActorHost,
  type ActorUnavailable,
  type Behavior,
  type Envelope,
  makeActorHost
} from "../../engine/actor/ActorHost.ts"
import { JournalUnavailable, type Recorded, type StaleVersion } from "../../engine/actor/Journal.ts"
import { type ArenaError, OrderNotFound } from "../../engine/arena/ArenaError.ts"
import type { ArenaEvent, CommitmentSubmitted } from "../../engine/arena/ArenaEvent.ts"
import type { Entry } from "../../engine/actor/Journal.ts"
import { evolve, opened, type OrderState, orderStream } from "../../engine/arena/Order.ts"
import { nextStep } from "../../engine/arena/OrderLifecycle.ts"
import { decideSubmission, refusedByLedger, type Submission } from "../../engine/arena/Submission.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { Breakers } from "./Breakers.ts"
import { OrderFactsSource } from "./OrderFactsSource.ts"
import { OrderRepository } from "./OrderRepository.ts"

/** Messages that may wait for one order. */
const MAILBOX_CAPACITY = 10_000

/** Messages an order takes at once. */
const BATCH_LIMIT = 500

const PASSIVATE_AFTER = Duration.minutes(10)
const MIN_BACKOFF = Duration.millis(100)
const MAX_BACKOFF = Duration.seconds(5)

export type OrderMessage =
  | { readonly _tag: "Submit"; readonly submission: Submission }
  /** Take every step that is due. */
  | { readonly _tag: "Advance" }

export type OrderReply =
  | { readonly _tag: "Submitted"; readonly recorded: Recorded<CommitmentSubmitted> }
  | { readonly _tag: "Advanced"; readonly settled: boolean }

type OrderEnvelope = Envelope<OrderMessage, OrderReply, ArenaError>
type Failure = StaleVersion | JournalUnavailable | Unavailable

const failures = Metric.counter("emporion_order_actor_failures", {
  description: "Order actors that failed and were restarted",
  incremental: true
})

/** The actors of all orders in this process. */
export class OrderActors extends Context.Service<OrderActors, ActorHost<OrderMessage, OrderReply, ArenaError>>()(
  "emporion/arena/OrderActors"
) {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const host = yield* makeActorHost(yield* behavior, {
        mailboxCapacity: MAILBOX_CAPACITY,
        batchLimit: BATCH_LIMIT,
        passivateAfter: PASSIVATE_AFTER,
        minBackoff: MIN_BACKOFF,
        maxBackoff: MAX_BACKOFF,
        onFailure: (id, cause) =>
          Metric.update(failures, 1).pipe(Effect.andThen(Effect.logError(`Order actor ${id} restarts`, cause)))
      })
      return OrderActors.of(host)
    })
  )
}

const behavior = Effect.gen(function* () {
  const journal = yield* UnitOfWork
  const orders = yield* OrderRepository
  const breakers = yield* Breakers
  const facts = yield* OrderFactsSource

  const append = (state: OrderState, entries: ReadonlyArray<Entry<ArenaEvent>>) =>
    journal.append({ stream: orderStream(state.terms.orderId), version: state.version, entries })

  const submitAll = Effect.fnUntraced(function* (state: OrderState, batch: ReadonlyArray<OrderEnvelope>) {
    const decided = decideAll(state, batch, breakers)
    if (decided.length === 0) return
    const outcomes = yield* append(
      state,
      decided.map(({ entry }) => entry)
    )
    for (const [index, outcome] of outcomes.entries()) {
      const proposed = decided[index]
      if (proposed === undefined) continue
      if (outcome._tag === "Accepted") {
        evolve(state, proposed.entry.event)
        const recorded = { ...outcome.recorded, event: proposed.entry.event }
        Deferred.doneUnsafe(proposed.reply, Effect.succeed({ _tag: "Submitted", recorded }))
        continue
      }
      const refusal = refusedByLedger(proposed.entry.event.commitment, outcome.error)
      Deferred.doneUnsafe(proposed.reply, refusal === undefined ? Effect.die(outcome.error) : Effect.fail(refusal))
    }
  })

  const advance = Effect.fnUntraced(function* (state: OrderState, now: number): Effect.fn.Return<void, Failure> {
    while (facts.mayBeDue(state, now)) {
      const step = nextStep(state, yield* facts.of(state, now))
      if (step === undefined) return
      const [outcome] = yield* append(state, [step])
      if (outcome?._tag !== "Accepted") return yield* Effect.die(outcome?.error)
      evolve(state, step.event)
    }
  })

  const orderBehavior: Behavior<OrderState, OrderMessage, OrderReply, ArenaError, Failure> = {
    start: Effect.fnUntraced(function* (orderId) {
      const [first, ...rest] = yield* orders.events(orderId)
      if (first?._tag !== "OrderOpened") {
        return { _tag: "Refused", refusal: new OrderNotFound({ orderId }) }
      }
      const state = opened(first.terms)
      for (const event of rest) evolve(state, event)
      return { _tag: "Ready", state }
    }),
    receive: Effect.fnUntraced(function* (state, batch) {
      yield* submitAll(state, batch)
      const advances = batch.filter(({ message }) => message._tag === "Advance")
      const last = advances.at(-1)
      if (last === undefined) return
      yield* advance(state, last.at)
      const reply: OrderReply = { _tag: "Advanced", settled: state.status === "settled" }
      for (const envelope of advances) Deferred.doneUnsafe(envelope.reply, Effect.succeed(reply))
    })
  }
  return orderBehavior
})

interface Decided {
  readonly entry: Entry<CommitmentSubmitted>
  readonly reply: Deferred.Deferred<OrderReply, ArenaError | ActorUnavailable>
}

/** Decides the submissions of a batch in order, and answers those that are refused at once. */
const decideAll = (
  state: OrderState,
  batch: ReadonlyArray<OrderEnvelope>,
  breakers: Breakers["Service"]
): ReadonlyArray<Decided> => {
  const decided: Array<Decided> = []
  const earlier = new Map<string, number>()
  for (const { message, at, reply } of batch) {
    if (message._tag !== "Submit") continue
    const { owner } = message.submission.trader
    const before = earlier.get(owner) ?? 0
    const entry = decideSubmission(
      state,
      message.submission,
      at,
      breakers.halt(state.terms.assetType, at),
      state.lastOrdinal + decided.length + 1,
      before
    )
    if (Result.isFailure(entry)) {
      Deferred.doneUnsafe(reply, Effect.fail(entry.failure))
      continue
    }
    earlier.set(owner, before + 1)
    decided.push({ entry: entry.success, reply })
  }
  return decided
}
