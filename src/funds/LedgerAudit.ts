import { Context, Effect, Layer } from "effect"
import type { Unavailable } from "../database/DatabaseError.ts"
import { type Finding, LedgerAuditRepository } from "./LedgerAuditRepository.ts"

/** What a look at the whole ledger found. */
export interface LedgerReport {
  /** Whether nothing is wrong. */
  readonly balanced: boolean
  readonly findings: ReadonlyArray<Finding>
}

const reportOf = (findings: ReadonlyArray<Finding>): LedgerReport => ({ balanced: findings.length === 0, findings })

/**
 * Looks whether the ledger adds up. Both looks read whole tables: they are for the background and for operators, never
 * for a probe. Each sees the ledger as of the last event, where the tables are whole, and nothing of what the journal has
 * behind it: the book that decides holds that to the same rules.
 */
export class LedgerAudit extends Context.Service<
  LedgerAudit,
  {
    /**
     * For each asset the balances sum to zero; each account holds the sum of its pending holds, no more than its
     * balance; none but custody is negative.
     */
    readonly check: Effect.Effect<LedgerReport, Unavailable>
    /** Each balance is the sum of its transfers. Reads all that ever moved. */
    readonly checkHistory: Effect.Effect<LedgerReport, Unavailable>
  }
>()("emporion/funds/LedgerAudit") {
  static readonly layer: Layer.Layer<LedgerAudit, never, LedgerAuditRepository> = Layer.effect(
    this,
    Effect.map(LedgerAuditRepository, (repository) =>
      LedgerAudit.of({
        check: Effect.map(repository.positions, reportOf).pipe(Effect.withSpan("LedgerAudit.check")),
        checkHistory: Effect.map(repository.history, reportOf).pipe(Effect.withSpan("LedgerAudit.checkHistory"))
      })
    )
  )
}
