import { Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** A restore into this database has not ended. Its message is one sentence that says what to do. */
export class RestoreUnfinished extends Data.TaggedError("RestoreUnfinished")<{ readonly message: string }> {}

/** The table that a database has from the begin of a restore to its end, and never else. */
export const UNFINISHED_RESTORE = "unfinished_restore"

/** Whether a restore into the database has begun and not ended. */
export const isUnfinished = (sql: SqlClient): Effect.Effect<boolean, SqlError> =>
  sql<{ readonly found: boolean }>`SELECT to_regclass(${`public.${UNFINISHED_RESTORE}`}) IS NOT NULL AS found`.pipe(
    Effect.map(([row]) => row?.found === true)
  )

/** Refuses a database that has a part of what is to be restored. */
export const refused: Layer.Layer<never, RestoreUnfinished | SqlError, SqlClient> = Layer.effectDiscard(
  Effect.gen(function* () {
    if (!(yield* isUnfinished(yield* SqlClient))) return
    const message =
      "A restore into this database began and did not end, so it has only a part: run emporion restore on it again, which begins anew."
    return yield* new RestoreUnfinished({ message })
  })
)
