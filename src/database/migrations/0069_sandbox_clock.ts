import type { Migration } from "../Migration.ts"

/** How far the clock of a sandbox was set forward, in milliseconds, and until when it is to go on. */
export const sandboxClock: Migration = {
  id: 69,
  name: "sandbox_clock",
  up: [
    `CREATE TABLE sandbox_clock (
      single boolean PRIMARY KEY DEFAULT true CHECK (single),
      lead bigint NOT NULL DEFAULT 0 CHECK (lead >= 0),
      until bigint CHECK (until > 0)
    )`,
    "INSERT INTO sandbox_clock DEFAULT VALUES"
  ],
  down: ["DROP TABLE sandbox_clock"]
}
