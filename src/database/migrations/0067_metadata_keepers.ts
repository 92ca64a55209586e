import type { Migration } from "../Migration.ts"

const keepers = `
CREATE TABLE IF NOT EXISTS metadata_keepers (
  list text NOT NULL CHECK (list IN ('payments', 'purchase_orders', 'subscriptions')),
  party text NOT NULL,
  keeper text NOT NULL,
  PRIMARY KEY (list, party, keeper)
)`

/** Old rows that are read by one statement of the filling. */
const STEP = 10_000

interface Kept {
  readonly table: string
  /** Its parties and keepers, in the order of both, of rows that are named `kept`. */
  readonly pairs: string
  /** What gives several parties of a row. */
  readonly more?: string
}

const LISTS: ReadonlyArray<Kept> = [
  { table: "purchase_orders", pairs: "party, kept.buyer_company_id", more: ", unnest(kept.seller_ids) AS party" },
  { table: "subscriptions", pairs: "kept.seller_id, kept.company_id" },
  { table: "payments", pairs: "'', kept.company_id" }
]

const noted = ({ more = "", pairs, table }: Kept, rows: string): string => `
  INSERT INTO metadata_keepers
  SELECT DISTINCT '${table}', ${pairs} FROM (${rows}) AS kept${more} WHERE kept.metadata <> '{}' ORDER BY 1, 2, 3
  ON CONFLICT DO NOTHING`

/** Notes what the version before writes too, so that what is filled lacks nothing. A row's metadata never changes. */
const noting = (list: Kept): ReadonlyArray<string> => [
  `CREATE OR REPLACE FUNCTION ${list.table}_note_keeper() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     ${noted(list, "SELECT NEW.*")};
     RETURN NULL;
   END $$`,
  `CREATE OR REPLACE TRIGGER ${list.table}_note_keeper AFTER INSERT ON ${list.table}
   FOR EACH ROW WHEN (NEW.metadata <> '{}') EXECUTE FUNCTION ${list.table}_note_keeper()`
]

/** Steps that are committed one by one: nobody who notes a keeper waits for more than one. */
const filling = (list: Kept): string => `
DO $$
DECLARE
  done text := '';
  upto text;
BEGIN
  LOOP
    SELECT max(id) INTO upto
    FROM (SELECT id FROM ${list.table} WHERE id > done ORDER BY id LIMIT ${STEP}) AS step;
    EXIT WHEN upto IS NULL;
    ${noted(list, `SELECT * FROM ${list.table} WHERE id > done AND id <= upto`)};
    COMMIT;
    done := upto;
  END LOOP;
END $$`

const metadataIndex = (table: string, name: string, how: string, options = "") =>
  `CREATE INDEX ${how}${name} ON ${table} USING gin ((metadata::jsonb) jsonb_path_ops)${options} WHERE metadata <> '{}'`

/** An index of pairs without a list of new ones to be read from end to end for each pair that is looked for. */
const indexing = ({ table }: Kept): ReadonlyArray<string> => [
  `DROP INDEX CONCURRENTLY IF EXISTS ${table}_by_pair`,
  metadataIndex(table, `${table}_by_pair`, "CONCURRENTLY ", " WITH (fastupdate = off)"),
  `DROP INDEX CONCURRENTLY IF EXISTS ${table}_by_metadata`
]

/** Whose metadata a list shows that others are a party of, so that a filter needs not read every row to know them. */
export const metadataKeepers: Migration = {
  id: 67,
  name: "metadata_keepers",
  concurrently: true,
  up: [keepers, ...LISTS.flatMap(noting), ...LISTS.map(filling), ...LISTS.flatMap(indexing)],
  down: [
    ...LISTS.flatMap(({ table }) => [
      `DROP TRIGGER ${table}_note_keeper ON ${table}`,
      `DROP FUNCTION ${table}_note_keeper()`,
      metadataIndex(table, `${table}_by_metadata`, ""),
      `DROP INDEX ${table}_by_pair`
    ]),
    "DROP TABLE metadata_keepers"
  ]
}
