import { Clock, Effect, Result } from "effect"
import {
  type Idempotency,
  type Journal,
  type JournalUnavailable,
  type Premise,
  StaleVersion
} from "../actor/Journal.ts"
import type { BotState } from "../bot/Bot.ts"
import { botStream } from "../bot/BotEvent.ts"
import type { PreparedCharge } from "../bot/BotWorld.ts"
import { afterEvent, beforeCharge, chargeOf, type ChargeStanding, CreditsGone } from "../bot/ChargeDecision.ts"
import { creditCommands, creditsFor, creditsStream, EVALUATION_PRICE, periodOf } from "../bot/EvaluationCredits.ts"
import type { CreditsBought, EvaluationCreditsEvent } from "../bot/EvaluationCreditsEvent.ts"
import { walletOf } from "../ledger/Funding.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import type { BotProjection } from "./BotProjection.ts"
import type { MemoryJournal } from "./MemoryJournal.ts"
import type { SimulatedEvent } from "./SimulatedArena.ts"

export interface SimulatedCreditsParts {
  /** As those who write it reach it. */
  readonly journal: Journal<SimulatedEvent>
  readonly ledger: Pick<MemoryJournal<SimulatedEvent>, "account" | "answers">
  readonly projection: BotProjection
  /** The free credits of a company's plan, each month. */
  readonly monthly: (companyId: string) => Amount
}

type Owner = Pick<BotState, "botId" | "companyId" | "userId" | "profile">

type WriteFailure = StaleVersion | JournalUnavailable

/** How often something is decided anew while others come first. */
const MAX_ATTEMPTS = 64

/** The companies' credits, as the server keeps them: every movement is written on the state that it was decided on. */
export class SimulatedCredits {
  readonly #parts: SimulatedCreditsParts

  constructor(parts: SimulatedCreditsParts) {
    this.#parts = parts
  }

  /** What an evaluation takes, with all that has to be recorded before, of the bot as it was known. */
  prepare(
    bot: Owner & Pick<BotState, "version">,
    chargeId: string,
    at: number
  ): Effect.Effect<Result.Result<PreparedCharge, CreditsGone>, WriteFailure> {
    return Effect.map(
      this.#settled(bot, EVALUATION_PRICE, at, [{ stream: botStream(bot.botId), version: bot.version }]),
      (settled) =>
        Result.flatMap(settled, (standing) => {
          const { companyId, version } = standing.credits
          const premise = { stream: creditsStream(companyId), version }
          return Result.map(chargeOf(standing, EVALUATION_PRICE, chargeId), (charge) => ({ charge, premise }))
        })
    )
  }

  /** Whether a bot could not pay for an evaluation now. */
  isGone(bot: Owner, at: number): boolean {
    const standing = this.#standing(bot, at)
    const due = beforeCharge(standing, EVALUATION_PRICE, at, "")
    const usd = this.#parts.ledger.account(walletOf(bot.userId, "USD"))
    if (due.some((event) => event._tag === "CreditsBought" && event.usd > usd.balance - usd.held)) return true
    return Result.isFailure(chargeOf(due.reduce(afterEvent, standing), EVALUATION_PRICE, ""))
  }

  /** Buys credits with a user's USD; answers whether they reached. */
  topUp(bot: Owner, usd: Amount, idempotency: Idempotency): Effect.Effect<boolean, WriteFailure> {
    const credits = creditsFor(usd)
    if (credits === undefined) return Effect.succeed(false)
    const { botId, companyId, profile, userId } = bot
    const company = { ...bot, botId: "", profile: { ...profile, creditBudget: ZERO, autoTopUp: false } }
    const attempt = Effect.gen({ self: this }, function* () {
      if (this.#parts.ledger.answers.has(idempotency.key)) return true
      const at = yield* Clock.currentTimeMillis
      const settled = yield* this.#settled(company, ZERO, at)
      if (Result.isFailure(settled)) return false
      const { version } = settled.success.credits
      const topUpId = topUpIdOf(settled.success.credits)
      const of = { at, companyId, period: periodOf(at), botId, userId, topUpId }
      const event: CreditsBought = { _tag: "CreditsBought", ...of, usd, credits, automatic: false }
      return yield* this.#write(companyId, version, event, { idempotency })
    })
    return retrying(companyId, attempt)
  }

  #standing({ botId, companyId, profile, userId }: Owner, at: number): ChargeStanding {
    const { monthly, projection } = this.#parts
    const period = periodOf(at)
    const { autoTopUp, creditBudget } = profile
    return {
      credits: { ...projection.credits(companyId), monthly: monthly(companyId) },
      budget: { ...projection.budget(botId, period), botId, userId, monthly: creditBudget, autoTopUp, period }
    }
  }

  #settled(
    bot: Owner,
    price: Amount,
    at: number,
    premises: ReadonlyArray<Premise> = []
  ): Effect.Effect<Result.Result<ChargeStanding, CreditsGone>, WriteFailure> {
    const { companyId } = bot
    const attempt = Effect.gen({ self: this }, function* () {
      let standing = this.#standing(bot, at)
      for (;;) {
        const { credits } = standing
        const [event] = beforeCharge(standing, price, at, topUpIdOf(credits))
        if (event === undefined) return Result.succeed(standing)
        if (!(yield* this.#write(companyId, credits.version, event, { premises }))) {
          if (event._tag === "CreditsBought") return Result.fail(new CreditsGone({ botId: bot.botId, cause: "usd" }))
          const { version } = credits
          return yield* new StaleVersion({ stream: creditsStream(companyId), expected: version, actual: version })
        }
        standing = afterEvent(standing, event)
      }
    })
    return retrying(companyId, attempt)
  }

  /** Whether the ledger takes it. */
  #write(
    companyId: string,
    version: number,
    event: EvaluationCreditsEvent,
    { idempotency, premises = [] }: { readonly idempotency?: Idempotency; readonly premises?: ReadonlyArray<Premise> }
  ): Effect.Effect<boolean, WriteFailure> {
    const entries = [{ commands: creditCommands(event), event, idempotency }]
    return Effect.flatMap(
      this.#parts.journal.append({ stream: creditsStream(companyId), version, premises, entries }),
      ([outcome]) => {
        if (outcome?._tag === "Accepted") return Effect.succeed(true)
        return outcome?.error._tag === "InsufficientFunds" ? Effect.succeed(false) : Effect.die(outcome?.error)
      }
    )
  }
}

const topUpIdOf = ({ companyId, version }: ChargeStanding["credits"]): string => `top_${companyId}_${version + 1}`

const retrying = <A>(
  companyId: string,
  attempt: Effect.Effect<A, WriteFailure>,
  left = MAX_ATTEMPTS
): Effect.Effect<A, WriteFailure> =>
  attempt.pipe(
    Effect.catch((error) =>
      error instanceof StaleVersion && error.stream === creditsStream(companyId) && left > 1
        ? retrying(companyId, attempt, left - 1)
        : Effect.fail(error)
    )
  )
