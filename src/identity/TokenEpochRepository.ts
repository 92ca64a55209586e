import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { UserStatus } from "./users/User.ts"

/** Whether a sign-in that was decided in a token epoch may begin now. `outdated`: its epoch, or its user, is gone. */
export type EpochStanding = "good" | "suspended" | "outdated"

interface Row {
  readonly token_epoch: number
  readonly status: UserStatus
}

/**
 * Reads a user's standing and locks the row until the transaction ends, so that a suspension, a new password or a new
 * role at the same time either comes first or finds what the sign-in has written.
 */
export const lockTokenEpoch = (sql: SqlClient, userId: string, tokenEpoch: number) =>
  sql<Row>`SELECT token_epoch, status FROM users WHERE id = ${userId} FOR SHARE`.pipe(
    Effect.map(([row]): EpochStanding => {
      if (row === undefined) return "outdated"
      if (row.status === "suspended") return "suspended"
      return row.token_epoch === tokenEpoch ? "good" : "outdated"
    })
  )
