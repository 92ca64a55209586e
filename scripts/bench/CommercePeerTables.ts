/** Money and stock before anything is measured. */
export interface Stocked {
  readonly products: ReadonlyArray<{ readonly id: string; readonly companyId: string }>
  readonly userIds: ReadonlyArray<string>
  /** In cents. */
  readonly price: number
  readonly stock: number
  /** In millionths. */
  readonly capital: bigint
  readonly description: string
}

const TABLES = [
  `CREATE TABLE products (
     id text PRIMARY KEY,
     company_id text NOT NULL,
     name text NOT NULL,
     description text NOT NULL,
     price_cents bigint NOT NULL CHECK (price_cents >= 0),
     stock integer NOT NULL CHECK (stock >= 0),
     insurable boolean NOT NULL DEFAULT false,
     bidable boolean NOT NULL DEFAULT false,
     iscontract boolean NOT NULL DEFAULT false,
     type text NOT NULL,
     created_at timestamptz NOT NULL
   )`,
  "CREATE INDEX products_newest ON products (created_at DESC, id)",
  `CREATE TABLE orders (
     id text PRIMARY KEY,
     company_id text NOT NULL,
     user_id text NOT NULL,
     status text NOT NULL,
     payment_type text NOT NULL,
     total_cents bigint NOT NULL CHECK (total_cents > 0),
     created_at timestamptz NOT NULL
   )`,
  "CREATE INDEX orders_by_company ON orders (company_id, created_at DESC)",
  `CREATE TABLE order_lines (
     order_id text NOT NULL REFERENCES orders,
     line integer NOT NULL,
     product_id text NOT NULL REFERENCES products,
     quantity integer NOT NULL CHECK (quantity > 0),
     unit_price_cents bigint NOT NULL,
     PRIMARY KEY (order_id, line)
   )`,
  `CREATE TABLE order_sellers (
     order_id text NOT NULL REFERENCES orders,
     company_id text NOT NULL,
     subtotal_cents bigint NOT NULL CHECK (subtotal_cents > 0),
     PRIMARY KEY (order_id, company_id)
   )`,
  "CREATE INDEX order_sellers_by_company ON order_sellers (company_id, order_id)",
  `CREATE TABLE order_instalments (
     order_id text NOT NULL REFERENCES orders,
     number integer NOT NULL,
     due_at timestamptz NOT NULL,
     amount_cents bigint NOT NULL CHECK (amount_cents > 0),
     PRIMARY KEY (order_id, number)
   )`,
  `CREATE TABLE order_history (
     number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     order_id text NOT NULL REFERENCES orders,
     type text NOT NULL,
     company_id text NOT NULL,
     user_id text NOT NULL,
     at timestamptz NOT NULL,
     data jsonb NOT NULL
   )`,
  "CREATE INDEX order_history_by_order ON order_history (order_id, number)",
  `CREATE TABLE wallets (
     user_id text NOT NULL,
     asset text NOT NULL,
     balance bigint NOT NULL CHECK (balance >= 0),
     PRIMARY KEY (user_id, asset)
   )`,
  `CREATE TABLE transfers (
     id text PRIMARY KEY,
     sender text NOT NULL,
     recipient text NOT NULL,
     pair text NOT NULL,
     quantity bigint NOT NULL CHECK (quantity > 0),
     country text NOT NULL,
     description text NOT NULL,
     created_at timestamptz NOT NULL
   )`,
  "CREATE INDEX transfers_by_sender ON transfers (sender, created_at DESC)",
  `CREATE TABLE postings (
     transfer_id text NOT NULL REFERENCES transfers,
     user_id text NOT NULL,
     asset text NOT NULL,
     amount bigint NOT NULL CHECK (amount <> 0),
     PRIMARY KEY (transfer_id, user_id, asset),
     FOREIGN KEY (user_id, asset) REFERENCES wallets
   )`,
  "CREATE INDEX postings_by_wallet ON postings (user_id, asset)"
]

const texts = (values: ReadonlyArray<string>): string => `ARRAY[${values.map((value) => `'${value}'`).join(", ")}]`

/** The statements that make a peer's tables and fill them with what the program has. */
export const commercePeerTables = (stocked: Stocked): ReadonlyArray<string> => [
  ...TABLES,
  `INSERT INTO products (id, company_id, name, description, price_cents, stock, type, created_at)
   SELECT id, company, 'Product ' || number, '${stocked.description}', ${stocked.price}, ${stocked.stock},
     'Consumer Product', now() + number * interval '1 millisecond'
   FROM unnest(${texts(stocked.products.map(({ id }) => id))}, ${texts(stocked.products.map(({ companyId }) => companyId))})
     WITH ORDINALITY AS product (id, company, number)`,
  `INSERT INTO wallets SELECT id, 'USD', ${stocked.capital} FROM unnest(${texts(stocked.userIds)}) AS id`,
  "ANALYZE products, wallets"
]
