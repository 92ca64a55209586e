import { Effect, Schema } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { Account, AccountId } from "../../engine/ledger/Account.ts"
import type { FundsMinted } from "../../engine/ledger/FundsEvent.ts"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { FundAnswer } from "../api/Funds.ts"
import type { PlatformEvent, Statements, StoredAnswer } from "../database/Projection.ts"
import { FundsRepository } from "./FundsRepository.ts"
import { toAnswer } from "./Fund.ts"

const isMint = (recorded: Recorded<PlatformEvent>): recorded is Recorded<FundsMinted> =>
  recorded.event._tag === "FundsMinted"

/** Writes the rows of funds for recorded events, within their transaction. */
export const fundsProjection = Effect.map(
  FundsRepository,
  (repository) =>
    (events: ReadonlyArray<Recorded<PlatformEvent>>): Statements => {
      const minted = events.filter(isMint)
      return minted.length === 0 ? [] : repository.minted(minted)
    }
)

const encode = Schema.encodeSync(Schema.fromJsonString(FundAnswer))

/** The answer of a recorded mint: the whole fund, with its units at the commit. */
export const fundsAnswer = (
  { event: { fundId: id, owner, asset } }: Recorded<FundsMinted>,
  account: (id: AccountId) => Account
): StoredAnswer => {
  const { balance, held } = account(walletOf(owner, asset))
  return { status: 200, body: encode(toAnswer({ id, owner, asset, balance, held })) }
}
