import type { Migration } from "../Migration.ts"

const baskets = `
CREATE TABLE ledger_baskets (
  id text PRIMARY KEY,
  accounts text[] NOT NULL,
  amounts numeric(38, 0)[] NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'released', 'taken')),
  placed_by bigint NOT NULL REFERENCES events,
  resolved_by bigint REFERENCES events,
  CHECK (cardinality(accounts) > 0 AND cardinality(accounts) = cardinality(amounts)),
  CHECK (0 < ALL (amounts)),
  CHECK ((status = 'pending') = (resolved_by IS NULL))
)`

/** Going back needs no order that has reserved stock: its basket has no other form. */
export const ledgerBaskets: Migration = {
  id: 21,
  name: "ledger_baskets",
  up: [baskets, "CREATE INDEX ledger_baskets_pending ON ledger_baskets (id) WHERE status = 'pending'"],
  down: ["DROP TABLE ledger_baskets"]
}
