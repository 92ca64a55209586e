import { Effect } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { FundsMinted } from "../../engine/ledger/FundsEvent.ts"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { ensure, type TableRow } from "../../engine/journal/TableRow.ts"
import { fundRow, OPENING_KINDS, type OpenedFund, openedFunds } from "../../engine/replay/FundOpening.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { FundAnswer } from "../api/Funds.ts"
import type { Accounts, StoredResponse } from "../../engine/journal/StoredResponse.ts"
import type { ContextProjection } from "../database/Projection.ts"
import { storedAs } from "../http/KeptResponse.ts"
import { defaultFundId, toAnswer } from "./Fund.ts"

const stored = storedAs(FundAnswer)

/** The answer of a recorded mint: the whole fund, with its units at the commit. */
const minted = ({ event: { fundId: id, owner, asset } }: Recorded<FundsMinted>, accounts: Accounts): StoredResponse => {
  const { balance, held } = accounts(walletOf(owner, asset))
  return stored(toAnswer({ id, owner, asset, balance, held }))
}

/** Funds that are remembered to be there; beyond it all are forgotten, and added again, which changes nothing. */
export const MAX_KNOWN_FUNDS = 100_000

/** Funds that are there for good. */
class KnownFunds {
  readonly #owners = new Map<string, Set<string>>()
  #size = 0

  has({ asset, owner }: OpenedFund): boolean {
    return this.#owners.get(asset)?.has(owner) === true
  }

  add(fund: OpenedFund): void {
    if (this.has(fund)) return
    if (this.#size >= MAX_KNOWN_FUNDS) {
      this.#owners.clear()
      this.#size = 0
    }
    const owners = this.#owners.get(fund.asset) ?? new Set()
    this.#owners.set(fund.asset, owners.add(fund.owner))
    this.#size += 1
  }
}

/**
 * The rows of funds. A fund is there for good once the tables have an event that opened it, and is not added again.
 * Where another fund of the owner's has the asset, it stays the one; where another's has the name, it has the usual one.
 */
export const fundsProjection = Effect.sync((): ContextProjection => {
  const known = new KnownFunds()
  const opened = ({ event }: Recorded<PlatformEvent>): ReadonlyArray<TableRow> =>
    openedFunds(event)
      .filter((fund) => !known.has(fund))
      .flatMap(({ asset, fundId, owner }) => {
        const usual = defaultFundId(owner, asset)
        return [...new Set([fundId ?? usual, usual])].map((id) => ensure(fundRow(id, owner, asset, event.at)))
      })
  return {
    rows: Object.fromEntries(OPENING_KINDS.map((kind) => [kind, opened])),
    answers: {},
    accountAnswers: { FundsMinted: minted },
    projected: (events) => {
      for (const { event } of events) for (const fund of openedFunds(event)) known.add(fund)
    }
  }
})
