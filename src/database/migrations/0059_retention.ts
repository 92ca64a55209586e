import type { Migration } from "../Migration.ts"

const horizons = `
CREATE TABLE retention_horizons (
  class text PRIMARY KEY,
  horizon bigint NOT NULL CHECK (horizon > 0)
)`

/** Where a removed row may still be named. */
interface Removal {
  readonly of: string
  readonly by: string
  readonly named: string
}

const EVENTS: Removal = { of: "webhook_events", by: "webhook_deliveries", named: "event_id = OLD.id" }
const DELIVERIES: Removal = { of: "webhook_deliveries", by: "webhook_attempts", named: "delivery_id = OLD.id" }

const checked = ({ by, named, of }: Removal, lock = ""): string =>
  `CREATE OR REPLACE FUNCTION ${of}_of_${by}() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     ${lock}IF EXISTS (SELECT FROM ${by} WHERE ${named})
       AND NOT EXISTS (SELECT FROM ${of} WHERE id = OLD.id) THEN
       RAISE EXCEPTION USING ERRCODE = 'foreign_key_violation', MESSAGE = 'rows of ${by} name this row of ${of}';
     END IF;
     RETURN NULL;
   END $$`

const locked = (removal: Removal): string => checked(removal, `LOCK TABLE ${removal.by} IN SHARE MODE;\n     `)

/**
 * Deliveries are removed at an age. The lock that their removal took would keep all others from being written: it is
 * not needed, because an event's deliveries are written with it, and an attempt with a change of its delivery's row.
 */
export const retention: Migration = {
  id: 59,
  name: "retention",
  up: [
    horizons,
    "CREATE INDEX webhook_deliveries_by_seq ON webhook_deliveries (event_seq)",
    checked({ ...EVENTS, named: `event_seq = OLD.seq AND ${EVENTS.named}` }),
    checked(DELIVERIES)
  ],
  down: [locked(EVENTS), locked(DELIVERIES), "DROP INDEX webhook_deliveries_by_seq", "DROP TABLE retention_horizons"]
}
