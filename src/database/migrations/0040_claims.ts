import type { Migration } from "../Migration.ts"

/** Names that must be unique, and the events that took them. */
export const claims: Migration = {
  id: 40,
  name: "claims",
  up: [
    `CREATE TABLE claims (
       name text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 300),
       event_seq bigint NOT NULL REFERENCES events
     )`,
    // The funds that their callers named.
    `INSERT INTO claims
     SELECT 'fund/' || funds.id, min(events.seq) FROM funds
       JOIN events ON events.type = 'FundsMinted' AND events.data::json ->> 'fundId' = funds.id
     WHERE NOT starts_with(funds.id, 'fnd_') GROUP BY funds.id`
  ],
  down: ["DROP TABLE claims"]
}
