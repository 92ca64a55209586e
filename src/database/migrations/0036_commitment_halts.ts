import type { Migration } from "../Migration.ts"

const halts = `
CREATE TABLE commitment_halts (
  company_id text PRIMARY KEY,
  halted_at bigint,
  halted_by text,
  cause text CHECK (cause IN ('asked', 'deadline', 'disconnected', 'restarted')),
  deadline_at bigint,
  armed boolean NOT NULL,
  event_seq bigint NOT NULL REFERENCES events,
  CHECK ((halted_at IS NULL) = (cause IS NULL)),
  CHECK (halted_by IS NULL OR halted_at IS NOT NULL)
)`

/** Which companies may not commit, and what would halt others. */
export const commitmentHalts: Migration = {
  id: 36,
  name: "commitment_halts",
  up: [
    halts,
    "CREATE INDEX commitment_halts_due ON commitment_halts (deadline_at) WHERE deadline_at IS NOT NULL",
    "CREATE INDEX commitment_halts_armed ON commitment_halts (company_id) WHERE armed"
  ],
  down: ["DROP TABLE commitment_halts"]
}
