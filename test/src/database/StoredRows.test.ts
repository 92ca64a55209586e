import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { groupLoading } from "../../../engine/journal/GroupLoading.ts"
import { WriterMemory } from "../../../engine/journal/WriterMemory.ts"
import { accountId } from "../../../engine/ledger/Account.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { Direct } from "../../../src/database/BoundedClient.ts"
import { storedRows } from "../../../src/database/StoredRows.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(TestDatabase.layer)

const wallet = accountId("somebody", "USD", "wallet")
const vault = accountId("somebody", "USD", "vault")

const held = {
  stream: "order/one",
  version: null,
  isNew: true,
  entries: [
    {
      event: { _tag: "AllowanceGranted", at: 1, traderId: "one", amount: fromUnits(1n) },
      commands: [{ _tag: "Hold", id: "one", account: wallet, into: vault, amount: fromUnits(1n) }]
    }
  ]
} as const

describe("storedRows", () => {
  it("looks once for an account that has no row", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const load = groupLoading(storedRows(yield* Direct))
      const memory = new WriterMemory()
      const isClosedBy = (known: WriterMemory) =>
        Effect.map(
          load([held], known, 0, () => true),
          ({ book }) => book.account(vault).closed
        )
      expect(yield* isClosedBy(memory)).toBe(false)
      // Only the writer makes accounts: this one can be seen by nobody but who reads again.
      yield* sql`
        INSERT INTO ledger_accounts (id, owner, asset, kind, closed) VALUES (${vault}, 'somebody', 'USD', 'vault', true)`
      expect(yield* isClosedBy(memory)).toBe(false)
      expect(yield* isClosedBy(new WriterMemory())).toBe(true)
    }))
})
