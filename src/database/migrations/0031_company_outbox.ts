import type { Migration } from "../Migration.ts"

const outbox = `
CREATE TABLE company_outbox (
  company_id text NOT NULL REFERENCES companies,
  kind text NOT NULL CHECK (kind IN ('registered', 'verified')),
  at bigint NOT NULL,
  user_id text NOT NULL,
  request_id text,
  PRIMARY KEY (company_id, kind)
)`

/**
 * What happened to companies in transactions that do not write the journal, until it is recorded there. One event may be
 * told a company several times as the same type, as where an order of several payments is cancelled.
 */
export const companyOutbox: Migration = {
  id: 31,
  name: "company_outbox",
  up: [outbox, "ALTER TABLE webhook_events DROP CONSTRAINT webhook_events_seq_company_id_type_key"],
  down: [
    "ALTER TABLE webhook_events ADD CONSTRAINT webhook_events_seq_company_id_type_key UNIQUE (seq, company_id, type)",
    "DROP TABLE company_outbox"
  ]
}
