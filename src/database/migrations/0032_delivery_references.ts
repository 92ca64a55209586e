import type { Migration } from "../Migration.ts"
import { dropReferences, keepReferences, type Reference } from "../References.ts"

interface Referring {
  readonly table: string
  readonly references: ReadonlyArray<Reference>
}

const TABLES: ReadonlyArray<Referring> = [
  {
    table: "webhook_deliveries",
    references: [
      { column: "webhook_id", table: "webhooks", key: "id" },
      { column: "event_id", table: "webhook_events", key: "id" }
    ]
  },
  {
    table: "webhook_attempts",
    references: [{ column: "delivery_id", table: "webhook_deliveries", key: "id" }]
  }
]

/** What a row names does not change, so that only new rows are looked at. */
const namesStay = ({ references, table }: Referring): ReadonlyArray<string> => [
  `DROP TRIGGER ${table}_refer_on_update ON ${table}`,
  `CREATE FUNCTION ${table}_stay() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     RAISE EXCEPTION USING ERRCODE = 'foreign_key_violation', MESSAGE = 'what a row of ${table} names does not change';
   END $$`,
  `CREATE TRIGGER ${table}_stay BEFORE UPDATE OF ${references.map(({ column }) => column).join(", ")} ON ${table}
   FOR EACH STATEMENT EXECUTE FUNCTION ${table}_stay()`
]

/** No foreign key is left that would refuse to truncate what is named. */
const NAMED = ["webhooks", "webhook_events", "webhook_deliveries"]

const rowsStay: ReadonlyArray<string> = [
  `CREATE FUNCTION delivery_names_stay() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     RAISE EXCEPTION USING ERRCODE = 'foreign_key_violation', MESSAGE = 'deliveries name rows of ' || TG_TABLE_NAME;
   END $$`,
  ...NAMED.map(
    (table) =>
      `CREATE TRIGGER ${table}_rows_stay BEFORE TRUNCATE ON ${table}
       FOR EACH STATEMENT EXECUTE FUNCTION delivery_names_stay()`
  )
]

/** What deliveries and their attempts name is looked for once a statement: they are written in groups of hundreds. */
export const deliveryReferences: Migration = {
  id: 32,
  name: "delivery_references",
  up: [
    ...TABLES.flatMap(({ references, table }) => [
      `ALTER TABLE ${table} ${references.map(({ column }) => `DROP CONSTRAINT ${table}_${column}_fkey`).join(", ")}`,
      ...keepReferences(table, references),
      ...namesStay({ references, table })
    ]),
    ...rowsStay
  ],
  down: [
    "DROP FUNCTION delivery_names_stay() CASCADE",
    ...TABLES.toReversed().flatMap(({ references, table }) => [
      `DROP FUNCTION ${table}_stay() CASCADE`,
      ...dropReferences(table, references),
      `ALTER TABLE ${table} ${references.map(({ column, table: to }) => `ADD FOREIGN KEY (${column}) REFERENCES ${to}`).join(", ")}`
    ])
  ]
}
