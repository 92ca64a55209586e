import { Clock, Effect, Result } from "effect"
import { type Precondition, StaleVersion } from "../actor/Journal.ts"
import { retryStale } from "../actor/StaleRetry.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import { botStream } from "./BotEvent.ts"
import { BotEnded } from "./BotLifeDecision.ts"
import type { PreparedCharge } from "./BotWorld.ts"
import {
  afterEvent,
  beforeCharge,
  type BudgetStanding,
  chargeOf,
  type ChargeStanding,
  CreditsGone,
  type CreditsStanding,
  purchaseOf
} from "./EvaluationCreditsDecision.ts"
import type { KeyedLock } from "../actor/KeyedLock.ts"
import { creditsStream, EVALUATION_PRICE, periodOf } from "./EvaluationCredits.ts"
import type { CreditsBought, EvaluationCreditsEvent } from "./EvaluationCreditsEvent.ts"

/** Whose bot it is, and what credits it may use. */
export interface Payer {
  readonly botId: string
  readonly companyId: string
  readonly userId: string
  readonly creditBudget: Amount
  readonly autoTopUp: boolean
  /** Of the bot's own stream, where nothing may be written for it once it is another. */
  readonly version?: number
}

/** A bot as it is now, for which somebody buys credits. */
export interface Buyer extends Payer {
  readonly version: number
  readonly isTerminated: boolean
}

/** What is recorded of a payer in one month, all of one moment. */
export interface RecordedCredits {
  readonly credits: Omit<CreditsStanding, "companyId" | "monthly">
  readonly budget: Pick<BudgetStanding, "times" | "set" | "left" | "toppedUp">
}

/** Who can tell what is recorded, and record more; `Failure` is a world that does not answer now. */
export interface CreditsWorld<Failure, Services = never> {
  /** A payer's standing at a time. */
  readonly standing: (payer: Payer, at: number) => Effect.Effect<ChargeStanding, Failure, Services>
  /** Writes an event on the standing that it was decided on; false where the ledger has too little for it. */
  readonly write: (
    standing: ChargeStanding,
    event: EvaluationCreditsEvent,
    preconditions: ReadonlyArray<Precondition>
  ) => Effect.Effect<boolean, Failure, Services>
}

/** Stands for the company itself, which uses no credits and has no budget. */
export const companyItself = ({ companyId, userId }: Pick<Payer, "companyId" | "userId">): Payer => ({
  botId: "",
  companyId,
  userId,
  creditBudget: ZERO,
  autoTopUp: false
})

/** What a payer's charges are decided on. `monthly`: what the plan gives its company. */
export const chargeStanding = (
  { autoTopUp, botId, companyId, creditBudget, userId }: Payer,
  { budget, credits }: RecordedCredits,
  monthly: Amount,
  at: number
): ChargeStanding => ({
  credits: { ...credits, companyId, monthly },
  budget: { ...budget, botId, userId, monthly: creditBudget, autoTopUp, period: periodOf(at) }
})

/** Names what is bought at a place in the company's stream, which no other event has. */
const topUpIdOf = ({ companyId, version }: ChargeStanding["credits"]): string => `top_${companyId}_${version + 1}`

/** What has to be recorded before a price is charged at a time; see `beforeCharge`. */
export const dueBefore = (standing: ChargeStanding, price: Amount, at: number): ReadonlyArray<EvaluationCreditsEvent> =>
  beforeCharge(standing, price, at, topUpIdOf(standing.credits))

const preconditionsOf = ({ botId, version }: Payer): ReadonlyArray<Precondition> =>
  version === undefined ? [] : [{ stream: botStream(botId), version }]

/** A charge came between, which leaves the version as it is: the decision is void all the same. */
const overtaken = ({ companyId, version }: ChargeStanding["credits"]): StaleVersion =>
  new StaleVersion({ stream: creditsStream(companyId), expected: version, actual: version })

/**
 * Writes what has to be recorded before a payer is charged a price, one after the other, so that none is taken without
 * the one before it. Fails where the automatic top-up among them is refused; any other refusal is a stale version.
 */
export const settle = Effect.fnUntraced(function* <Failure, Services = never>(
  world: CreditsWorld<Failure, Services>,
  payer: Payer,
  price: Amount,
  at: number
): Effect.fn.Return<ChargeStanding, CreditsGone | StaleVersion | Failure, Services> {
  const preconditions = preconditionsOf(payer)
  let standing = yield* world.standing(payer, at)
  for (;;) {
    const [event] = dueBefore(standing, price, at)
    if (event === undefined) return standing
    if (!(yield* world.write(standing, event, preconditions))) {
      if (event._tag === "CreditsBought") return yield* new CreditsGone({ botId: payer.botId, cause: "usd" })
      return yield* overtaken(standing.credits)
    }
    standing = afterEvent(standing, event)
  }
})

/**
 * The standing with all recorded that is due before a price is charged. One of a company at a time writes it: of all
 * its bots at once, at a month's begin, most would be overtaken more often than they may try.
 */
export const settled = Effect.fnUntraced(function* <Failure, Services = never>(
  world: CreditsWorld<Failure, Services>,
  locks: KeyedLock,
  payer: Payer,
  price: Amount,
  at: number
): Effect.fn.Return<ChargeStanding, CreditsGone | StaleVersion | Failure, Services> {
  const standing = yield* world.standing(payer, at)
  if (dueBefore(standing, price, at).length === 0) return standing
  const { companyId } = payer
  return yield* locks.with(companyId, retryStale(settle(world, payer, price, at), creditsStream(companyId)))
})

/** Records a purchase on the standing that it was decided on, where nobody wrote for the bot since it was read. */
type Purchase<A, Refusal, Needs> = (
  standing: ChargeStanding,
  event: CreditsBought,
  preconditions: ReadonlyArray<Precondition>
) => Effect.Effect<A, Refusal, Needs>

/**
 * Buys credits with the USD of a payer's user, on its company's month; undefined where they are no whole number of them.
 *
 * @param write - records the purchase on the standing that it was decided on
 */
export const purchase = <A, Refusal, Failure, Services = never, Needs = never>(
  world: CreditsWorld<Failure, Services>,
  locks: KeyedLock,
  payer: Payer,
  usd: Amount,
  write: Purchase<A, Refusal, Needs>
): Effect.Effect<A | undefined, CreditsGone | StaleVersion | Failure | Refusal, Services | Needs> => {
  const attempt = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const standing = yield* settle(world, companyItself(payer), ZERO, at)
    const event = purchaseOf(payer, usd, at, topUpIdOf(standing.credits))
    return event === undefined ? undefined : yield* write(standing, event, preconditionsOf(payer))
  })
  return locks.with(payer.companyId, retryStale(attempt, creditsStream(payer.companyId)))
}

/** Buys credits for a bot as `read` gives it, anew where it changed meanwhile; none once it is terminated. */
export const purchaseFor = <A, Refusal, Failure, Services = never, Needs = never, Reads = never>(
  world: CreditsWorld<Failure, Services>,
  locks: KeyedLock,
  read: Effect.Effect<Buyer, Failure, Reads>,
  usd: Amount,
  write: Purchase<A, Refusal, Needs>
): Effect.Effect<A | undefined, BotEnded | CreditsGone | StaleVersion | Failure | Refusal, Services | Needs | Reads> =>
  retryStale(
    Effect.flatMap(
      read,
      (
        bot
      ): Effect.Effect<A | undefined, BotEnded | CreditsGone | StaleVersion | Failure | Refusal, Services | Needs> =>
        bot.isTerminated ? Effect.fail(new BotEnded({ botId: bot.botId })) : purchase(world, locks, bot, usd, write)
    )
  )

/** The charge of an evaluation on a settled standing, and what it rests on. */
export const preparedOn = (standing: ChargeStanding, chargeId: string): Result.Result<PreparedCharge, CreditsGone> => {
  const { companyId, version } = standing.credits
  const precondition = { stream: creditsStream(companyId), version }
  return Result.map(chargeOf(standing, EVALUATION_PRICE, chargeId), (charge) => ({ charge, precondition }))
}

/** Why a bot could not pay for an evaluation, or undefined. `usd`: what its user can spend. */
export const goneOn = (standing: ChargeStanding, at: number, usd: Amount): CreditsGone | undefined => {
  const due = dueBefore(standing, EVALUATION_PRICE, at)
  if (due.some((event) => event._tag === "CreditsBought" && event.usd > usd)) {
    return new CreditsGone({ botId: standing.budget.botId, cause: "usd" })
  }
  const charge = chargeOf(due.reduce(afterEvent, standing), EVALUATION_PRICE, "")
  return Result.isFailure(charge) ? charge.failure : undefined
}
