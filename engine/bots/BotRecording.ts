/** Has a bot decide about an order, and records the decision with its charge. */

import { Clock, Effect, Result } from "effect"
import type { Entry, JournalUnavailable, Outcome, Precondition, Recorded, StaleVersion } from "../actor/Journal.ts"
import type { OrderTerms } from "../arena/OrderTerms.ts"
import { ZERO } from "../money/Amount.ts"
import { after, type BotLifeEvent } from "./Bot.ts"
import { decided, suspended } from "./BotLifeDecision.ts"
import { type BotDecided, botStream } from "./BotEvent.ts"
import type { SuspensionCause } from "./BotLifecycle.ts"
import type { BotMemory } from "./BotMemory.ts"
import type { BotWorld } from "./BotWorld.ts"
import type { CreditsGone } from "./EvaluationCreditsDecision.ts"
import { type AskedBid, evaluate, type EvaluationInput, isSpentOn } from "./Evaluation.ts"

/** What a bot is to decide about. */
export interface Question {
  readonly decisionId: string
  readonly terms: OrderTerms
  /** Whether it was asked, and does not act on the answer. */
  readonly dryRun: boolean
  /** The user who asks; null where it decides by itself. */
  readonly by: string | null
  /** What the bot's module asked for, where it has one. */
  readonly asked?: AskedBid | undefined
}

export interface Answered {
  readonly recorded: Recorded<BotDecided>
  /** Whether its loss limit is used up by losses alone: nothing that ends will let it commit. */
  readonly isSpent: boolean
}

type WriteFailure<Failure> = Failure | StaleVersion | JournalUnavailable

/** How often a charge is prepared anew while others of the company come first. */
const MAX_CHARGES = 32

/** Writes one entry on what is known of the bot, and takes it over. */
const write = Effect.fnUntraced(function* <E extends BotLifeEvent, Failure>(
  { journal }: BotWorld<Failure>,
  memory: BotMemory,
  entry: Entry<E>,
  preconditions: ReadonlyArray<Precondition>
): Effect.fn.Return<Outcome<E>, StaleVersion | JournalUnavailable> {
  const { botId, version } = memory.bot
  const [outcome] = yield* journal.append({ stream: botStream(botId), version, preconditions, entries: [entry] })
  if (outcome === undefined) return yield* Effect.die(`the journal answered nothing for an entry of ${botId}`)
  if (outcome._tag === "Accepted") memory.bot = after(memory.bot, entry.event)
  return outcome
})

/**
 * Decides about an order and records it, with its charge, in one entry: nothing is charged for what is not recorded.
 * Undefined where the bot's standing keeps it from deciding, and where it decides by itself of what has no fair price: it
 * can once there are prices. Fails with `StaleVersion` where the bot or its company's
 * credits are others than was known.
 */
export const decide = Effect.fnUntraced(function* <Failure>(
  world: BotWorld<Failure>,
  memory: BotMemory,
  question: Question
): Effect.fn.Return<Result.Result<Answered, CreditsGone> | undefined, WriteFailure<Failure>> {
  for (let attempt = 0; attempt < MAX_CHARGES; attempt++) {
    const at = yield* Clock.currentTimeMillis
    const { by, decisionId, dryRun, terms } = question
    const prepared = yield* world.charge(memory.bot, decisionId, at)
    if (Result.isFailure(prepared)) return Result.fail(prepared.failure)
    const { charge, precondition } = prepared.success
    const { input, lossLocked } = yield* inputOf(world, memory, question, at)
    const decision = evaluate(input)
    if (!dryRun && decision.code === "price_missing") return undefined
    const entry = decided(memory.bot, { at, by, decisionId, orderId: terms.orderId, dryRun, input, decision, charge })
    if (entry === undefined) return undefined
    const outcome = yield* write(world, memory, entry, [precondition])
    if (outcome._tag === "Accepted") {
      return Result.succeed({
        recorded: outcome.recorded,
        isSpent: lossLocked === 0n && isSpentOn(input, decision)
      })
    }
    // Another evaluation took the credits that this one was to take.
    if (outcome.error._tag !== "InsufficientFunds") return yield* Effect.die(outcome.error)
  }
  return yield* Effect.die(`${MAX_CHARGES} others took the credits of ${memory.bot.companyId} first`)
})

const inputOf = Effect.fnUntraced(function* <Failure>(
  world: BotWorld<Failure>,
  { bot }: BotMemory,
  { asked, decisionId, terms }: Question,
  at: number
): Effect.fn.Return<{ readonly input: EvaluationInput; readonly lossLocked: bigint }, Failure> {
  const { assetType, entryPrice, expiryAt, makerDiscount, orderId, quantity } = terms
  const discount = makerDiscount === undefined ? {} : { makerDiscount }
  const { freeCollateral, lossBudget, lossLocked } = yield* world.balances(bot.botId)
  const input: EvaluationInput = {
    at,
    strategy: bot.profile.strategy,
    order: { orderId, assetType, entryPrice, quantity, expiryAt, ...discount },
    prices: asked === undefined ? yield* world.prices(terms, at) : [],
    freeCollateral,
    lossBudget,
    capable: bot.profile.capabilities.includes(assetType),
    halted: world.halt(assetType, at) !== null,
    shade: asked === undefined ? world.shade(decisionId) : ZERO,
    ...(asked !== undefined && { asked })
  }
  return { input, lossLocked }
})

/** Suspends an active bot; fails with `StaleVersion` where it is another than was known. */
export const suspendFor = Effect.fnUntraced(function* <Failure>(
  world: BotWorld<Failure>,
  memory: BotMemory,
  cause: SuspensionCause
): Effect.fn.Return<void, WriteFailure<Failure>> {
  const entry = suspended(memory.bot, cause, yield* Clock.currentTimeMillis)
  if (entry === undefined) return
  const outcome = yield* write(world, memory, entry, [])
  if (outcome._tag === "Refused") return yield* Effect.die(outcome.error)
})
