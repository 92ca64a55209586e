import { Clock, Effect, Result } from "effect"
import {
  type Idempotency,
  type Journal,
  type JournalUnavailable,
  type Premise,
  StaleVersion
} from "../actor/Journal.ts"
import type { BotState } from "../bot/Bot.ts"
import type { PreparedCharge } from "../bot/BotWorld.ts"
import { type ChargeStanding, type CreditsGone, purchaseOf } from "../bot/ChargeDecision.ts"
import {
  chargeStanding,
  companyItself,
  type CreditsWorld,
  goneOn,
  type Payer,
  preparedOn,
  settle,
  topUpIdOf
} from "../bot/Charging.ts"
import { creditCommands, creditsStream, EVALUATION_PRICE, periodOf } from "../bot/EvaluationCredits.ts"
import type { EvaluationCreditsEvent } from "../bot/EvaluationCreditsEvent.ts"
import { walletOf } from "../ledger/Funding.ts"
import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
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
  readonly #world: CreditsWorld<WriteFailure> = {
    standing: (payer, at) => Effect.sync(() => this.#standing(payer, at)),
    write: (standing, event, premises) => this.#write(standing, event, { premises })
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
    return retrying(bot.companyId, settle(this.#world, payer, EVALUATION_PRICE, at)).pipe(
      Effect.map((standing) => preparedOn(standing, chargeId)),
      Effect.catchTag("CreditsGone", (gone) => Effect.succeed(Result.fail(gone)))
    )
  }

  /** Whether a bot could not pay for an evaluation now. */
  isGone(bot: Owner, at: number): boolean {
    const usd = this.#parts.ledger.account(walletOf(bot.userId, "USD"))
    return goneOn(this.#standing(payerOf(bot), at), at, fromUnits(usd.balance - usd.held)) !== undefined
  }

  /** Buys credits with a user's USD; answers whether they reached. */
  topUp(bot: Owner, usd: Amount, idempotency: Idempotency): Effect.Effect<boolean, WriteFailure> {
    const attempt = Effect.gen({ self: this }, function* () {
      if (this.#parts.ledger.answers.has(idempotency.key)) return true
      const at = yield* Clock.currentTimeMillis
      const standing = yield* settle(this.#world, companyItself(bot), ZERO, at)
      const event = purchaseOf(bot, usd, at, topUpIdOf(standing.credits))
      return event !== undefined && (yield* this.#write(standing, event, { idempotency }))
    })
    return retrying(bot.companyId, attempt).pipe(Effect.catchTag("CreditsGone", Effect.die))
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

const payerOf = ({ botId, companyId, profile: { autoTopUp, creditBudget }, userId }: Owner): Payer => ({
  botId,
  companyId,
  userId,
  creditBudget,
  autoTopUp
})

const retrying = <A, E>(
  companyId: string,
  attempt: Effect.Effect<A, E | StaleVersion>,
  left = MAX_ATTEMPTS
): Effect.Effect<A, E | StaleVersion> =>
  attempt.pipe(
    Effect.catch((error) =>
      error instanceof StaleVersion && error.stream === creditsStream(companyId) && left > 1
        ? retrying(companyId, attempt, left - 1)
        : Effect.fail(error)
    )
  )
