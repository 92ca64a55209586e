import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { add, type ProjectedRow, set } from "../../engine/journal/TableRow.ts"
import type { Account, AccountId } from "../../engine/ledger/Account.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import type { Repair } from "../../engine/replay/StateDifference.ts"
import { addAccounts } from "./LedgerTables.ts"
import { keyColumnOf, RowWriter } from "./RowWriter.ts"

/** Corrects projected rows to what the events make of them. Use it under its own term. */
export class RepairRepository extends Context.Service<
  RepairRepository,
  {
    /** Runs an effect in a transaction during which the tables stay where they are, given that sequence. */
    readonly atPosition: <A, E, R>(effect: (seq: number) => Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>
    readonly apply: (repairs: ReadonlyArray<Repair>) => Effect.Effect<void, SqlError>
  }
>()("emporion/database/RepairRepository") {
  static readonly layer: Layer.Layer<RepairRepository, SqlError, SqlClient> = Layer.effect(
    this,
    Effect.suspend(() => make)
  ).pipe(Layer.provide(RowWriter.layer))
}

/** An account's name says more than its row of the mapping does. */
const toAccount = ({ values: [id, balance, held, closed] }: ProjectedRow): Account => ({
  id: (id ?? "") as AccountId,
  balance: fromUnits(BigInt(balance ?? 0)),
  held: fromUnits(BigInt(held ?? 0)),
  closed: closed === "true"
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { write } = yield* RowWriter

  const remove = (table: ProjectedRow["table"], keys: ReadonlyArray<string>) =>
    sql.unsafe(`DELETE FROM ${table} WHERE ${keyColumnOf(table)}::text = ANY($1::text[])`, [keys])

  return RepairRepository.of({
    atPosition: (effect) =>
      sql.withTransaction(
        Effect.flatMap(sql<{ readonly seq: bigint }>`SELECT seq FROM projection FOR UPDATE`, ([position]) =>
          effect(Number(position?.seq ?? 0n))
        )
      ),
    apply: Effect.fn("RepairRepository.apply")(function* (repairs) {
      const unwritten = repairs.flatMap((repair) => (repair._tag === "Unwritten" ? [repair] : []))
      for (const [table, rows] of Map.groupBy(unwritten, (repair) => repair.table)) {
        yield* remove(
          table,
          rows.map(({ key }) => key)
        )
      }
      const missing = repairs.flatMap((repair) => (repair._tag === "Missing" ? [repair.row] : []))
      const [accounts, others] = [
        missing.filter(({ table }) => table === "ledger_accounts"),
        missing.filter(({ table }) => table !== "ledger_accounts")
      ]
      const differing = repairs.flatMap((repair) =>
        repair._tag === "Differing" ? [set(repair.table, repair.key, repair.columns)] : []
      )
      const statements = [...addAccounts(sql, accounts.map(toAccount)), ...write(others.map(add)), ...write(differing)]
      yield* Effect.forEach(statements, (statement) => statement, { discard: true })
    })
  })
})
