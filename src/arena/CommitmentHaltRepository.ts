import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { commitmentHaltStream, type HaltCause, NOT_HALTED } from "../../engine/arena/CommitmentHalt.ts"
import type { ReadHalt } from "../../engine/arena/CommitmentHalting.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"

interface Row {
  readonly version: number
  readonly halted_at: bigint | null
  readonly halted_by: string | null
  readonly cause: HaltCause | null
  readonly deadline_at: bigint | null
  readonly armed: boolean
}

const toHalt = (row: Row): ReadHalt => ({
  version: row.version,
  halted:
    row.halted_at === null || row.cause === null
      ? null
      : { at: Number(row.halted_at), by: row.halted_by, cause: row.cause },
  deadlineAt: row.deadline_at === null ? null : Number(row.deadline_at),
  armed: row.armed
})

/** Which companies may not commit, and what would halt others. */
export class CommitmentHaltRepository extends Context.Service<
  CommitmentHaltRepository,
  {
    readonly find: (companyId: string) => Effect.Effect<ReadHalt, Unavailable>
    /** Companies whose deadline has come, the longest first. */
    readonly due: (now: number, limit: number) => Effect.Effect<ReadonlyArray<string>, Unavailable>
    /** When the next deadline comes. */
    readonly nextDue: Effect.Effect<number | undefined, Unavailable>
    /** Companies that the end of a connection halts. */
    readonly armed: Effect.Effect<ReadonlyArray<string>, Unavailable>
  }
>()("emporion/arena/CommitmentHaltRepository") {
  static readonly layer: Layer.Layer<CommitmentHaltRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => CommitmentHaltRepository.of(reads(sql)))
  )
}

const idsOf = (rows: ReadonlyArray<{ readonly company_id: string }>) => rows.map((row) => row.company_id)

const reads = (sql: SqlClient) => ({
  find: (companyId: string) =>
    sql<Row>`
      SELECT stream.version, halt.halted_at, halt.halted_by, halt.cause, halt.deadline_at, halt.armed
      FROM commitment_halts AS halt JOIN event_streams AS stream ON stream.id = ${commitmentHaltStream(companyId)}
      WHERE halt.company_id = ${companyId}`.pipe(
      unavailableOrDie,
      Effect.map(([row]) => (row === undefined ? { ...NOT_HALTED, version: 0 } : toHalt(row)))
    ),
  due: (now: number, limit: number) =>
    sql<{ readonly company_id: string }>`
      SELECT company_id FROM commitment_halts WHERE deadline_at <= ${BigInt(now)}
      ORDER BY deadline_at, company_id LIMIT ${limit}`.pipe(unavailableOrDie, Effect.map(idsOf)),
  nextDue: sql<{ readonly at: bigint | null }>`SELECT min(deadline_at) AS at FROM commitment_halts`.pipe(
    unavailableOrDie,
    Effect.map(([row]) => (row === undefined || row.at === null ? undefined : Number(row.at)))
  ),
  armed: sql<{ readonly company_id: string }>`
    SELECT company_id FROM commitment_halts WHERE armed ORDER BY company_id`.pipe(unavailableOrDie, Effect.map(idsOf))
})
