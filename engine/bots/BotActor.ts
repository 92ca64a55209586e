/** What one bot does: looks at orders, bids as its module asks, and says what it would do. */

import { Clock, Deferred, Effect, Result } from "effect"
import type { Behavior, Envelope } from "../actor/ActorHost.ts"
import { type JournalUnavailable, type Recorded, StaleVersion } from "../actor/Journal.ts"
import { MAX_ATTEMPTS } from "../actor/StaleRetry.ts"
import type { AssetType } from "../arena/AssetType.ts"
import type { ArenaError } from "../arena/ArenaError.ts"
import type { OrderTerms } from "../arena/OrderTerms.ts"
import { haltedBy, wrongTerms } from "../arena/Submission.ts"
import { type BotDecided, decisionIdOf } from "./BotEvent.ts"
import type { SuspensionCause } from "./BotLifecycle.ts"
import { type BotMemory, forget, isActive, isWilling, mayAsk, remember, uncommitted } from "./BotMemory.ts"
import { type Answered, decide, type Question, suspendFor } from "./BotRecording.ts"
import type { AskedBid, Decision } from "./Evaluation.ts"
import type { CreditsGone } from "./EvaluationCreditsDecision.ts"
import {
  BidBeyondLimits,
  BidNotTaken,
  type BotError,
  BotNotFound,
  BotOver,
  type BotWorld,
  ModuleDecides,
  type NotOffered
} from "./BotWorld.ts"

export type BotMessage =
  /** Look at the orders that take commitments. `reload` where the bot itself changed: it is read anew. */
  | { readonly _tag: "Wake"; readonly reload: boolean }
  /** Decide about an order without acting on it, for a user of its owner. */
  | { readonly _tag: "Evaluate"; readonly orderId: string; readonly by: string }
  /** Bid as the bot's module asks. */
  | ({ readonly _tag: "Bid" } & BidMessage)

/** A bid that a bot's module asks for. */
export interface BidMessage {
  readonly orderId: string
  readonly asked: AskedBid
  /** Whether it was sent before, and nobody could tell what became of it. */
  readonly isAgain: boolean
}

/** Why a bid of a module came to nothing. */
export type BidRefusal = ArenaError | NotOffered | BidNotTaken | BidBeyondLimits | CreditsGone

export type BotReply =
  | { readonly _tag: "Awake" }
  | { readonly _tag: "Evaluated"; readonly recorded: Recorded<BotDecided> }
  /** What became of a bid: why it was refused, where it was. */
  | { readonly _tag: "BidAnswered"; readonly refusal: BidRefusal | undefined }

/**
 * The actor of one bot. By itself it decides about each order of its capabilities once: it records the decision, then
 * commits under the decision's id where it says so. What it recorded and did not commit before a restart it commits
 * then, while the order takes commitments. It evaluates on demand, and suspends itself when its credits are gone, its
 * loss limit is used up, or breakers keep it from all that it trades. An order of which nothing tells what it is worth it
 * leaves until there are prices. Specification 4.4.
 *
 * It owns no timer: it looks at orders when it is woken.
 */
export const botBehavior = <Failure>(
  world: BotWorld<Failure>
): Behavior<BotMemory, BotMessage, BotReply, BotError, Failure | StaleVersion | JournalUnavailable> => ({
  start: Effect.fnUntraced(function* (botId) {
    const recalled = yield* world.recall(botId)
    if (recalled === undefined) return { _tag: "Refused", refusal: new BotNotFound({ botId }) }
    const memory: BotMemory = { bot: recalled.bot, decided: new Map() }
    remember(memory, recalled.decisions)
    return { _tag: "Ready", state: memory }
  }),
  receive: Effect.fnUntraced(function* (memory, batch) {
    const wakes = batch.filter(isWake)
    if (wakes.some(({ message }) => message.reload)) yield* reload(world, memory)
    if (wakes.length > 0) yield* look(world, memory)
    for (const { reply } of wakes) Deferred.doneUnsafe(reply, Effect.succeed<BotReply>({ _tag: "Awake" }))
    for (const { message, reply } of batch) {
      if (message._tag === "Wake") continue
      const answered =
        message._tag === "Bid"
          ? Result.succeed<BotReply>(yield* bidFor(world, memory, message))
          : yield* evaluateFor(world, memory, message.orderId, message.by)
      Deferred.doneUnsafe(reply, Effect.fromResult(answered))
    }
  })
})

/** Whether breakers keep a bot from everything that it trades. */
export const isHalted = (capabilities: ReadonlyArray<AssetType>, halt: BotWorld<never>["halt"], now: number): boolean =>
  capabilities.every((assetType) => halt(assetType, now) !== null)

type BotEnvelope = Envelope<BotMessage, BotReply, BotError>

const isWake = (
  envelope: BotEnvelope
): envelope is BotEnvelope & { readonly message: BotMessage & { readonly _tag: "Wake" } } =>
  envelope.message._tag === "Wake"

type Failures<Failure> = Failure | StaleVersion | JournalUnavailable

const reload = Effect.fnUntraced(function* <Failure>(
  world: BotWorld<Failure>,
  memory: BotMemory
): Effect.fn.Return<void, Failure> {
  const { botId } = memory.bot
  const recalled = yield* world.recall(botId)
  if (recalled === undefined) return yield* Effect.die(`the bot ${botId} is gone`)
  memory.bot = recalled.bot
  remember(memory, recalled.decisions)
})

/** Tries until what was decided on is what holds: reads the bot anew where another wrote first. */
const current = <A, Failure>(
  world: BotWorld<Failure>,
  memory: BotMemory,
  attempt: () => Effect.Effect<A, Failures<Failure>>,
  left = MAX_ATTEMPTS
): Effect.Effect<A, Failures<Failure>> =>
  Effect.suspend(attempt).pipe(
    Effect.catch((error): Effect.Effect<A, Failures<Failure>> => {
      if (!(error instanceof StaleVersion) || left <= 1) return Effect.fail(error)
      return Effect.andThen(reload(world, memory), current(world, memory, attempt, left - 1))
    })
  )

const suspend = <Failure>(world: BotWorld<Failure>, memory: BotMemory, cause: SuspensionCause) =>
  current(world, memory, () => suspendFor(world, memory, cause))

/** Looks at every order that takes commitments: decides about those it has not, and commits what it decided. */
const look = Effect.fnUntraced(function* <Failure>(
  world: BotWorld<Failure>,
  memory: BotMemory
): Effect.fn.Return<void, Failures<Failure>> {
  const now = yield* Clock.currentTimeMillis
  forget(memory, now)
  if (isActive(memory) && isHalted(memory.bot.profile.capabilities, world.halt, now)) {
    yield* suspend(world, memory, "breaker_open")
  }
  for (const terms of world.open()) {
    const at = yield* Clock.currentTimeMillis
    if (at >= terms.expiryAt || world.halt(terms.assetType, at) !== null) continue
    yield* consider(world, memory, terms)
    yield* carryOut(world, memory, terms)
  }
})

/** Decides about an order by itself, unless it did. */
const consider = Effect.fnUntraced(function* <Failure>(
  world: BotWorld<Failure>,
  memory: BotMemory,
  terms: OrderTerms
): Effect.fn.Return<void, Failures<Failure>> {
  const decisionId = decisionIdOf(memory.bot.botId, terms.orderId)
  const question: Question = { decisionId, terms, dryRun: false, by: null }
  const answered = yield* current(world, memory, () =>
    isWilling(memory, terms) ? decide(world, memory, question) : Effect.succeed(undefined)
  )
  if (answered === undefined) return
  if (Result.isFailure(answered)) return yield* suspend(world, memory, "credits_gone")
  const { isSpent, recorded } = answered.success
  remember(memory, [{ orderId: terms.orderId, expiryAt: terms.expiryAt, decision: recorded.event.decision }])
  if (isSpent) yield* suspend(world, memory, "loss_limit")
})

/**
 * Commits what was decided, where it says so and that was not done. The order refuses what it took before, and any
 * refusal is final.
 */
const carryOut = Effect.fnUntraced(function* <Failure>(
  world: BotWorld<Failure>,
  memory: BotMemory,
  terms: OrderTerms
): Effect.fn.Return<ArenaError | undefined, Failure> {
  const own = uncommitted(memory, terms, yield* Clock.currentTimeMillis)
  if (own === undefined) return undefined
  const { bot } = memory
  const decisionId = decisionIdOf(bot.botId, terms.orderId)
  const committed = yield* world.commit({ bot, terms, decisionId, decision: own.decision })
  own.isDone = true
  own.refused = Result.isFailure(committed) ? committed.failure : undefined
  return own.refused
})

/** Whether a recorded decision is to commit what a module asks for. */
const isOf = (decision: Decision, { exitPrice, proposedPrice, quantity, tolerance }: AskedBid): boolean =>
  decision.bid === proposedPrice &&
  decision.exitPrice === exitPrice &&
  decision.quantity === quantity &&
  decision.tolerance === tolerance

/**
 * What becomes of a bid on an order that was decided, which is refused: unless it is the very bid that was recorded, and
 * nobody could tell yet what became of it. Where that is still to be committed it is committed now.
 */
const repeated = Effect.fnUntraced(function* <Failure>(
  world: BotWorld<Failure>,
  memory: BotMemory,
  terms: OrderTerms,
  { asked, isAgain, orderId }: BidMessage
): Effect.fn.Return<BidRefusal | undefined, Failure> {
  const notTaken = new BidNotTaken({ botId: memory.bot.botId, orderId })
  const at = yield* Clock.currentTimeMillis
  const isLeft = uncommitted(memory, terms, at) !== undefined
  const halt = isLeft ? world.halt(terms.assetType, at) : null
  if (halt !== null) return haltedBy(halt, terms)
  yield* carryOut(world, memory, terms)
  const own = memory.decided.get(orderId)
  if (own === undefined || !own.isDone || !isOf(own.decision, asked) || !(isLeft || isAgain)) return notTaken
  if (own.decision.code !== "commit") return new BidBeyondLimits({ decision: own.decision })
  if (own.refused?._tag === "AlreadyCommitted") return isAgain ? undefined : notTaken
  return own.refused
})

/** Takes what a bot's module asks for as its decision about an order, and commits it. */
const bidFor = Effect.fnUntraced(function* <Failure>(
  world: BotWorld<Failure>,
  memory: BotMemory,
  message: BidMessage
): Effect.fn.Return<BotReply, Failures<Failure>> {
  const { asked, orderId } = message
  const answer = (refusal: BidRefusal | undefined): BotReply => ({ _tag: "BidAnswered", refusal })
  const found = yield* world.find(orderId)
  if (Result.isFailure(found)) return answer(found.failure)
  const terms = found.success
  const { botId } = memory.bot
  const wrong = wrongTerms(terms, { ...asked, slippage: asked.tolerance })
  if (wrong !== undefined) return answer(wrong)
  // What was just resumed, or given another module, may not be known yet. What was decided stays decided.
  if (!memory.decided.has(orderId) && !mayAsk(memory, asked, orderId)) yield* reload(world, memory)
  if (memory.decided.has(orderId)) return answer(yield* repeated(world, memory, terms, message))
  const halt = world.halt(terms.assetType, yield* Clock.currentTimeMillis)
  if (halt !== null && mayAsk(memory, asked, orderId)) return answer(haltedBy(halt, terms))
  const question: Question = { decisionId: decisionIdOf(botId, orderId), terms, dryRun: false, by: null, asked }
  const answered = yield* current(world, memory, () =>
    mayAsk(memory, asked, orderId) ? decide(world, memory, question) : Effect.succeed(undefined)
  )
  if (answered === undefined) return answer(new BidNotTaken({ botId, orderId }))
  if (Result.isFailure(answered)) {
    yield* suspend(world, memory, "credits_gone")
    return answer(answered.failure)
  }
  const { isSpent, recorded } = answered.success
  const { decision } = recorded.event
  remember(memory, [{ orderId, expiryAt: terms.expiryAt, decision }])
  if (isSpent) yield* suspend(world, memory, "loss_limit")
  return answer(decision.code === "commit" ? yield* carryOut(world, memory, terms) : new BidBeyondLimits({ decision }))
})

/** Why a bot cannot be asked what it would do, as far as it is known. */
const whyNotAsked = ({ bot: { botId, profile, standing } }: BotMemory): BotError | undefined => {
  if (standing.status === "terminated") return new BotOver({ botId })
  const module = profile.strategyModule
  return module === undefined ? undefined : new ModuleDecides({ botId, module })
}

const evaluateFor = Effect.fnUntraced(function* <Failure>(
  world: BotWorld<Failure>,
  memory: BotMemory,
  orderId: string,
  by: string
): Effect.fn.Return<Result.Result<BotReply, BotError>, Failures<Failure>> {
  const { botId } = memory.bot
  // A bot that is not active is not read anew when its owner changes it.
  if (whyNotAsked(memory) !== undefined) yield* reload(world, memory)
  const barred = whyNotAsked(memory)
  if (barred !== undefined) return Result.fail(barred)
  const found = yield* world.find(orderId)
  if (Result.isFailure(found)) return Result.fail(found.failure)
  const answered = yield* current<Result.Result<Answered, BotError> | undefined, Failure>(world, memory, () => {
    const barredNow = whyNotAsked(memory)
    if (barredNow !== undefined) return Effect.succeed(Result.fail(barredNow))
    // No two events of a stream have one version, so that the id is this one's alone.
    const decisionId = `${decisionIdOf(botId, orderId)}_${memory.bot.version + 1}`
    return decide(world, memory, { decisionId, terms: found.success, dryRun: true, by })
  })
  if (answered === undefined) return Result.fail(new BotOver({ botId }))
  return Result.map(answered, ({ recorded }): BotReply => ({ _tag: "Evaluated", recorded }))
})
