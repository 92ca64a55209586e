import { Effect } from "effect"
import {
  boughtRows,
  chargedRows,
  creditBudgets,
  grantedRows,
  lapsedRows
} from "../../../engine/bots/EvaluationCreditsRows.ts"
import { aggregates, type ContextProjection } from "../../database/Projection.ts"
import { CreditsRepository } from "./CreditsRepository.ts"

/** The rows of credits' movements, of their months, and of what bots may use. */
export const creditsProjection = Effect.map(CreditsRepository, ({ budgets }): ContextProjection => ({
  rows: { CreditsGranted: grantedRows, CreditsLapsed: lapsedRows, CreditsBought: boughtRows, BotDecided: chargedRows },
  aggregates: [aggregates(creditBudgets, budgets)],
  answers: {}
}))
