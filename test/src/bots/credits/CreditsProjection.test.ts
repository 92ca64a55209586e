import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { creditBudgetOf } from "../../../../engine/bots/EvaluationCredits.ts"
import { boughtRows, creditBudgets } from "../../../../engine/bots/EvaluationCreditsRows.ts"
import type { EvaluationCreditsEvent } from "../../../../engine/bots/EvaluationCreditsEvent.ts"
import { accountParts } from "../../../../engine/ledger/Account.ts"
import { fromUnits, ONE, ZERO } from "../../../../engine/money/Amount.ts"
import { creditsProjection } from "../../../../src/bots/credits/CreditsProjection.ts"
import { CreditsRepository } from "../../../../src/bots/credits/CreditsRepository.ts"
import { RowWriter } from "../../../../src/database/RowWriter.ts"
import { rowsOfAggregate } from "../../../lib/DerivedRows.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { inStreams, projectedAnew } from "../../../lib/ProjectedAnew.ts"
import * as TestDatabase from "../../../lib/TestDatabase.ts"

const it = withLayer(
  Layer.mergeAll(CreditsRepository.layer, RowWriter.layer).pipe(Layer.provideMerge(TestDatabase.layer))
)

const of = { at: 7, companyId: "cmp", period: "2026-11", botId: "bot" }

const budget = { _tag: "CreditBudgetSet", ...of, times: 1, before: ZERO, after: ONE } as const

const bought = {
  _tag: "CreditsBought",
  ...of,
  userId: "usr",
  usd: fromUnits(10_000n),
  credits: ONE,
  automatic: true
} as const

const EVENTS: ReadonlyArray<EvaluationCreditsEvent> = [
  budget,
  { ...bought, topUpId: "a" },
  { ...bought, topUpId: "b" },
  { ...budget, times: 2, before: ONE, after: fromUnits(3n * ONE) }
]

it("goes on from the row of a budget that is not remembered", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const account = creditBudgetOf("bot", "2026-11")
    const { asset, kind, owner } = accountParts(account)
    yield* sql`
      INSERT INTO ledger_accounts (id, owner, asset, kind, balance, held)
      VALUES (${account}, ${owner}, ${asset}, ${kind}, 0, 0)`
    const events = inStreams(EVENTS, () => "credits/cmp")
    const budgets = rowsOfAggregate(creditBudgets, events)
    const rows = events.map((recorded, index) => {
      const { event } = recorded
      return [...(event._tag === "CreditsBought" ? boughtRows({ ...recorded, event }) : []), ...budgets[index]!]
    })
    yield* projectedAnew(creditsProjection, events, rows, ["evaluation_credit_budgets", "evaluation_credit_movements"])
  }))
