import type { Migration } from "../Migration.ts"

/** When something is to be done of an order by itself, of which nothing was noted yet: three days before the first unpaid part is due. */
const nextDue = (order: string): string =>
  `CASE WHEN ${order}.terms <> 'prepaid' AND ${order}.status <> 'cancelled' AND ${order}.payment_status <> 'paid'
     THEN ${order}.due_at[coalesce(array_position(${order}.due_payments, NULL), 1)] - 259200000 END`

/** Sets the same of what the version before writes, which notes nothing. */
const keeping = [
  `CREATE OR REPLACE FUNCTION purchase_orders_keep_due() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.next_due := ${nextDue("NEW")};
     RETURN NEW;
   END $$`,
  `CREATE OR REPLACE TRIGGER purchase_orders_keep_due BEFORE INSERT OR UPDATE ON purchase_orders
   FOR EACH ROW WHEN (NEW.terms <> 'prepaid' AND NEW.reminded IS NULL AND NEW.overdue IS NULL)
   EXECUTE FUNCTION purchase_orders_keep_due()`
]

/** Old rows that are filled by one statement. */
const STEP = 10_000

/** Steps that are committed one by one: nobody who writes an order waits for more than one. */
const filling = `
DO $$
DECLARE
  done text := '';
  upto text;
BEGIN
  LOOP
    SELECT max(id) INTO upto
    FROM (SELECT id FROM purchase_orders WHERE id > done ORDER BY id LIMIT ${STEP}) AS step;
    EXIT WHEN upto IS NULL;
    UPDATE purchase_orders AS o SET next_due = ${nextDue("o")}
    WHERE id > done AND id <= upto AND terms <> 'prepaid' AND reminded IS NULL AND overdue IS NULL
      AND status <> 'cancelled' AND payment_status <> 'paid';
    COMMIT;
    done := upto;
  END LOOP;
END $$`

const index = (name: string, on: string): ReadonlyArray<string> => [
  `DROP INDEX CONCURRENTLY IF EXISTS ${name}`,
  `CREATE INDEX CONCURRENTLY ${name} ON ${on}`
]

/** The version before reads no event of what was found, and would stop at the first order that has one. */
const UNFOUND = `
DO $$ BEGIN
  IF EXISTS (SELECT FROM claims WHERE starts_with(name, 'overdue/'))
    OR EXISTS (SELECT FROM purchase_orders WHERE reminded IS NOT NULL OR overdue IS NOT NULL) THEN
    RAISE EXCEPTION 'an instalment was reminded of or found overdue, which the version before cannot read';
  END IF;
END $$`

/**
 * Which instalments their buyers were reminded of and which were found overdue, how much is owed of these, and when
 * something is to be found next. The indexes name no column that changes with every order, so that an update of an order
 * still stays in its page.
 */
export const overdueOrders: Migration = {
  id: 72,
  name: "overdue_orders",
  concurrently: true,
  up: [
    `ALTER TABLE purchase_orders
       ADD COLUMN IF NOT EXISTS reminded smallint[],
       ADD COLUMN IF NOT EXISTS overdue smallint[],
       ADD COLUMN IF NOT EXISTS overdue_amount bigint,
       ADD COLUMN IF NOT EXISTS next_due bigint`,
    ...keeping,
    filling,
    ...index("purchase_orders_due", "purchase_orders (next_due, id) WHERE next_due IS NOT NULL"),
    ...index("purchase_orders_owing", "purchase_orders (buyer_company_id) WHERE overdue_amount IS NOT NULL"),
    ...index("purchase_orders_owing_user", "purchase_orders (buyer_user_id) WHERE overdue_amount IS NOT NULL"),
    ...index("claims_overdue", `claims ((name COLLATE "C")) WHERE starts_with(name, 'overdue/')`)
  ],
  down: [
    UNFOUND,
    "DROP TRIGGER purchase_orders_keep_due ON purchase_orders",
    "DROP FUNCTION purchase_orders_keep_due()",
    "DROP INDEX claims_overdue",
    `ALTER TABLE purchase_orders
       DROP COLUMN reminded, DROP COLUMN overdue, DROP COLUMN overdue_amount, DROP COLUMN next_due`
  ]
}
