import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import type { LoadedGroup } from "../../engine/actor/CommitGroup.ts"
import type { Batch } from "../../engine/actor/Journal.ts"
import type { JournalEnd, JournalRow } from "../../engine/journal/JournalRow.ts"
import type { WriterMemory } from "../../engine/journal/WriterMemory.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { Direct } from "./BoundedClient.ts"
import { groupLoading, storedRows } from "./GroupLoading.ts"
import { appendJournal, journalAfter, journalEnd } from "./JournalStatements.ts"

/** The journal's rows, and what a group is decided on. Nothing here waits for the tables to follow. */
export class JournalRepository extends Context.Service<
  JournalRepository,
  {
    readonly end: Effect.Effect<JournalEnd, SqlError>
    /** The rows behind a sequence, a page of them; none at the end. */
    readonly after: (seq: number) => Effect.Effect<ReadonlyArray<JournalRow>, SqlError>
    /** Asks the database whether it answers. */
    readonly probe: Effect.Effect<void, SqlError>
    /**
     * What the batches are decided on: remembered, else read from the tables.
     *
     * @param keysSince - answers that are older do not count, in milliseconds since 1970
     * @param isSurelyNew - whether no answer can be kept under a key, so that none is looked for
     */
    readonly load: (
      batches: ReadonlyArray<Batch<PlatformEvent>>,
      memory: WriterMemory,
      keysSince: number,
      isSurelyNew: (key: string) => boolean
    ) => Effect.Effect<LoadedGroup, SqlError>
    /** Appends rows, if any; fails unless the journal ends with this hash and this is the last term. */
    readonly append: (rows: ReadonlyArray<JournalRow>, hash: Uint8Array, term: bigint) => Statement<unknown>
  }
>()("emporion/database/JournalRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Direct, (sql) =>
      JournalRepository.of({
        end: journalEnd(sql),
        after: journalAfter(sql),
        probe: Effect.asVoid(sql`SELECT 1`),
        load: groupLoading(storedRows(sql)),
        append: appendJournal(sql)
      })
    )
  )
}
