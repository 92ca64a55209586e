import type { Migration } from "../Migration.ts"
import { dropReferences, keepReferences, type Reference } from "../References.ts"

const EVENTS: ReadonlyArray<Reference> = ["placed_by", "resolved_by"].map((column) => ({
  column,
  table: "events",
  key: "seq"
}))

/** The events that baskets name are looked for once a statement. */
export const basketReferences: Migration = {
  id: 29,
  name: "basket_references",
  up: [
    `ALTER TABLE ledger_baskets
       DROP CONSTRAINT ledger_baskets_placed_by_fkey, DROP CONSTRAINT ledger_baskets_resolved_by_fkey`,
    ...keepReferences("ledger_baskets", EVENTS)
  ],
  down: [
    ...dropReferences("ledger_baskets", EVENTS),
    "ALTER TABLE ledger_baskets ADD FOREIGN KEY (placed_by) REFERENCES events, ADD FOREIGN KEY (resolved_by) REFERENCES events"
  ]
}
