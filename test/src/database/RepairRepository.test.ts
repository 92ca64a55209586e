import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { RepairRepository } from "../../../src/database/RepairRepository.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(RepairRepository.layer.pipe(Layer.provideMerge(TestDatabase.layer)))

const accounts = Effect.flatMap(
  SqlClient,
  (sql) => sql`SELECT id, owner, asset, kind, balance::text, held::text, closed FROM ledger_accounts ORDER BY id`
)

const account = (id: string, balance: string) => ({
  _tag: "Missing" as const,
  row: { table: "ledger_accounts" as const, values: [id, balance, "0", "false"] }
})

describe("RepairRepository", () => {
  it("adds what is missing, changes what differs, and removes what no event makes", () =>
    Effect.gen(function* () {
      const { apply } = yield* RepairRepository
      yield* apply([account("ann/USD/wallet", "5"), account("bob/USD/wallet", "7")])
      yield* apply([
        { _tag: "Unwritten", table: "ledger_accounts", key: "ann/USD/wallet" },
        { _tag: "Differing", table: "ledger_accounts", key: "bob/USD/wallet", columns: { balance: "8", held: "3" } },
        account("cyd/h/100/wallet", "9")
      ])
      const own = (yield* accounts).filter(({ owner }) => owner === "bob" || owner === "cyd/h" || owner === "ann")
      expect(own).toEqual([
        { id: "bob/USD/wallet", owner: "bob", asset: "USD", kind: "wallet", balance: "8", held: "3", closed: false },
        { id: "cyd/h/100/wallet", owner: "cyd/h", asset: "100", kind: "wallet", balance: "9", held: "0", closed: false }
      ])
    }))

  it("fails where a row that differs is gone by now", () =>
    Effect.gen(function* () {
      const { apply } = yield* RepairRepository
      const gone = { _tag: "Differing", table: "ledger_accounts", key: "x/USD/wallet", columns: { held: "1" } } as const
      expect((yield* Effect.flip(apply([gone])))._tag).toBe("SqlError")
    }))

  it("says where the tables stand, and undoes what fails there", () =>
    Effect.gen(function* () {
      const { apply, atPosition } = yield* RepairRepository
      const before = yield* accounts
      const refused = atPosition((seq) => Effect.andThen(apply([account("dan/USD/wallet", "1")]), Effect.fail(seq)))
      expect(yield* Effect.flip(refused)).toBe(0)
      expect(yield* accounts).toEqual(before)
    }))
})
