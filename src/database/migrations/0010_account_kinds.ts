import type { Migration } from "../Migration.ts"

const allow = (kinds: ReadonlyArray<string>) =>
  `ALTER TABLE ledger_accounts ADD CONSTRAINT ledger_accounts_kind_check CHECK (kind IN (${kinds.map((kind) => `'${kind}'`).join(", ")}))`

const DROP = "ALTER TABLE ledger_accounts DROP CONSTRAINT ledger_accounts_kind_check"

const before = ["custody", "wallet", "allowance", "vault", "yield_source", "insurance", "platform", "token_holders"]

/** The kinds of account that commerce, credit and currency exchange need. Going back needs none of them in use. */
export const accountKinds: Migration = {
  id: 10,
  name: "account_kinds",
  up: [DROP, allow([...before, "stock", "credit_limit", "fx_desk"])],
  down: [DROP, allow(before)]
}
