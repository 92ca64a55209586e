import { Effect, Schema } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { FundsMinted } from "../../engine/ledger/FundsEvent.ts"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { openedFunds } from "../../engine/replay/FundOpening.ts"
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

/** Writes the rows of funds for recorded events, within their transaction. */
export const fundsProjection = Effect.map(FundsRepository, (repository): ContextProjection => ({
  write: (events) =>
    repository.opened(events.flatMap(({ event }) => openedFunds(event).map((fund) => ({ ...fund, at: event.at })))),
  answers: { FundsMinted: minted }
}))
