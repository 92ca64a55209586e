import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { StatementWait } from "../database/BoundedClient.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"

/** Most findings of one look: a broken ledger need not be listed whole. */
const MAX_FINDINGS = 100

/** One thing that is wrong. Amounts are integers of 10⁻⁶ as text. */
export interface Finding {
  readonly rule: "zero_sum" | "held" | "negative" | "history"
  /** The asset or the account. */
  readonly subject: string
  readonly expected: string
  readonly actual: string
}

/** Milliseconds that a look at the whole ledger may take: it is nobody's request, and the server lets it run for less. */
const LOOK_WAIT = 31_000

const looking = <A>(look: Effect.Effect<A, SqlError>): Effect.Effect<A, Unavailable> =>
  unavailableOrDie(Effect.provideService(look, StatementWait, LOOK_WAIT))

/** The statements of the audit. Each sees one moment of the ledger. */
export class LedgerAuditRepository extends Context.Service<
  LedgerAuditRepository,
  {
    /** Sums, holds and signs of the accounts. */
    readonly positions: Effect.Effect<ReadonlyArray<Finding>, Unavailable>
    /** Balances against all transfers. */
    readonly history: Effect.Effect<ReadonlyArray<Finding>, Unavailable>
  }
>()("emporion/funds/LedgerAuditRepository") {
  static readonly layer: Layer.Layer<LedgerAuditRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      LedgerAuditRepository.of({
        positions: looking(sql<Finding>`
          SELECT 'zero_sum' AS rule, asset AS subject, '0' AS expected, sum(balance)::text AS actual
          FROM ledger_accounts GROUP BY asset HAVING sum(balance) <> 0
          UNION ALL
          SELECT 'held', coalesce(account.id, hold.account), coalesce(hold.total, 0)::text,
            coalesce(account.held, 0)::text
          FROM (SELECT id, held FROM ledger_accounts WHERE held <> 0) AS account
          FULL JOIN (
            SELECT account, sum(amount) AS total FROM (
              SELECT account, amount FROM ledger_holds WHERE status = 'pending'
              UNION ALL
              SELECT split_part(part, ' ', 1), split_part(part, ' ', 2)::numeric FROM ledger_baskets AS basket,
                unnest(string_to_array(basket.parts, ',')) AS part
              WHERE basket.status = 'pending') AS reserved
            GROUP BY account) AS hold ON hold.account = account.id
          WHERE coalesce(hold.total, 0) <> coalesce(account.held, 0)
          UNION ALL
          SELECT 'negative', id, 'at least ' || greatest(held, 0), balance::text FROM ledger_accounts
          WHERE (kind <> 'custody' AND balance < 0) OR held < 0 OR (held > 0 AND held > balance)
          LIMIT ${MAX_FINDINGS}`),
        history: looking(sql<Finding>`
          SELECT 'history' AS rule, coalesce(account.id, moved.account) AS subject,
            coalesce(moved.total, 0)::text AS expected, coalesce(account.balance, 0)::text AS actual
          FROM ledger_accounts AS account
          FULL JOIN (
            SELECT account, sum(amount) AS total FROM (
              SELECT credit_account AS account, amount FROM ledger_transfers
              UNION ALL
              SELECT debit_account, -amount FROM ledger_transfers) AS posting
            GROUP BY account) AS moved ON moved.account = account.id
          WHERE coalesce(moved.total, 0) <> coalesce(account.balance, 0)
          LIMIT ${MAX_FINDINGS}`)
      })
    )
  )
}
