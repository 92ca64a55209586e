import type { Migration } from "../Migration.ts"

const orders = `
CREATE TABLE purchase_orders (
  id text PRIMARY KEY CHECK (id ~ '^pur_[0-9a-z]{24}$'),
  buyer_company_id text NOT NULL,
  buyer_user_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'paid', 'fulfilled', 'cancelled')),
  payment_status text NOT NULL CHECK (payment_status IN ('unpaid', 'partially_paid', 'paid', 'refunded')),
  fulfilment_status text NOT NULL
    CHECK (fulfilment_status IN ('unfulfilled', 'partially_fulfilled', 'fulfilled', 'cancelled')),
  amount bigint NOT NULL CHECK (amount BETWEEN 1 AND 8000000000000000),
  paid bigint NOT NULL DEFAULT 0 CHECK (paid BETWEEN 0 AND amount),
  terms text NOT NULL CHECK (terms IN ('prepaid', 'net_30', 'net_60', 'installments')),
  installments integer CHECK (installments BETWEEN 2 AND 12),
  items integer NOT NULL CHECK (items BETWEEN 1 AND 1000),
  placed_at bigint NOT NULL,
  updated_at bigint NOT NULL CHECK (updated_at >= placed_at),
  CHECK ((terms = 'installments') = (installments IS NOT NULL)),
  CHECK ((status = 'cancelled') = (fulfilment_status = 'cancelled')),
  CHECK ((payment_status = 'unpaid') = (paid = 0)),
  CHECK (payment_status <> 'paid' OR paid = amount)
)`

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

const payments = `
CREATE TABLE purchase_order_payments (
  id text PRIMARY KEY CHECK (char_length(id) BETWEEN 1 AND 64),
  order_id text NOT NULL REFERENCES purchase_orders,
  from_account text NOT NULL,
  amount bigint NOT NULL CHECK (amount BETWEEN 1 AND 8000000000000000),
  paid_at bigint NOT NULL,
  refunded_at bigint CHECK (refunded_at >= paid_at)
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

/** What companies order of each other, and what was paid and delivered of it. */
export const purchaseOrders: Migration = {
  id: 19,
  name: "purchase_orders",
  up: [
    orders,
    "CREATE INDEX purchase_orders_by_buyer ON purchase_orders (buyer_company_id, placed_at, id)",
    lines,
    sellers,
    "CREATE INDEX purchase_order_sellers_by_seller ON purchase_order_sellers (seller_company_id, order_id)",
    payments,
    "CREATE INDEX purchase_order_payments_by_order ON purchase_order_payments (order_id)",
    instalments,
    "CREATE INDEX purchase_order_instalments_due ON purchase_order_instalments (due_at) WHERE payment_id IS NULL"
  ],
  down: [
    "DROP TABLE purchase_order_instalments",
    "DROP TABLE purchase_order_payments",
    "DROP TABLE purchase_order_sellers",
    "DROP TABLE purchase_order_lines",
    "DROP TABLE purchase_orders"
  ]
}
