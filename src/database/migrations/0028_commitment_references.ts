import type { Migration } from "../Migration.ts"
import { dropReferences, keepReferences, type Reference } from "../References.ts"

interface Referring {
  readonly table: string
  readonly references: ReadonlyArray<Reference>
  /** How its foreign keys were. */
  readonly as: string
}

const event = (column: string): Reference => ({ column, table: "events", key: "seq" })

const TABLES: ReadonlyArray<Referring> = [
  {
    table: "events",
    references: [{ column: "stream", table: "event_streams", key: "id" }],
    as: "DEFERRABLE INITIALLY DEFERRED"
  },
  {
    table: "ledger_holds",
    references: [{ column: "account", table: "ledger_accounts", key: "id" }, event("placed_by"), event("resolved_by")],
    as: ""
  },
  { table: "arena_commitments", references: [{ column: "order_id", table: "arena_orders", key: "id" }], as: "" }
]

/** No foreign key is left that would refuse to truncate it. */
const streamsStay = [
  `CREATE FUNCTION event_streams_stay() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     RAISE EXCEPTION USING ERRCODE = 'foreign_key_violation', MESSAGE = 'rows of events name rows of event_streams';
   END $$`,
  `CREATE TRIGGER event_streams_stay BEFORE TRUNCATE ON event_streams
   FOR EACH STATEMENT EXECUTE FUNCTION event_streams_stay()`
]

/** What events, holds and commitments name is looked for once a statement: they are written in batches of hundreds. */
export const commitmentReferences: Migration = {
  id: 28,
  name: "commitment_references",
  up: [
    ...TABLES.flatMap(({ references, table }) => [
      `ALTER TABLE ${table} ${references.map(({ column }) => `DROP CONSTRAINT ${table}_${column}_fkey`).join(", ")}`,
      ...keepReferences(table, references)
    ]),
    ...streamsStay
  ],
  down: [
    "DROP FUNCTION event_streams_stay() CASCADE",
    ...TABLES.flatMap(({ as, references, table }) => [
      ...dropReferences(table, references),
      `ALTER TABLE ${table} ${references.map(({ column, table: to }) => `ADD FOREIGN KEY (${column}) REFERENCES ${to} ${as}`).join(", ")}`
    ])
  ]
}
