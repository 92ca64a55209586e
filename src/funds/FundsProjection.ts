import { Effect, Schema } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { FundsMinted } from "../../engine/ledger/FundsEvent.ts"
import { walletOf } from "../../engine/ledger/Funding.ts"
import type { AccountId } from "../../engine/ledger/Account.ts"
import { openedFunds } from "../../engine/replay/FundOpening.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { FundAnswer } from "../api/Funds.ts"
import type { Accounts, ContextProjection, StoredAnswer } from "../database/Projection.ts"
import { FundsRepository } from "./FundsRepository.ts"
import { toAnswer } from "./Fund.ts"

const encode = Schema.encodeSync(Schema.fromJsonString(FundAnswer))

/** The answer of a recorded mint: the whole fund, with its units at the commit. */
const minted = ({ event: { fundId: id, owner, asset } }: Recorded<FundsMinted>, accounts: Accounts): StoredAnswer => {
  const { balance, held } = accounts(walletOf(owner, asset))
  return { status: 200, body: encode(toAnswer({ id, owner, asset, balance, held })) }
}

/** Wallets that are remembered to have a fund; beyond it all are forgotten, and their funds added again, which changes nothing. */
export const MAX_KNOWN_FUNDS = 100_000

const opened = (events: ReadonlyArray<Recorded<PlatformEvent>>) =>
  events.flatMap(({ event }) =>
    openedFunds(event).map((fund) => ({ ...fund, at: event.at, account: walletOf(fund.owner, fund.asset) }))
  )

/**
 * Writes the rows of funds for recorded events, within their transaction. A fund is there for good once a transaction
 * that opened it has committed, and is not added again.
 */
export const fundsProjection = Effect.map(FundsRepository, (repository): ContextProjection => {
  const known = new Set<AccountId>()
  return {
    write: (events) => repository.opened(opened(events).filter(({ account }) => !known.has(account))),
    answers: { FundsMinted: minted },
    committed: (events) => {
      if (known.size > MAX_KNOWN_FUNDS) known.clear()
      for (const { account } of opened(events)) known.add(account)
    }
  }
})
