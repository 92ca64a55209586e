import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import type { LoadedGroup } from "../../engine/actor/CommitGroup.ts"
import type { Batch } from "../../engine/actor/Journal.ts"
import type { JournalEnd, JournalRow } from "../../engine/journal/JournalRow.ts"
import type { WriterMemory } from "../../engine/journal/WriterMemory.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { Direct } from "./BoundedClient.ts"
import { groupLoading } from "./GroupLoading.ts"
import { appendJournal, journalAfter, journalEnd, journalEndsWith } from "./JournalStatements.ts"
import type { Statements } from "./Projection.ts"

/** How long an answer is kept under its key, in milliseconds: 24 hours. */
export const KEY_RETENTION = 86_400_000

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
     */
    readonly load: (
      batches: ReadonlyArray<Batch<PlatformEvent>>,
      memory: WriterMemory,
      keysSince: number
    ) => Effect.Effect<LoadedGroup, SqlError>
    /** Fails unless the journal ends with this hash and this is the last term, which it remains until the commit. */
    readonly endsWith: (hash: Uint8Array, term: bigint) => Statement<unknown>
    readonly append: (rows: ReadonlyArray<JournalRow>) => Statements
  }
>()("emporion/database/JournalRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Direct, (sql) =>
      JournalRepository.of({
        end: journalEnd(sql),
        after: journalAfter(sql),
        probe: Effect.asVoid(sql`SELECT 1`),
        load: groupLoading(sql),
        endsWith: journalEndsWith(sql),
        append: appendJournal(sql)
      })
    )
  )
}
