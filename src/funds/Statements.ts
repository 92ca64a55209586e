import { Context, Effect, Layer } from "effect"
import { walletOf } from "../../engine/ledger/Funding.ts"
import type { Page } from "../api/Paging.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import type { Fund } from "./Fund.ts"
import { type Caller, Funds } from "./Funds.ts"
import type { FundNotFound } from "./FundsError.ts"
import { type StatementPage, StatementRepository } from "./StatementRepository.ts"

/** What moved on a fund. */
export class Statements extends Context.Service<
  Statements,
  {
    /** The entries of a fund that the caller may see, newest first. */
    readonly entries: (
      caller: Caller,
      fundId: string,
      page: Page
    ) => Effect.Effect<StatementPage & { readonly fund: Fund }, FundNotFound | Unavailable | UnknownCursor>
  }
>()("emporion/funds/Statements") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const funds = yield* Funds
      const repository = yield* StatementRepository
      return Statements.of({
        entries: Effect.fn("Statements.entries")(function* (caller, fundId, page) {
          const fund = yield* funds.find(caller, fundId)
          return { fund, ...(yield* repository.entries(walletOf(fund.owner, fund.asset), page)) }
        })
      })
    })
  ).pipe(Layer.provide(StatementRepository.layer))
}
