import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { add, type ProjectedRow, set } from "../../engine/journal/TableRow.ts"
import { type AccountId, accountParts } from "../../engine/ledger/Account.ts"
import type { Repair } from "../../engine/replay/StateDifference.ts"
import { keyColumnOf, RowWriter } from "./RowWriter.ts"

/** Makes projected rows what the events make of them. To be run in a transaction, under a term of its own. */
export class RepairRepository extends Context.Service<
  RepairRepository,
  {
    /** The sequence to which the tables follow the journal, which nobody moves until the transaction ends. */
    readonly lockPosition: Effect.Effect<number, SqlError>
    readonly apply: (repairs: ReadonlyArray<Repair>) => Effect.Effect<void, SqlError>
  }
>()("emporion/database/RepairRepository") {
  static readonly layer: Layer.Layer<RepairRepository, SqlError, SqlClient> = Layer.effect(
    this,
    Effect.suspend(() => make)
  ).pipe(Layer.provide(RowWriter.layer))
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { write } = yield* RowWriter

  /** An account's name says more than its row of the mapping does. */
  const addAccount = ({ values: [id, balance, held, closed] }: ProjectedRow) => {
    const { asset, kind, owner } = accountParts((id ?? "") as AccountId)
    return sql`
      INSERT INTO ledger_accounts (id, owner, asset, kind, balance, held, closed)
      VALUES (${id ?? ""}, ${owner}, ${asset}, ${kind}, ${balance ?? ""}::text::numeric, ${held ?? ""}::text::numeric,
        ${closed === "true"})`
  }

  const remove = (table: ProjectedRow["table"], keys: ReadonlyArray<string>) =>
    sql.unsafe(`DELETE FROM ${table} WHERE ${keyColumnOf(table)}::text = ANY($1::text[])`, [keys])

  return RepairRepository.of({
    lockPosition: Effect.map(sql<{ readonly seq: bigint }>`SELECT seq FROM projection FOR UPDATE`, ([position]) =>
      Number(position?.seq ?? 0n)
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
      const statements = [...accounts.map(addAccount), ...write(others.map(add)), ...write(differing)]
      yield* Effect.forEach(statements, (statement) => statement, { discard: true })
    })
  })
})
