import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { Effect, Result } from "effect"
import type { Idempotency, Journal, JournalUnavailable, Precondition, StaleVersion } from "../actor/Journal.ts"
import type { BotState } from "../bots/Bot.ts"
import type { PreparedCharge } from "../bots/BotWorld.ts"
import type { ChargeStanding, CreditsGone } from "../bots/EvaluationCreditsDecision.ts"
import type { BotEnded } from "../bots/BotLifeDecision.ts"
import {
  type Buyer,
  chargeStanding,
  type CreditsWorld,
  goneOn,
  type Payer,
  preparedOn,
  purchaseFor,
  settled
} from "../bots/Charging.ts"
import { KeyedLock } from "../actor/KeyedLock.ts"
import { creditCommands, creditsStream, EVALUATION_PRICE, periodOf } from "../bots/EvaluationCredits.ts"
import type { CreditsBought, EvaluationCreditsEvent } from "../bots/EvaluationCreditsEvent.ts"
import { walletOf } from "../ledger/Funding.ts"
import { type Amount, fromUnits } from "../money/Amount.ts"
import type { BotProjection } from "./BotProjection.ts"
import { keyAnswered } from "./SimulatedBotStore.ts"
import type { SimulatedJournal } from "./SimulatedJournal.ts"

export interface SimulatedCreditsParts {
  /** As those who write it reach it. */
  readonly journal: Journal<PlatformEvent>
  readonly ledger: Pick<SimulatedJournal, "account" | "answers">
  readonly projection: BotProjection
  /** The free credits of a company's plan, each month. */
  readonly monthly: (companyId: string) => Amount
}

type Owner = Pick<BotState, "botId" | "companyId" | "userId" | "profile">

type WriteFailure = StaleVersion | JournalUnavailable

/** The companies' credits, as the server keeps them: every movement is written on the state that it was decided on. */
export class SimulatedCredits {
  readonly #parts: SimulatedCreditsParts
  readonly #locks = new KeyedLock()
  readonly #world: CreditsWorld<WriteFailure> = {
    standing: (payer, at) => Effect.sync(() => this.#standing(payer, at)),
    write: (standing, event, preconditions) => this.#write(standing, event, { preconditions })
  }

  constructor(parts: SimulatedCreditsParts) {
    this.#parts = parts
  }

  /** What an evaluation takes, with all that has to be recorded before, of the bot as it was known. */
  prepare(
    bot: Owner & Pick<BotState, "version">,
    chargeId: string,
    at: number
  ): Effect.Effect<Result.Result<PreparedCharge, CreditsGone>, WriteFailure> {
    const payer = { ...payerOf(bot), version: bot.version }
    return settled(this.#world, this.#locks, payer, EVALUATION_PRICE, at).pipe(
      Effect.map((standing) => preparedOn(standing, chargeId)),
      Effect.catchTag("CreditsGone", (gone) => Effect.succeed(Result.fail(gone)))
    )
  }

  /** Whether a bot could not pay for an evaluation now. */
  isGone(bot: Owner, at: number): boolean {
    const usd = this.#parts.ledger.account(walletOf(bot.userId, "USD"))
    return goneOn(this.#standing(payerOf(bot), at), at, fromUnits(usd.balance - usd.held)) !== undefined
  }

  /** Buys credits with a user's USD, unless the bot is terminated; answers whether they reached. */
  topUp(
    { botId }: Pick<BotState, "botId">,
    usd: Amount,
    idempotency: Idempotency
  ): Effect.Effect<boolean, BotEnded | WriteFailure> {
    const write = (
      standing: ChargeStanding,
      event: CreditsBought,
      preconditions: ReadonlyArray<Precondition>
    ): Effect.Effect<boolean, WriteFailure> => this.#write(standing, event, { idempotency, preconditions })
    const read = Effect.sync((): Buyer => {
      const bot = this.#parts.projection.bots.get(botId)
      if (bot === undefined) throw new TypeError(`the bot ${botId} was never made`)
      return { ...payerOf(bot), version: bot.version, isTerminated: bot.standing.status === "terminated" }
    })
    return purchaseFor(this.#world, this.#locks, read, usd, write).pipe(
      Effect.map((isBought) => isBought ?? false),
      Effect.catchTag("CreditsGone", Effect.die)
    )
  }

  #standing(payer: Payer, at: number): ChargeStanding {
    const { monthly, projection } = this.#parts
    const { botId, companyId } = payer
    const recorded = { credits: projection.credits(companyId), budget: projection.budget(botId, periodOf(at)) }
    return chargeStanding(payer, recorded, monthly(companyId), at)
  }

  /** Whether the ledger takes it. */
  #write(
    { credits: { companyId, version } }: ChargeStanding,
    event: EvaluationCreditsEvent,
    {
      idempotency,
      preconditions = []
    }: { readonly idempotency?: Idempotency; readonly preconditions?: ReadonlyArray<Precondition> }
  ): Effect.Effect<boolean, WriteFailure> {
    if (idempotency !== undefined && this.#parts.ledger.answers.has(idempotency.key)) return Effect.fail(keyAnswered())
    const entries = [{ commands: creditCommands(event), event, idempotency }]
    return Effect.flatMap(
      this.#parts.journal.append({ stream: creditsStream(companyId), version, preconditions, entries }),
      ([outcome]) => {
        if (outcome?._tag === "Accepted") return Effect.succeed(true)
        return outcome?.error._tag === "InsufficientFunds" ? Effect.succeed(false) : Effect.die(outcome?.error)
      }
    )
  }
}

const payerOf = ({ botId, companyId, profile: { autoTopUp, creditBudget }, userId }: Owner): Payer => ({
  botId,
  companyId,
  userId,
  creditBudget,
  autoTopUp
})
