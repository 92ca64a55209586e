import type { Migration } from "../Migration.ts"

/**
 * Fewer index entries a commitment. Its id begins with what its order's ends with: one index finds it, and all of its
 * order, compared byte by byte, whatever the database's collation. What is pending is looked for all at once, which the
 * entry that is always the last one of its index does as well.
 */
export const leanIndexes: Migration = {
  id: 48,
  name: "lean_indexes",
  up: [
    "DROP INDEX arena_commitments_by_order",
    `ALTER TABLE arena_commitments
       DROP CONSTRAINT arena_commitments_event_seq_key, DROP CONSTRAINT arena_commitments_pkey, ALTER id SET NOT NULL`,
    "CREATE UNIQUE INDEX arena_commitments_by_id ON arena_commitments (id text_pattern_ops)",
    "DROP INDEX ledger_holds_pending",
    "CREATE INDEX ledger_holds_pending ON ledger_holds (placed_by) WHERE status = 'pending'",
    "DROP INDEX ledger_baskets_pending",
    "CREATE INDEX ledger_baskets_pending ON ledger_baskets (placed_by) WHERE status = 'pending'"
  ],
  down: [
    "DROP INDEX ledger_baskets_pending",
    "CREATE INDEX ledger_baskets_pending ON ledger_baskets (id) WHERE status = 'pending'",
    "DROP INDEX ledger_holds_pending",
    "CREATE INDEX ledger_holds_pending ON ledger_holds (account) WHERE status = 'pending'",
    "DROP INDEX arena_commitments_by_id",
    `ALTER TABLE arena_commitments
       ADD CONSTRAINT arena_commitments_pkey PRIMARY KEY (id), ADD CONSTRAINT arena_commitments_event_seq_key UNIQUE (event_seq)`,
    "CREATE INDEX arena_commitments_by_order ON arena_commitments (order_id, event_seq)"
  ]
}
