import { Clock, Context, Effect, Layer, Result } from "effect"
import type { Idempotency, Precondition, StaleVersion } from "../../../engine/actor/Journal.ts"
import type { BotEnded } from "../../../engine/bots/BotLifeDecision.ts"
import type { PreparedCharge } from "../../../engine/bots/BotWorld.ts"
import {
  afterEvent,
  type ChargeStanding,
  CreditsGone,
  turnOfMonth
} from "../../../engine/bots/EvaluationCreditsDecision.ts"
import { companyItself, goneOn, type Payer, preparedOn, purchaseFor, settled } from "../../../engine/bots/Charging.ts"
import { KeyedLock } from "../../../engine/actor/KeyedLock.ts"
import {
  creditCommands,
  creditsStream,
  EVALUATION_PRICE,
  periodEnd,
  periodOf
} from "../../../engine/bots/EvaluationCredits.ts"
import type { CreditsBought } from "../../../engine/bots/EvaluationCreditsEvent.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"
import { MAX_TOP_UP_USD } from "../../api/BotCredits.ts"
import type { Page } from "../../api/Paging.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import type { UnknownCursor } from "../../database/Keyset.ts"
import { dieOnRefusal, writeEntry } from "../../database/EntryWriting.ts"
import type { UnitOfWork } from "../../database/UnitOfWork.ts"
import type { Owners } from "../../identity/users/Owners.ts"
import { orUnavailable } from "../BotStore.ts"
import type { CreditsBalance, CreditsStats, ToppedUp } from "./CreditsResponses.ts"
import { NotWholeCents, UsdMissing } from "./CreditsError.ts"
import { CreditsRepository, type MovementPage, type MovementsOf } from "./CreditsRepository.ts"
import { creditsWorld, planOf, standingOf, writeOn } from "./CreditsWriting.ts"

/** Whose credits: a user stands for its company. */
export interface CreditsOwner {
  readonly companyId: string
  readonly userId: string
}

/** Keeps the answer of what was bought under the caller's key. */
export type Keep = (bought: ToppedUp) => Idempotency | undefined

const MOST_USD = fromUnits(BigInt(MAX_TOP_UP_USD) * ONE)

/** Companies whose last month ends in one round. */
const TURN_BATCH = 100

/**
 * The credits that bots evaluate orders with. They belong to companies; free ones go first, and lapse with their month.
 * Every movement is written on the state that it was decided on, so that nobody's decisions pass another's.
 */
export class CompanyCredits extends Context.Service<
  CompanyCredits,
  {
    /** The company's credits as they are now, with what the month gives it. */
    readonly balance: (owner: CreditsOwner) => Effect.Effect<CreditsBalance, Unavailable>
    /**
     * What an evaluation of a bot takes, free credits first, and what that was decided on. Sets the bot's budget and
     * buys credits by itself where that is due. The charge is taken by the entry that records the decision, with
     * `chargeCommands` and the precondition; where that is refused or stale, it is to be prepared anew.
     *
     * Fails with `StaleVersion` where the bot is another than `bot.version` says.
     *
     * @param at - when the decision is made
     */
    readonly prepare: (
      bot: Payer,
      chargeId: string,
      at: number
    ) => Effect.Effect<Result.Result<PreparedCharge, CreditsGone>, StaleVersion | Unavailable>
    /** Why a bot could not pay for an evaluation now, or undefined. Changes nothing. */
    readonly goneFor: (bot: Payer) => Effect.Effect<CreditsGone | undefined, Unavailable>
    /** Buys credits with the USD of the bot's user, unless the bot is terminated. */
    readonly topUp: (
      bot: Payer,
      usd: Amount,
      keep: Keep
    ) => Effect.Effect<ToppedUp, BotEnded | NotWholeCents | UsdMissing | Unavailable>
    readonly bot: (botId: string) => Effect.Effect<Payer | undefined, Unavailable>
    readonly stats: (bot: Payer) => Effect.Effect<CreditsStats, Unavailable>
    /** What each bot of a company used in all; nothing for one that used none. */
    readonly usedBy: (companyId: string) => Effect.Effect<ReadonlyMap<string, Amount>, Unavailable>
    /** Newest first. */
    readonly movements: (of: MovementsOf, page: Page) => Effect.Effect<MovementPage, Unavailable | UnknownCursor>
    /** Ends the months that are over, of some companies; answers how many. */
    readonly turn: Effect.Effect<number, Unavailable>
  }
>()("emporion/bots/CompanyCredits") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

/** Nothing is bought by itself where no bot is charged. */
const ofNobody = <A, E, R>(
  effect: Effect.Effect<A, E | CreditsGone, R>
): Effect.Effect<A, Exclude<E, CreditsGone>, R> =>
  effect.pipe(
    Effect.catch((error) =>
      error instanceof CreditsGone ? Effect.die(error) : Effect.fail(error as Exclude<E, CreditsGone>)
    )
  )

type Services = CreditsRepository | Owners | UnitOfWork

const balance = Effect.fnUntraced(function* (locks: KeyedLock, owner: CreditsOwner) {
  const at = yield* Clock.currentTimeMillis
  const { credits } = yield* settled(creditsWorld, locks, companyItself(owner), ZERO, at)
  const { free, paid } = credits
  return { plan: yield* planOf(owner.userId), free, paid, periodEnd: periodEnd(at) } satisfies CreditsBalance
})

const prepare = Effect.fnUntraced(function* (locks: KeyedLock, bot: Payer, chargeId: string, at: number) {
  return yield* Effect.fromResult(preparedOn(yield* settled(creditsWorld, locks, bot, EVALUATION_PRICE, at), chargeId))
})

const goneFor = Effect.fnUntraced(function* (bot: Payer) {
  const at = yield* Clock.currentTimeMillis
  const usd = yield* (yield* CreditsRepository).available(walletOf(bot.userId, "USD"))
  return goneOn(yield* standingOf(bot, at), at, usd)
})

const topUp = Effect.fnUntraced(
  function* (locks: KeyedLock, bot: Payer, usd: Amount, keep: Keep) {
    const record = Effect.fnUntraced(function* (
      standing: ChargeStanding,
      event: CreditsBought,
      preconditions: ReadonlyArray<Precondition>
    ) {
      const { free, paid } = afterEvent(standing, event).credits
      const bought: ToppedUp = { event, free, paid }
      yield* writeOn(standing, event, { idempotency: keep(bought), preconditions })
      return bought
    })
    const { bot: found } = yield* CreditsRepository
    const read = Effect.flatMap(found(bot.botId), (now) =>
      now === undefined ? Effect.die(new Error(`the bot ${bot.botId} is gone`)) : Effect.succeed(now)
    )
    const bought = usd > MOST_USD ? undefined : yield* purchaseFor(creditsWorld, locks, read, usd, record)
    return bought ?? (yield* new NotWholeCents({ most: MAX_TOP_UP_USD }))
  },
  Effect.catchTag("InsufficientFunds", ({ available, needed }) => Effect.fail(new UsdMissing({ available, needed })))
)

const stats = Effect.fnUntraced(function* (bot: Payer) {
  const at = yield* Clock.currentTimeMillis
  const month = periodOf(at)
  const { budget } = yield* standingOf(bot, at)
  const uses = yield* (yield* CreditsRepository).uses(bot.botId, month)
  const used = fromUnits(budget.set - budget.left)
  const left = bot.creditBudget > used ? fromUnits(bot.creditBudget - used) : ZERO
  return { ...uses, month, periodEnd: periodEnd(at), left, toppedUp: budget.toppedUp } satisfies CreditsStats
})

/** Ends a company's month that is over. Its plan's new credits wait until somebody asks for them. */
const lapse = Effect.fnUntraced(function* (companyId: string) {
  const at = yield* Clock.currentTimeMillis
  const { credits } = yield* (yield* CreditsRepository).standing(companyId, "", periodOf(at))
  const [event] = turnOfMonth({ ...credits, companyId, monthly: ZERO }, at)
  if (event === undefined) return
  yield* writeEntry({
    stream: creditsStream(companyId),
    version: credits.version,
    entry: { commands: creditCommands(event), event }
  })
})

const turn = Effect.gen(function* () {
  const { overdue } = yield* CreditsRepository
  const companies = yield* overdue(periodOf(yield* Clock.currentTimeMillis), TURN_BATCH)
  // Whoever came between did it, or leaves it to the next round.
  yield* Effect.forEach(
    companies,
    (companyId) => Effect.catchTag(lapse(companyId), ["StaleVersion", "InsufficientFunds"], () => Effect.void),
    { discard: true }
  )
  return companies.length
})

const make = Effect.gen(function* () {
  const repository = yield* CreditsRepository
  const context = yield* Effect.context<Services>()
  const locks = new KeyedLock()
  const inside = <A, E>(effect: Effect.Effect<A, E, Services>) => Effect.provideContext(effect, context)

  return CompanyCredits.of({
    balance: Effect.fn("CompanyCredits.balance")((owner) => inside(orUnavailable(ofNobody(balance(locks, owner))))),
    prepare: Effect.fn("CompanyCredits.prepare")((bot, chargeId, at) =>
      inside(dieOnRefusal(prepare(locks, bot, chargeId, at))).pipe(
        Effect.map(Result.succeed),
        Effect.catchTags({
          CreditsGone: (gone) => Effect.succeed(Result.fail(gone)),
          StaleVersion: (stale): Effect.Effect<never, StaleVersion | Unavailable> =>
            stale.stream === creditsStream(bot.companyId) ? orUnavailable(Effect.fail(stale)) : Effect.fail(stale)
        })
      )
    ),
    goneFor: Effect.fn("CompanyCredits.goneFor")((bot) => inside(goneFor(bot))),
    topUp: Effect.fn("CompanyCredits.topUp")((bot, usd, keep) =>
      inside(orUnavailable(ofNobody(topUp(locks, bot, usd, keep))))
    ),
    bot: repository.bot,
    stats: Effect.fn("CompanyCredits.stats")((bot) => inside(stats(bot))),
    usedBy: repository.usedBy,
    movements: repository.movements,
    turn: Effect.withSpan(inside(dieOnRefusal(turn)), "CompanyCredits.turn")
  })
})
