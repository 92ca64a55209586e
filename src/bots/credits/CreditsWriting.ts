import { Data, Effect } from "effect"
import { type Idempotency, type Premise, StaleVersion } from "../../../engine/actor/Journal.ts"
import { botStream } from "../../../engine/bot/BotEvent.ts"
import { afterEvent, beforeCharge, type ChargeStanding, CreditsGone } from "../../../engine/bot/ChargeDecision.ts"
import { creditCommands, creditsStream, MONTHLY_CREDITS, periodOf } from "../../../engine/bot/EvaluationCredits.ts"
import type { EvaluationCreditsEvent } from "../../../engine/bot/EvaluationCreditsEvent.ts"
import type { Amount } from "../../../engine/money/Amount.ts"
import { writeEntry } from "../../database/EntryWriting.ts"
import { Owners } from "../../identity/users/Owners.ts"
import type { CreditsBot } from "./CreditsRepository.ts"
import { CreditsRepository } from "./CreditsRepository.ts"

/** The plan of the company that a user belongs to. */
export const planOf = Effect.fnUntraced(function* (userId: string) {
  const { ownerOf } = yield* Owners
  return (yield* Effect.catchTag(ownerOf(userId), "UserNotFound", Effect.die)).plan
})

/** What a bot's charges are decided on, all of one moment. */
export const standingOf = Effect.fnUntraced(function* (bot: CreditsBot, at: number) {
  const { autoTopUp, botId, companyId, creditBudget, userId } = bot
  const period = periodOf(at)
  const monthly = MONTHLY_CREDITS[yield* planOf(userId)]
  const { budget, credits } = yield* (yield* CreditsRepository).standing(companyId, botId, period)
  const standing: ChargeStanding = {
    credits: { ...credits, companyId, monthly },
    budget: { ...budget, botId, userId, monthly: creditBudget, autoTopUp, period }
  }
  return standing
})

/** Writes an event on the standing that it was decided on; gives the standing after it. */
export const writeOn = Effect.fnUntraced(function* <E extends EvaluationCreditsEvent>(
  standing: ChargeStanding,
  event: E,
  {
    idempotency,
    premises = []
  }: { readonly idempotency?: Idempotency | undefined; readonly premises?: ReadonlyArray<Premise> } = {}
) {
  const { companyId, version } = standing.credits
  const entry = { commands: creditCommands(event), event, idempotency }
  yield* writeEntry({ stream: creditsStream(companyId), version, premises, entry })
  return afterEvent(standing, event)
})

/** Names what is bought at a place in the company's stream, which no other event has. */
export const topUpIdOf = ({ companyId, version }: ChargeStanding["credits"]): string =>
  `top_${companyId}_${version + 1}`

/** A charge came between, which leaves the version as it is: the decision is void all the same. */
const overtaken = ({ companyId, version }: ChargeStanding["credits"]) =>
  new StaleVersion({ stream: creditsStream(companyId), expected: version, actual: version })

/** The bot is another than was known: its budget may be, and whether credits are bought for it. */
export class BotOutdated extends Data.TaggedError("BotOutdated")<{ readonly stale: StaleVersion }> {}

const premisesOf = ({ botId, version }: CreditsBot): ReadonlyArray<Premise> =>
  version === undefined ? [] : [{ stream: botStream(botId), version }]

/**
 * Writes what has to be recorded before a bot is charged a price, one after the other, so that none is taken without
 * the one before it. Fails where the automatic top-up among them is refused.
 */
export const settle = Effect.fnUntraced(function* (bot: CreditsBot, price: Amount, at: number) {
  const premises = premisesOf(bot)
  let standing = yield* standingOf(bot, at)
  for (;;) {
    const [event] = beforeCharge(standing, price, at, topUpIdOf(standing.credits))
    if (event === undefined) return standing
    const on = standing.credits
    const gone = new CreditsGone({ botId: bot.botId, cause: "usd" })
    standing = yield* writeOn(standing, event, { premises }).pipe(
      Effect.catchTag("StaleVersion", (stale) =>
        Effect.fail(stale.stream === creditsStream(bot.companyId) ? stale : new BotOutdated({ stale }))
      ),
      Effect.catchTag("InsufficientFunds", () =>
        Effect.fail<CreditsGone | StaleVersion>(event._tag === "CreditsBought" ? gone : overtaken(on))
      )
    )
  }
})
