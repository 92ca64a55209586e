import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import { groupLoading } from "../../engine/journal/GroupLoading.ts"
import type { JournalEnd, JournalRow } from "../../engine/journal/JournalRow.ts"
import type { LoadGroup } from "../../engine/journal/WritePorts.ts"
import { Direct } from "./BoundedClient.ts"
import { appendJournal, journalAfter, journalEnd, journalLast } from "./JournalStatements.ts"
import { storedRows } from "./StoredRows.ts"

/** The journal's rows, and what a group is decided on. Nothing here waits for the tables to follow. */
export class JournalRepository extends Context.Service<
  JournalRepository,
  {
    readonly end: Effect.Effect<JournalEnd, SqlError>
    /** The last row; undefined where there is none. */
    readonly last: Effect.Effect<JournalRow | undefined, SqlError>
    /** The rows behind a sequence, a page of them; none at the end. */
    readonly after: (seq: number) => Effect.Effect<ReadonlyArray<JournalRow>, SqlError>
    /** Asks the database whether it answers. */
    readonly probe: Effect.Effect<void, SqlError>
    readonly load: LoadGroup<SqlError>
    /** Appends rows, if any; fails unless the journal ends with this hash and this is the last term. */
    readonly append: (rows: ReadonlyArray<JournalRow>, hash: Uint8Array, term: bigint) => Statement<unknown>
  }
>()("emporion/database/JournalRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Direct, (sql) =>
      JournalRepository.of({
        end: journalEnd(sql),
        last: journalLast(sql),
        after: journalAfter(sql),
        probe: Effect.asVoid(sql`SELECT 1`),
        load: groupLoading(storedRows(sql)),
        append: appendJournal(sql)
      })
    )
  )
}
