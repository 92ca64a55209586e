/** The actor of one arena order: it decides commitments and the order's own steps. */

import { Deferred, Effect, Result } from "effect"
import type { Behavior, Envelope } from "../actor/ActorHost.ts"
import {
  type Batch,
  type Entry,
  type Journal,
  JournalUnavailable,
  type Outcome,
  type Recorded,
  type StaleVersion
} from "../actor/Journal.ts"
import { AlreadyCommitted, type ArenaError, OrderNotFound } from "./ArenaError.ts"
import type { ArenaEvent, CommitmentSubmitted } from "./ArenaEvent.ts"
import type { AssetType } from "./AssetType.ts"
import { mayBeDue } from "./FactsGathering.ts"
import { evolve, opened, type OrderState, orderStream } from "./Order.ts"
import { nextStep, type OrderFacts } from "./OrderLifecycle.ts"
import {
  COMMITMENT_LIMITS,
  type CommitmentLimits,
  decideSubmission,
  type Halt,
  refusedByLedger,
  type Submission
} from "./Submission.ts"

export type OrderMessage =
  | { readonly _tag: "Submit"; readonly submission: Submission }
  /** Several at once, decided in their order as if they came one after the other. */
  | { readonly _tag: "SubmitMany"; readonly submissions: ReadonlyArray<Submission> }
  /** Take every step that is due. */
  | { readonly _tag: "Advance" }

/** What became of one submission of several. */
export type Submitted = Result.Result<Recorded<CommitmentSubmitted>, ArenaError>

export type OrderReply =
  | { readonly _tag: "Submitted"; readonly recorded: Recorded<CommitmentSubmitted> }
  /** One outcome a submission, in their order, all of them durable. */
  | { readonly _tag: "SubmittedMany"; readonly outcomes: ReadonlyArray<Submitted> }
  | { readonly _tag: "Advanced"; readonly settled: boolean }

/** What an order's actor needs of the world; `Failure` is a world that does not answer now. */
export interface OrderWorld<Failure> {
  readonly journal: Journal<ArenaEvent>
  /** Everything that happened to an order, in order; nothing for one that does not exist. */
  readonly history: (orderId: string) => Effect.Effect<ReadonlyArray<ArenaEvent>, Failure>
  readonly halt: (assetType: AssetType, at: number) => Halt | null
  readonly facts: (state: OrderState, now: number) => Effect.Effect<OrderFacts, Failure>
  /** How many commitments an order takes; as many as ship unless it says so. */
  readonly limits?: CommitmentLimits
  /** Told when submissions begin to be decided or answered, and then when that is done, and how many were decided in it. */
  readonly watch?: () => (decided: number) => void
}

type OrderEnvelope = Envelope<OrderMessage, OrderReply, ArenaError>

/**
 * The actor of one order: decides the submissions that waited, writes them in one batch, and answers when they are
 * durable; takes the steps that are due when it is told to.
 */
export const orderBehavior = <Failure>(
  world: OrderWorld<Failure>
): Behavior<OrderState, OrderMessage, OrderReply, ArenaError, Failure | StaleVersion | JournalUnavailable> => {
  const batchOf = <E extends ArenaEvent>(state: OrderState, entries: ReadonlyArray<Entry<E>>): Batch<E> => ({
    stream: orderStream(state.terms.orderId),
    version: state.version,
    entries
  })

  const submitAll = (state: OrderState, batch: ReadonlyArray<OrderEnvelope>) => {
    const whenDecided = world.watch?.()
    const { answers, decided } = decideAll(state, batch, world)
    whenDecided?.(decided.length)
    if (decided.length === 0) return Effect.void
    const entries = decided.map(({ entry }) => entry)
    return Effect.map(world.journal.append(batchOf(state, entries)), (outcomes) => {
      const whenAnswered = world.watch?.()
      takeOver(state, decided, outcomes)
      answerAll(answers)
      whenAnswered?.(0)
    })
  }

  const advance = Effect.fnUntraced(function* (state: OrderState, now: number) {
    while (mayBeDue(state, now)) {
      const step = nextStep(state, yield* world.facts(state, now))
      if (step === undefined) return
      const [outcome] = yield* world.journal.append({ ...batchOf(state, [step]), isUrgent: true })
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
    receive: (state, batch) => {
      const last = batch.findLast(({ message }) => message._tag === "Advance")
      const submitted = submitAll(state, batch)
      return last === undefined ? submitted : Effect.andThen(submitted, advanceAll(state, batch, last.at))
    },
    // An order that everybody commits to must not be rebuilt for being slow.
    isHarmless: (error) => error instanceof JournalUnavailable && error.isUnwritten === true,
    weightOf: (message) => (message._tag === "SubmitMany" ? message.submissions.length : 1)
  }
}

/** The answer to one message of submissions, as it comes together. */
interface Answer {
  readonly envelope: OrderEnvelope
  readonly outcomes: Array<Submitted>
  /** What the ledger has no reason to answer. */
  defect: unknown
}

/** A submission that the ledger is still to take, and its place in the answer. */
interface Decided {
  readonly entry: Entry<CommitmentSubmitted>
  readonly answer: Answer
  readonly index: number
}

/** Takes over what was recorded. */
const takeOver = (
  state: OrderState,
  decided: ReadonlyArray<Decided>,
  outcomes: ReadonlyArray<Outcome<CommitmentSubmitted>>
): void => {
  for (let at = 0; at < decided.length; at++) {
    const proposed = decided[at]
    const outcome = outcomes[at]
    if (proposed === undefined || outcome === undefined) continue
    const { answer, entry, index } = proposed
    if (outcome._tag === "Accepted") {
      evolve(state, entry.event)
      answer.outcomes[index] = Result.succeed(outcome.recorded)
      continue
    }
    const refusal = refusedByLedger(entry.event.commitment, outcome.error)
    if (refusal === undefined) answer.defect ??= outcome.error
    else answer.outcomes[index] = Result.fail(refusal)
  }
}

const answerAll = (answers: ReadonlyArray<Answer>): void => {
  for (const { defect, envelope, outcomes } of answers) {
    Deferred.doneUnsafe(envelope.reply, defect === undefined ? replyOf(envelope.message, outcomes) : Effect.die(defect))
  }
}

const replyOf = ({ _tag }: OrderMessage, outcomes: ReadonlyArray<Submitted>): Effect.Effect<OrderReply, ArenaError> => {
  if (_tag === "SubmitMany") return Effect.succeed({ _tag: "SubmittedMany", outcomes })
  const [outcome] = outcomes
  if (outcome === undefined) return Effect.die("the journal answered nothing for a submission")
  return Result.isSuccess(outcome)
    ? Effect.succeed({ _tag: "Submitted", recorded: outcome.success })
    : Effect.fail(outcome.failure)
}

const submissionsOf = (message: OrderMessage): ReadonlyArray<Submission> => {
  switch (message._tag) {
    case "Submit":
      return [message.submission]
    case "SubmitMany":
      return message.submissions
    case "Advance":
      return []
  }
}

/** Decides the submissions of a batch in order. One that writes nothing is answered at once. */
const decideAll = (
  state: OrderState,
  batch: ReadonlyArray<OrderEnvelope>,
  { halt: haltOf, limits = COMMITMENT_LIMITS }: Pick<OrderWorld<never>, "halt" | "limits">
): { readonly answers: ReadonlyArray<Answer>; readonly decided: ReadonlyArray<Decided> } => {
  const answers: Array<Answer> = []
  const decided: Array<Decided> = []
  const earlier = new Map<string, number>()
  const decisions = new Set<string>()
  for (const envelope of batch) {
    if (envelope.message._tag === "Advance") continue
    // A clock that was set back must not make a commitment older than its order: it would win ties.
    const time = Math.max(envelope.at, state.terms.openedAt)
    const halt = haltOf(state.terms.assetType, time)
    const answer: Answer = { envelope, outcomes: [], defect: undefined }
    const before = decided.length
    for (const [index, submission] of submissionsOf(envelope.message).entries()) {
      const { decisionId, trader } = submission
      if (decisionId !== undefined && decisions.has(decisionId)) {
        answer.outcomes[index] = Result.fail(new AlreadyCommitted({ decisionId }))
        continue
      }
      const { owner } = trader
      const own = earlier.get(owner) ?? 0
      const all = decided.length
      const ordinal = state.lastOrdinal + all + 1
      const entry = decideSubmission(state, submission, time, halt, ordinal, { own, all }, limits)
      if (Result.isFailure(entry)) {
        answer.outcomes[index] = Result.fail(entry.failure)
        continue
      }
      earlier.set(owner, own + 1)
      if (decisionId !== undefined) decisions.add(decisionId)
      decided.push({ entry: entry.success, answer, index })
    }
    if (decided.length > before) answers.push(answer)
    else answerAll([answer])
  }
  return { answers, decided }
}
