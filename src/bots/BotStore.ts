import { Effect } from "effect"
import type { StaleVersion } from "../../engine/actor/Journal.ts"
import { type BotAccounts, roomOf } from "../../engine/bots/BotLifeDecision.ts"
import type { BotStore } from "../../engine/bots/BotRecords.ts"
import type { Account, AccountId } from "../../engine/ledger/Account.ts"
import type { LedgerError } from "../../engine/ledger/Book.ts"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { lossAllowanceOf } from "../../engine/ledger/LossLimit.ts"
import { ZERO } from "../../engine/money/Amount.ts"
import { Unavailable } from "../database/DatabaseError.ts"
import { dieOnRefusal, unavailableWhereStale, writeEntry } from "../database/EntryWriting.ts"
import type { UnitOfWork } from "../database/UnitOfWork.ts"
import { Funds } from "../funds/Funds.ts"
import { BotRepository } from "./BotRepository.ts"

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

/** The recorded bots, and the journal that they are written to. */
export const botStore: BotStore<Unavailable, BotRepository | Funds | UnitOfWork> = {
  find: (botId) => Effect.flatMap(BotRepository, ({ find }) => find(botId)),
  active: (companyId) => Effect.flatMap(BotRepository, ({ active }) => active(companyId)),
  guard: (companyId) => Effect.flatMap(BotRepository, ({ guard }) => guard(companyId)),
  room: (botId) => Effect.map(accountsOfOne(botId), roomOf),
  write: writeEntry
}

/** For what others kept coming first to, and whose commands the ledger has no reason to refuse. */
export const orUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<Exclude<E, StaleVersion>, LedgerError> | Unavailable, R> =>
  dieOnRefusal(unavailableWhereStale(effect))
