import { Effect } from "effect"
import { type Entry, type Idempotency, type Premise, StaleVersion } from "../../engine/actor/Journal.ts"
import { after, type BotLifeEvent, type BotState } from "../../engine/bot/Bot.ts"
import type { BotRoom } from "../../engine/bot/BotDecision.ts"
import { botStream } from "../../engine/bot/BotEvent.ts"
import type { Account, AccountId } from "../../engine/ledger/Account.ts"
import type { InsufficientFunds } from "../../engine/ledger/Book.ts"
import { lossAllowanceOf, walletOf } from "../../engine/ledger/Funding.ts"
import { fromUnits, ZERO } from "../../engine/money/Amount.ts"
import { writeEntry } from "../database/EntryWriting.ts"
import { Funds } from "../funds/Funds.ts"
import type { BotAccounts } from "./BotAnswers.ts"

const EMPTY = { balance: ZERO, held: ZERO, closed: false }

const orEmpty = (accounts: ReadonlyMap<AccountId, Account>, id: AccountId): Account =>
  accounts.get(id) ?? { id, ...EMPTY }

/** What some bots have. */
export const accountsOf = Effect.fnUntraced(function* (botIds: ReadonlyArray<string>) {
  const funds = yield* Funds
  const read = yield* funds.accounts(botIds.flatMap((id) => [walletOf(id, "USD"), lossAllowanceOf(id)]))
  return new Map(
    botIds.map((id): [string, BotAccounts] => [
      id,
      { collateral: orEmpty(read, walletOf(id, "USD")), allowance: orEmpty(read, lossAllowanceOf(id)) }
    ])
  )
})

/** What one bot has. */
export const accountsOfOne = Effect.fnUntraced(function* (botId: string) {
  return (yield* accountsOf([botId])).get(botId) ?? (yield* Effect.die(`no accounts of ${botId}`))
})

export const roomOf = ({ allowance, collateral }: BotAccounts): BotRoom => ({
  collateral: fromUnits(collateral.balance - collateral.held),
  allowance: fromUnits(allowance.balance - allowance.held),
  held: allowance.held
})

/**
 * Writes a step on the state that it was decided on; gives the state after it. Where less is free of the bot's accounts
 * than was read, what was decided is stale.
 */
export const writeStep = Effect.fnUntraced(function* (
  state: BotState,
  { commands, event }: Entry<BotLifeEvent>,
  idempotency?: Idempotency,
  premises: ReadonlyArray<Premise> = []
) {
  const { botId, version } = state
  const stale = (error: InsufficientFunds): Effect.Effect<never, StaleVersion | InsufficientFunds> =>
    Effect.fail(
      error.account === walletOf(botId, "USD") || error.account === lossAllowanceOf(botId)
        ? new StaleVersion({ stream: botStream(botId), expected: version, actual: version })
        : error
    )
  yield* writeEntry({ stream: botStream(botId), version, premises, entry: { commands, event, idempotency } }).pipe(
    Effect.catchTag("InsufficientFunds", stale)
  )
  return after(state, event)
})
