import { Deferred, Effect, Result } from "effect"
import type { ActorUnavailable, Behavior, Envelope } from "../actor/ActorHost.ts"
import type { Entry, Journal, JournalUnavailable, Outcome, Recorded, StaleVersion } from "../actor/Journal.ts"
import { type ArenaError, OrderNotFound } from "./ArenaError.ts"
import type { ArenaEvent, CommitmentSubmitted } from "./ArenaEvent.ts"
import type { AssetType } from "./AssetType.ts"
import { evolve, opened, type OrderState, orderStream } from "./Order.ts"
import { nextStep, type OrderFacts } from "./OrderLifecycle.ts"
import { decideSubmission, type Halt, refusedByLedger, type Submission } from "./Submission.ts"

export type OrderMessage =
  | { readonly _tag: "Submit"; readonly submission: Submission }
  /** Take every step that is due. */
  | { readonly _tag: "Advance" }

export type OrderReply =
  | { readonly _tag: "Submitted"; readonly recorded: Recorded<CommitmentSubmitted> }
  | { readonly _tag: "Advanced"; readonly settled: boolean }

/** What an order's actor needs of the world; `Failure` is a world that does not answer now. */
export interface OrderWorld<Failure> {
  readonly journal: Journal<ArenaEvent>
  /** Everything that happened to an order, in order; nothing for one that does not exist. */
  readonly history: (orderId: string) => Effect.Effect<ReadonlyArray<ArenaEvent>, Failure>
  readonly halt: (assetType: AssetType, at: number) => Halt | null
  /** Whether a step can be due at all: false saves gathering the facts. */
  readonly mayBeDue: (state: OrderState, now: number) => boolean
  readonly facts: (state: OrderState, now: number) => Effect.Effect<OrderFacts, Failure>
}

type OrderEnvelope = Envelope<OrderMessage, OrderReply, ArenaError>

/**
 * The actor of one order: decides the submissions that waited, writes them in one batch, and answers when they are
 * durable; takes the steps that are due when it is told to.
 */
export const orderBehavior = <Failure>(
  world: OrderWorld<Failure>
): Behavior<OrderState, OrderMessage, OrderReply, ArenaError, Failure | StaleVersion | JournalUnavailable> => {
  const append = <E extends ArenaEvent>(state: OrderState, entries: ReadonlyArray<Entry<E>>) =>
    world.journal.append({ stream: orderStream(state.terms.orderId), version: state.version, entries })

  const submitAll = (state: OrderState, batch: ReadonlyArray<OrderEnvelope>) => {
    const decided = decideAll(state, batch, world.halt)
    if (decided.length === 0) return Effect.void
    const entries = decided.map(({ entry }) => entry)
    return Effect.map(append(state, entries), (outcomes) => answerAll(state, decided, outcomes))
  }

  const advance = Effect.fnUntraced(function* (state: OrderState, now: number) {
    while (world.mayBeDue(state, now)) {
      const step = nextStep(state, yield* world.facts(state, now))
      if (step === undefined) return
      const [outcome] = yield* append(state, [step])
      if (outcome?._tag !== "Accepted") return yield* Effect.die(outcome?.error)
      evolve(state, step.event)
    }
  })

  const advanceAll = Effect.fnUntraced(function* (state: OrderState, batch: ReadonlyArray<OrderEnvelope>, now: number) {
    yield* advance(state, now)
    const reply: OrderReply = { _tag: "Advanced", settled: state.status === "settled" }
    for (const { message, reply: waiting } of batch) {
      if (message._tag === "Advance") Deferred.doneUnsafe(waiting, Effect.succeed(reply))
    }
  })

  return {
    start: Effect.fnUntraced(function* (orderId) {
      const [first, ...rest] = yield* world.history(orderId)
      if (first?._tag !== "OrderOpened") return { _tag: "Refused", refusal: new OrderNotFound({ orderId }) }
      const state = opened(first.terms)
      for (const event of rest) evolve(state, event)
      return { _tag: "Ready", state }
    }),
    receive: (state, batch) =>
      Effect.suspend(() => {
        const last = batch.findLast(({ message }) => message._tag === "Advance")
        const submitted = submitAll(state, batch)
        return last === undefined ? submitted : Effect.andThen(submitted, advanceAll(state, batch, last.at))
      })
  }
}

interface Decided {
  readonly entry: Entry<CommitmentSubmitted>
  readonly reply: Deferred.Deferred<OrderReply, ArenaError | ActorUnavailable>
}

/** Takes over what was recorded, and answers every submission. */
const answerAll = (
  state: OrderState,
  decided: ReadonlyArray<Decided>,
  outcomes: ReadonlyArray<Outcome<CommitmentSubmitted>>
): void => {
  for (let index = 0; index < decided.length; index++) {
    const proposed = decided[index]
    const outcome = outcomes[index]
    if (proposed === undefined || outcome === undefined) continue
    const { event } = proposed.entry
    if (outcome._tag === "Accepted") {
      evolve(state, event)
      Deferred.doneUnsafe(proposed.reply, Effect.succeed({ _tag: "Submitted", recorded: outcome.recorded }))
      continue
    }
    const refusal = refusedByLedger(event.commitment, outcome.error)
    Deferred.doneUnsafe(proposed.reply, refusal === undefined ? Effect.die(outcome.error) : Effect.fail(refusal))
  }
}

/** Decides the submissions of a batch in order, and answers those that are refused at once. */
const decideAll = (
  state: OrderState,
  batch: ReadonlyArray<OrderEnvelope>,
  haltOf: OrderWorld<never>["halt"]
): ReadonlyArray<Decided> => {
  const decided: Array<Decided> = []
  const earlier = new Map<string, number>()
  for (const { message, at, reply } of batch) {
    if (message._tag !== "Submit") continue
    const { owner } = message.submission.trader
    const before = earlier.get(owner) ?? 0
    // A clock that was set back must not make a commitment older than its order: it would win ties.
    const time = Math.max(at, state.terms.openedAt)
    const halt = haltOf(state.terms.assetType, time)
    const ordinal = state.lastOrdinal + decided.length + 1
    const entry = decideSubmission(state, message.submission, time, halt, ordinal, before)
    if (Result.isFailure(entry)) {
      Deferred.doneUnsafe(reply, Effect.fail(entry.failure))
      continue
    }
    earlier.set(owner, before + 1)
    decided.push({ entry: entry.success, reply })
  }
  return decided
}
