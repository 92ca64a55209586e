import type { Migration } from "../Migration.ts"

const assessments = `
CREATE TABLE credit_assessments (
  event_seq bigint PRIMARY KEY REFERENCES events,
  user_id text NOT NULL,
  company_id text NOT NULL,
  assessed_at bigint NOT NULL,
  request text NOT NULL,
  score integer NOT NULL CHECK (score BETWEEN 300 AND 850),
  probability integer NOT NULL CHECK (probability BETWEEN 0 AND 1000000),
  band text NOT NULL CHECK (band IN ('A', 'B', 'C', 'D', 'E')),
  assessed_limit bigint NOT NULL CHECK (assessed_limit >= 0),
  granted bigint NOT NULL CHECK (granted BETWEEN 0 AND assessed_limit),
  apr integer NOT NULL CHECK (apr >= 0),
  points text NOT NULL,
  reasons text NOT NULL,
  model_version text NOT NULL
)`

const limits = `
CREATE TABLE credit_limits (
  user_id text PRIMARY KEY,
  company_id text NOT NULL,
  granted bigint NOT NULL CHECK (granted >= 0),
  posted bigint NOT NULL CHECK (posted >= granted),
  assessed_by bigint NOT NULL REFERENCES credit_assessments,
  event_seq bigint NOT NULL REFERENCES events
)`

/** Score cards, none of which ever changes, and the limit that each user has by the last of them. */
export const credit: Migration = {
  id: 15,
  name: "credit",
  up: [
    assessments,
    "CREATE INDEX credit_assessments_by_user ON credit_assessments (user_id, event_seq)",
    "CREATE INDEX credit_assessments_by_company ON credit_assessments (company_id, assessed_at)",
    limits,
    "CREATE INDEX credit_limits_by_company ON credit_limits (company_id)",
    "CREATE INDEX credit_limits_over ON credit_limits (user_id) WHERE posted > granted"
  ],
  down: ["DROP TABLE credit_limits", "DROP TABLE credit_assessments"]
}
