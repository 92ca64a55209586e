import type { Migration } from "../Migration.ts"

const parts = `
ALTER TABLE purchase_orders
  ADD COLUMN seller_ids text[],
  ADD COLUMN subtotals bigint[],
  ADD COLUMN received bigint[],
  ADD COLUMN fulfilled_at bigint[],
  ADD COLUMN due_at bigint[],
  ADD COLUMN due_amounts bigint[],
  ADD COLUMN due_payments text[]`

const fillSellers = `
UPDATE purchase_orders AS o SET
  seller_ids = seller.ids,
  subtotals = seller.subtotals,
  received = CASE WHEN o.paid > 0 THEN seller.received END,
  fulfilled_at = CASE WHEN o.fulfilment_status IN ('partially_fulfilled', 'fulfilled') THEN seller.fulfilled_at END
FROM (
  SELECT order_id, array_agg(seller_company_id ORDER BY number) AS ids, array_agg(subtotal ORDER BY number) AS subtotals,
    array_agg(paid ORDER BY number) AS received, array_agg(fulfilled_at ORDER BY number) AS fulfilled_at
  FROM purchase_order_sellers GROUP BY order_id) AS seller
WHERE seller.order_id = o.id`

const fillInstalments = `
UPDATE purchase_orders AS o SET
  due_at = due.at,
  due_amounts = due.amounts,
  due_payments = CASE WHEN o.paid > 0 THEN due.payments END
FROM (
  SELECT order_id, array_agg(due_at ORDER BY number) AS at, array_agg(amount ORDER BY number) AS amounts,
    array_agg(payment_id ORDER BY number) AS payments
  FROM purchase_order_instalments GROUP BY order_id) AS due
WHERE due.order_id = o.id`

const bound = `
ALTER TABLE purchase_orders
  ALTER COLUMN seller_ids SET NOT NULL,
  ALTER COLUMN subtotals SET NOT NULL,
  ALTER COLUMN due_at SET NOT NULL,
  ALTER COLUMN due_amounts SET NOT NULL,
  ADD CHECK (cardinality(seller_ids) > 0 AND cardinality(subtotals) = cardinality(seller_ids)),
  ADD CHECK (cardinality(received) = cardinality(seller_ids) AND (received IS NULL) = (paid = 0)),
  ADD CHECK (cardinality(fulfilled_at) = cardinality(seller_ids)),
  ADD CHECK (cardinality(due_at) BETWEEN 1 AND 12 AND cardinality(due_amounts) = cardinality(due_at)),
  ADD CHECK (cardinality(due_payments) = cardinality(due_at) AND (due_payments IS NULL) = (paid = 0))`

const sellers = `
CREATE TABLE purchase_order_sellers (
  id text PRIMARY KEY CHECK (id = order_id || '/' || number),
  order_id text NOT NULL REFERENCES purchase_orders,
  number integer NOT NULL CHECK (number BETWEEN 1 AND 1000),
  seller_company_id text NOT NULL,
  wallet text NOT NULL,
  subtotal bigint NOT NULL CHECK (subtotal BETWEEN 1 AND 8000000000000000),
  paid bigint NOT NULL DEFAULT 0 CHECK (paid BETWEEN 0 AND subtotal),
  fulfilled_at bigint,
  UNIQUE (order_id, seller_company_id, wallet)
)`

const instalments = `
CREATE TABLE purchase_order_instalments (
  id text PRIMARY KEY CHECK (id = order_id || '/' || number),
  order_id text NOT NULL REFERENCES purchase_orders,
  number integer NOT NULL CHECK (number BETWEEN 1 AND 12),
  amount bigint NOT NULL CHECK (amount BETWEEN 1 AND 8000000000000000),
  due_at bigint NOT NULL,
  payment_id text REFERENCES purchase_order_payments,
  UNIQUE (order_id, number)
)`

const partSellers = `
INSERT INTO purchase_order_sellers
SELECT o.id || '/' || number, o.id, number, share ->> 'sellerId', share ->> 'wallet', (share ->> 'subtotal')::bigint,
  coalesce(o.received[number], 0), o.fulfilled_at[number]
FROM purchase_orders AS o
  JOIN events ON events.stream = 'purchase/' || o.id AND events.version = 1,
  jsonb_array_elements(events.data::jsonb #> '{terms,sellers}') WITH ORDINALITY AS shares (share, number)`

const partInstalments = `
INSERT INTO purchase_order_instalments
SELECT o.id || '/' || due.number, o.id, due.number, due.amount, due.at, due.payment
FROM purchase_orders AS o,
  unnest(o.due_at, o.due_amounts, o.due_payments) WITH ORDINALITY AS due (at, amount, payment, number)`

const unbound = `
ALTER TABLE purchase_orders
  DROP COLUMN seller_ids,
  DROP COLUMN subtotals,
  DROP COLUMN received,
  DROP COLUMN fulfilled_at,
  DROP COLUMN due_at,
  DROP COLUMN due_amounts,
  DROP COLUMN due_payments`

const basketText = `
UPDATE ledger_baskets SET parts = (
  SELECT string_agg(account || ' ' || amount, ',' ORDER BY number)
  FROM unnest(accounts, amounts) WITH ORDINALITY AS part (account, amount, number))`

const basketArrays = `
UPDATE ledger_baskets SET
  accounts = ARRAY(SELECT split_part(part, ' ', 1) FROM unnest(string_to_array(parts, ',')) AS part),
  amounts = ARRAY(SELECT split_part(part, ' ', 2)::numeric FROM unnest(string_to_array(parts, ',')) AS part)`

/**
 * What an order is of its sellers and its instalments stands in the order's own row, and a basket is one text: a row for
 * each seller and instalment, with its indexes and foreign key, was a quarter of what PostgreSQL spent on an order.
 */
export const orderParts: Migration = {
  id: 25,
  name: "order_parts",
  up: [
    parts,
    fillSellers,
    fillInstalments,
    bound,
    "CREATE INDEX purchase_orders_by_seller ON purchase_orders USING gin (seller_ids)",
    "DROP TABLE purchase_order_instalments",
    "DROP TABLE purchase_order_sellers",
    "ALTER TABLE ledger_baskets ADD COLUMN parts text",
    basketText,
    "ALTER TABLE ledger_baskets ALTER COLUMN parts SET NOT NULL, ADD CHECK (parts <> '')",
    "ALTER TABLE ledger_baskets DROP COLUMN accounts, DROP COLUMN amounts"
  ],
  down: [
    "ALTER TABLE ledger_baskets ADD COLUMN accounts text[], ADD COLUMN amounts numeric(38, 0)[]",
    basketArrays,
    `ALTER TABLE ledger_baskets ALTER COLUMN accounts SET NOT NULL, ALTER COLUMN amounts SET NOT NULL,
       ADD CHECK (cardinality(accounts) > 0 AND cardinality(accounts) = cardinality(amounts)),
       ADD CHECK (0 < ALL (amounts))`,
    "ALTER TABLE ledger_baskets DROP COLUMN parts",
    sellers,
    "CREATE INDEX purchase_order_sellers_by_seller ON purchase_order_sellers (seller_company_id, order_id)",
    partSellers,
    instalments,
    "CREATE INDEX purchase_order_instalments_due ON purchase_order_instalments (due_at) WHERE payment_id IS NULL",
    partInstalments,
    "DROP INDEX purchase_orders_by_seller",
    unbound
  ]
}
