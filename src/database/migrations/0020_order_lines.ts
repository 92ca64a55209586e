import type { Migration } from "../Migration.ts"

const lines = `
CREATE TABLE purchase_order_lines (
  id text PRIMARY KEY CHECK (id = order_id || '/' || number),
  order_id text NOT NULL REFERENCES purchase_orders,
  number integer NOT NULL CHECK (number BETWEEN 1 AND 1000),
  product_id text NOT NULL,
  seller_company_id text NOT NULL,
  wallet text NOT NULL,
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 1000000),
  unit_price bigint NOT NULL CHECK (unit_price BETWEEN 1 AND 8000000000000000),
  FOREIGN KEY (product_id, seller_company_id) REFERENCES products (id, company_id)
)`

const fill = `
INSERT INTO purchase_order_lines
SELECT placed.id || '/' || number, placed.id, number, line ->> 'productId', line ->> 'sellerId', line ->> 'wallet',
  (line ->> 'quantity')::integer, (line ->> 'unitPrice')::bigint
FROM purchase_orders AS placed
  JOIN events ON events.stream = 'purchase/' || placed.id AND events.version = 1,
  jsonb_array_elements(events.data::jsonb #> '{terms,lines}') WITH ORDINALITY AS lines (line, number)`

/** The lines of an order are read from its first event; a second copy of each cost a third of an order's writing. */
export const orderLines: Migration = {
  id: 20,
  name: "order_lines",
  up: ["DROP TABLE purchase_order_lines"],
  down: [lines, fill]
}
