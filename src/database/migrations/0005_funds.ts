import type { Migration } from "../Migration.ts"

/** An owner's holdings by asset. Their units are the balance of the wallet's account. */
export const funds: Migration = {
  id: 5,
  name: "funds",
  up: [
    `CREATE TABLE funds (
       id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
       owner text NOT NULL,
       asset text NOT NULL CHECK (asset ~ '^[A-Z0-9]{2,12}$'),
       account text NOT NULL UNIQUE REFERENCES ledger_accounts CHECK (account = owner || '/' || asset || '/wallet'),
       created_at bigint NOT NULL,
       UNIQUE (owner, asset)
     )`,
    "CREATE INDEX funds_by_creation ON funds (created_at, id)"
  ],
  down: ["DROP TABLE funds"]
}
