import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Account, AccountId } from "../../engine/ledger/Account.ts"
import { mintAllowanceOf } from "../../engine/ledger/Funding.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"
import type { Fund } from "./Fund.ts"

interface FundRow {
  readonly id: string
  readonly owner: string
  readonly asset: string
  readonly balance: string
  readonly held: string
}

interface AccountRow {
  readonly id: AccountId
  readonly balance: string
  readonly held: string
  readonly closed: boolean
}

interface SituationRow {
  readonly fund_id: string | null
  readonly id_taken: boolean
  readonly granted: boolean
  readonly version: number
}

/** What a mint is decided on, all of one moment. */
export interface MintSituation {
  /** The owner's fund of the asset. */
  readonly fundId: string | undefined
  /** Whether the id that was asked for belongs to some fund. */
  readonly isIdTaken: boolean
  /** Whether the owner was given its allowance for minting the asset. */
  readonly isGranted: boolean
  /** The version of the owner's stream. */
  readonly version: number
}

export interface FundPage {
  readonly funds: ReadonlyArray<Fund>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

/** The stream of what an owner minted. */
export const fundsStream = (owner: string): string => `funds/${owner}`

const toFund = (row: FundRow): Fund => ({
  id: row.id,
  owner: row.owner,
  asset: row.asset,
  balance: fromUnits(BigInt(row.balance)),
  held: fromUnits(BigInt(row.held))
})

const toAccount = ({ balance, closed, held, id }: AccountRow): Account => ({
  id,
  balance: fromUnits(BigInt(balance)),
  held: fromUnits(BigInt(held)),
  closed
})

const statements = (sql: SqlClient) => {
  const select = sql`
    SELECT fund.id, fund.owner, fund.asset, account.balance::text AS balance, account.held::text AS held
    FROM funds AS fund JOIN ledger_accounts AS account ON account.id = fund.account`
  return { select }
}

/** Funds in the database. */
export class FundsRepository extends Context.Service<
  FundsRepository,
  {
    readonly situation: (
      owner: string,
      asset: string,
      id: string | undefined
    ) => Effect.Effect<MintSituation, Unavailable>
    readonly find: (id: string) => Effect.Effect<Fund | undefined, Unavailable>
    readonly findOf: (owner: string, asset: string) => Effect.Effect<Fund | undefined, Unavailable>
    /** The funds of an owner, or of all, in the order of their creation. */
    readonly list: (
      owner: string | undefined,
      page: Page
    ) => Effect.Effect<FundPage, Unavailable | Keyset.UnknownCursor>
    /** What some accounts have; one that was never used is left out. */
    readonly balances: (
      accounts: ReadonlyArray<AccountId>
    ) => Effect.Effect<ReadonlyMap<AccountId, Amount>, Unavailable>
    /** Some accounts as they are; one that was never used is left out. */
    readonly accounts: (ids: ReadonlyArray<AccountId>) => Effect.Effect<ReadonlyMap<AccountId, Account>, Unavailable>
  }
>()("emporion/funds/FundsRepository") {
  static readonly layer: Layer.Layer<FundsRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => {
      const { select } = statements(sql)
      const one = (rows: ReadonlyArray<FundRow>) => rows.map(toFund)[0]
      return FundsRepository.of({
        situation: (owner, asset, id) =>
          sql<SituationRow>`
            SELECT (SELECT fund.id FROM funds AS fund WHERE owner = ${owner} AND asset = ${asset}) AS fund_id,
              EXISTS (SELECT FROM funds WHERE id = ${id ?? ""}) AS id_taken,
              EXISTS (SELECT FROM ledger_accounts WHERE id = ${mintAllowanceOf(owner, asset)}) AS granted,
              coalesce((SELECT version FROM event_streams WHERE id = ${fundsStream(owner)}), 0) AS version`.pipe(
            unavailableOrDie,
            Effect.map(([row]) => ({
              fundId: row?.fund_id ?? undefined,
              isIdTaken: row?.id_taken === true,
              isGranted: row?.granted === true,
              version: row?.version ?? 0
            }))
          ),
        find: (id) => sql<FundRow>`${select} WHERE fund.id = ${id}`.pipe(unavailableOrDie, Effect.map(one)),
        findOf: (owner, asset) =>
          sql<FundRow>`${select} WHERE fund.owner = ${owner} AND fund.asset = ${asset}`.pipe(
            unavailableOrDie,
            Effect.map(one)
          ),
        list: Effect.fnUntraced(function* (owner, page) {
          const listed: Keyset.Listed<FundRow> = {
            select,
            from: sql`funds AS fund`,
            scope: owner === undefined ? sql`true` : sql`fund.owner = ${owner}`,
            order: [{ column: "fund.created_at" }, { column: "fund.id" }],
            id: "fund.id",
            idOf: ({ id }) => id
          }
          const { next, rows, total } = yield* Keyset.page(sql, listed, page)
          return { funds: rows.map(toFund), total, next }
        }, unavailableOrDie),
        balances: (accounts) =>
          sql<{ readonly id: AccountId; readonly balance: string }>`
            SELECT id, balance::text AS balance FROM ledger_accounts WHERE id = ANY(${accounts}::text[])`.pipe(
            unavailableOrDie,
            Effect.map((rows) => new Map(rows.map(({ id, balance }) => [id, fromUnits(BigInt(balance))])))
          ),
        accounts: (ids) =>
          sql<AccountRow>`
            SELECT id, balance::text AS balance, held::text AS held, closed FROM ledger_accounts
            WHERE id = ANY(${ids}::text[])`.pipe(
            unavailableOrDie,
            Effect.map((rows) => new Map(rows.map((row) => [row.id, toAccount(row)])))
          )
      })
    })
  )
}
