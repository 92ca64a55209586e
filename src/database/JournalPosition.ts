import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Unavailable, unavailableOrDie } from "./DatabaseError.ts"
import { TablePosition } from "./ProjectedPosition.ts"

/** The name of the log of events: another one after a restart from nothing. */
export const epochNow: Effect.Effect<string, Unavailable, SqlClient> = Effect.flatMap(SqlClient, (sql) =>
  sql<{ epoch: string }>`SELECT epoch FROM event_log`.pipe(
    unavailableOrDie,
    Effect.flatMap(([row]) =>
      row === undefined ? Effect.die(new Error("the log of events has no epoch")) : Effect.succeed(row.epoch)
    )
  )
)

/** The log of events, and the sequence of the last one that whoever reads now sees. Needs the journal's tables to follow it. */
export const journalPosition = Effect.gen(function* () {
  const position = yield* TablePosition
  return { epoch: yield* epochNow, seq: () => position.told }
})
