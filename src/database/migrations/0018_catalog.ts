import type { Migration } from "../Migration.ts"

const products = `
CREATE TABLE products (
  id text PRIMARY KEY CHECK (id ~ '^prd_[0-9a-z]{24}$'),
  company_id text NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  description text NOT NULL CHECK (char_length(description) BETWEEN 1 AND 4000),
  price bigint NOT NULL CHECK (price BETWEEN 1 AND 8000000000000000),
  type text NOT NULL CHECK (type IN ('Commodity', 'Consumer Product')),
  insurable boolean NOT NULL,
  bidable boolean NOT NULL,
  is_contract boolean NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  stock_account text NOT NULL CHECK (stock_account = company_id || '/PRODUCT:' || id || '/stock'),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL CHECK (updated_at >= created_at),
  UNIQUE (id, company_id)
)`

const priceLists = `
CREATE TABLE price_lists (
  id text PRIMARY KEY CHECK (id ~ '^plt_[0-9a-z]{24}$'),
  seller_company_id text NOT NULL,
  customer_company_id text NOT NULL REFERENCES companies,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL CHECK (updated_at >= created_at),
  CHECK (seller_company_id <> customer_company_id),
  UNIQUE (id, seller_company_id, customer_company_id)
)`

const prices = `
CREATE TABLE price_list_prices (
  customer_company_id text NOT NULL,
  product_id text NOT NULL,
  seller_company_id text NOT NULL,
  price_list_id text NOT NULL,
  position integer NOT NULL CHECK (position BETWEEN 1 AND 1000),
  price bigint NOT NULL CHECK (price BETWEEN 1 AND 8000000000000000),
  PRIMARY KEY (customer_company_id, product_id),
  FOREIGN KEY (price_list_id, seller_company_id, customer_company_id)
    REFERENCES price_lists (id, seller_company_id, customer_company_id) ON DELETE CASCADE,
  FOREIGN KEY (product_id, seller_company_id) REFERENCES products (id, company_id)
)`

/** What companies sell, and at which prices to whom. */
export const catalog: Migration = {
  id: 18,
  name: "catalog",
  up: [
    products,
    "CREATE INDEX products_by_creation ON products (created_at, id)",
    "CREATE INDEX products_by_company ON products (company_id, created_at, id)",
    priceLists,
    "CREATE INDEX price_lists_by_seller ON price_lists (seller_company_id, created_at, id)",
    prices,
    "CREATE INDEX price_list_prices_by_list ON price_list_prices (price_list_id, position)"
  ],
  down: ["DROP TABLE price_list_prices", "DROP TABLE price_lists", "DROP TABLE products"]
}
