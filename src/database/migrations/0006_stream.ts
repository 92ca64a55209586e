import type { Migration } from "../Migration.ts"

/** Names the log of events, so that a position in it is never taken for one in another log. */
export const stream: Migration = {
  id: 6,
  name: "stream",
  up: [
    `CREATE TABLE event_log (
       singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
       epoch text NOT NULL CHECK (epoch ~ '^[0-9a-f]{32}$')
     )`,
    "INSERT INTO event_log (epoch) VALUES (replace(gen_random_uuid()::text, '-', ''))"
  ],
  down: ["DROP TABLE event_log"]
}
