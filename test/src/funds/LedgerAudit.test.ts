import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { custodyOf, walletOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { Funds } from "../../../src/funds/Funds.ts"
import { LedgerAudit } from "../../../src/funds/LedgerAudit.ts"
import { withLayer } from "../../lib/Effects.ts"
import { layerOf, newUser } from "../../lib/TestFunds.ts"

const itAudits = withLayer(layerOf())

/** Damages the ledger, looks, and takes the damage back. */
const findingsAfter = (...damage: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const audit = yield* LedgerAudit
    const look = Effect.gen(function* () {
      for (const statement of damage) yield* sql.unsafe(statement).unprepared
      const { findings } = yield* audit.check
      const history = yield* audit.checkHistory
      return yield* Effect.fail([...findings, ...history.findings])
    })
    return yield* Effect.flip(sql.withTransaction(look))
  })

const funded = Effect.gen(function* () {
  const funds = yield* Funds
  const { id } = yield* newUser
  yield* funds.mintFor(id, "USD", fromUnits(100n))
  return walletOf(id, "USD")
})

describe("the ledger's audit", () => {
  itAudits("finds nothing in a ledger that adds up", () =>
    Effect.gen(function* () {
      yield* funded
      const audit = yield* LedgerAudit
      expect(yield* audit.check).toEqual({ balanced: true, findings: [] })
      expect(yield* audit.checkHistory).toEqual({ balanced: true, findings: [] })
    })
  )

  itAudits("finds money made of nothing", () =>
    Effect.gen(function* () {
      const wallet = yield* funded
      const findings = yield* findingsAfter(`UPDATE ledger_accounts SET balance = balance + 1 WHERE id = '${wallet}'`)
      expect(findings).toEqual([
        { rule: "zero_sum", subject: "USD", expected: "0", actual: "1" },
        { rule: "history", subject: wallet, expected: "100", actual: "101" }
      ])
    })
  )

  itAudits("finds money that went between accounts without a transfer", () =>
    Effect.gen(function* () {
      const wallet = yield* funded
      const custody = custodyOf("USD")
      const findings = yield* findingsAfter(
        `UPDATE ledger_accounts SET balance = balance - 1 WHERE id = '${wallet}'`,
        `UPDATE ledger_accounts SET balance = balance + 1 WHERE id = '${custody}'`
      )
      expect((findings as ReadonlyArray<{ subject: string }>).map(({ subject }) => subject).toSorted()).toEqual(
        [wallet, custody].toSorted()
      )
    })
  )

  itAudits("finds a held part without its hold, and a hold without its part", () =>
    Effect.gen(function* () {
      const wallet = yield* funded
      expect(yield* findingsAfter(`UPDATE ledger_accounts SET held = 40 WHERE id = '${wallet}'`)).toEqual([
        { rule: "held", subject: wallet, expected: "0", actual: "40" }
      ])
      const hold = `INSERT INTO ledger_holds (id, account, into_account, amount, status, placed_by)
        SELECT 'h', '${wallet}', 'platform/USD/vault', 40, 'pending', max(seq) FROM events`
      expect(yield* findingsAfter(hold)).toEqual([{ rule: "held", subject: wallet, expected: "40", actual: "0" }])
    })
  )

  itAudits("finds an overdraft that the table's own rules would have refused", () =>
    Effect.gen(function* () {
      const wallet = yield* funded
      const findings = yield* findingsAfter(
        "ALTER TABLE ledger_accounts DROP CONSTRAINT ledger_accounts_check1",
        `UPDATE ledger_accounts SET balance = -5 WHERE id = '${wallet}'`
      )
      expect(findings).toContainEqual({ rule: "negative", subject: wallet, expected: "at least 0", actual: "-5" })
    })
  )
})
