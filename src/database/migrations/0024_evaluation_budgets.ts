import type { Migration } from "../Migration.ts"

const kinds = (some: ReadonlyArray<string>) =>
  `ALTER TABLE evaluation_credit_movements
     DROP CONSTRAINT evaluation_credit_movements_kind_check,
     ADD CONSTRAINT evaluation_credit_movements_kind_check
       CHECK (kind IN (${some.map((kind) => `'${kind}'`).join(", ")}))`

const budgets = `
CREATE TABLE evaluation_credit_budgets (
  id text PRIMARY KEY CHECK (id = bot_id || '/' || period),
  company_id text NOT NULL,
  bot_id text NOT NULL,
  period text NOT NULL CHECK (period ~ '^[0-9]{4}-[0-9]{2}$'),
  account text NOT NULL REFERENCES ledger_accounts,
  times integer NOT NULL CHECK (times > 0),
  budget bigint NOT NULL CHECK (budget >= 0),
  topped_up bigint NOT NULL CHECK (topped_up >= 0),
  event_seq bigint NOT NULL REFERENCES events
)`

const charges = `
CREATE TABLE evaluation_charges (
  id text PRIMARY KEY,
  company_id text NOT NULL,
  bot_id text NOT NULL,
  period text NOT NULL CHECK (period ~ '^[0-9]{4}-[0-9]{2}$'),
  free bigint NOT NULL CHECK (free >= 0),
  paid bigint NOT NULL CHECK (paid >= 0),
  status text NOT NULL CHECK (status IN ('held', 'captured', 'released', 'lapsed')),
  held_at bigint NOT NULL,
  ended_at bigint,
  placed_by bigint NOT NULL REFERENCES events,
  resolved_by bigint REFERENCES events,
  CHECK (free + paid > 0),
  CHECK ((status = 'held') = (resolved_by IS NULL) AND (status = 'held') = (ended_at IS NULL))
)`

/**
 * What each bot may use a month. A charge is one movement, taken with the decision that it pays for, so that none is
 * ever left between. Going back needs no credits that were moved.
 */
export const evaluationBudgets: Migration = {
  id: 24,
  name: "evaluation_budgets",
  up: [
    "DROP TABLE evaluation_charges",
    kinds(["grant", "lapse", "topup", "charge"]),
    budgets,
    "CREATE INDEX evaluation_credit_budgets_by_bot ON evaluation_credit_budgets (bot_id, period DESC)",
    "CREATE INDEX evaluation_credit_budgets_by_company ON evaluation_credit_budgets (company_id)",
    "CREATE INDEX evaluation_credit_periods_by_company ON evaluation_credit_periods (company_id, period DESC)"
  ],
  down: [
    "DROP INDEX evaluation_credit_periods_by_company",
    "DROP TABLE evaluation_credit_budgets",
    kinds(["grant", "lapse", "topup", "hold", "capture", "release"]),
    charges,
    "CREATE INDEX evaluation_charges_held ON evaluation_charges (company_id, bot_id) WHERE status = 'held'"
  ]
}
