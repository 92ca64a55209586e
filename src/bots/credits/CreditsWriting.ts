import { Effect } from "effect"
import type { Idempotency, Precondition, StaleVersion } from "../../../engine/actor/Journal.ts"
import { afterEvent, type ChargeStanding } from "../../../engine/bots/EvaluationCreditsDecision.ts"
import { chargeStanding, type CreditsWorld, type Payer } from "../../../engine/bots/Charging.ts"
import { creditCommands, creditsStream, MONTHLY_CREDITS, periodOf } from "../../../engine/bots/EvaluationCredits.ts"
import type { EvaluationCreditsEvent } from "../../../engine/bots/EvaluationCreditsEvent.ts"
import type { LedgerError } from "../../../engine/ledger/Book.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { writeEntry } from "../../database/EntryWriting.ts"
import type { UnitOfWork } from "../../database/UnitOfWork.ts"
import { Owners } from "../../identity/users/Owners.ts"
import { CreditsRepository } from "./CreditsRepository.ts"

/** The plan of the company that a user belongs to. */
export const planOf = Effect.fnUntraced(function* (userId: string) {
  const { ownerOf } = yield* Owners
  return (yield* Effect.catchTag(ownerOf(userId), "UserNotFound", Effect.die)).plan
})

/** What a bot's charges are decided on, all of one moment. */
export const standingOf = Effect.fnUntraced(function* (bot: Payer, at: number) {
  const monthly = MONTHLY_CREDITS[yield* planOf(bot.userId)]
  const recorded = yield* (yield* CreditsRepository).standing(bot.companyId, bot.botId, periodOf(at))
  return chargeStanding(bot, recorded, monthly, at)
})

/** Writes an event on the standing that it was decided on; gives the standing after it. */
export const writeOn = Effect.fnUntraced(function* <E extends EvaluationCreditsEvent>(
  standing: ChargeStanding,
  event: E,
  {
    idempotency,
    preconditions = []
  }: { readonly idempotency?: Idempotency | undefined; readonly preconditions?: ReadonlyArray<Precondition> } = {}
) {
  const { companyId, version } = standing.credits
  const entry = { commands: creditCommands(event), event, idempotency }
  yield* writeEntry({ stream: creditsStream(companyId), version, preconditions, entry })
  return afterEvent(standing, event)
})

/** The companies' credits as they are recorded, and where more is. */
export const creditsWorld: CreditsWorld<
  StaleVersion | LedgerError | Unavailable,
  CreditsRepository | Owners | UnitOfWork
> = {
  standing: standingOf,
  write: (standing, event, preconditions) =>
    writeOn(standing, event, { preconditions }).pipe(
      Effect.as(true),
      Effect.catchTag("InsufficientFunds", () => Effect.succeed(false))
    )
}
