import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Recorded } from "../../engine/actor/Journal.ts"
import {
  type CommitmentHalt,
  type CommitmentHaltSet,
  commitmentHaltStream,
  type HaltCause,
  NOT_HALTED
} from "../../engine/arena/CommitmentHalt.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import type { Statements } from "../database/Projection.ts"

/** A company's halt as it was read, and the version of its stream that it was read at. */
export interface ReadHalt extends CommitmentHalt {
  readonly version: number
}

interface Row {
  readonly version: number
  readonly halted_at: bigint | null
  readonly halted_by: string | null
  readonly cause: HaltCause | null
  readonly deadline_at: bigint | null
  readonly armed: boolean
}

/** Stands for none: no time is below 0, and no text is empty. */
const NONE = -1n
const NO_TEXT = ""

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
    /** The rows of recorded events: a company's last event is what its row says. */
    readonly write: (events: ReadonlyArray<Recorded<CommitmentHaltSet>>) => Statements
  }
>()("emporion/arena/CommitmentHaltRepository") {
  static readonly layer: Layer.Layer<CommitmentHaltRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => CommitmentHaltRepository.of({ ...reads(sql), write: write(sql) }))
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

const write =
  (sql: SqlClient) =>
  (events: ReadonlyArray<Recorded<CommitmentHaltSet>>): Statements => {
    const last = [...new Map(events.map((recorded) => [recorded.event.companyId, recorded])).values()]
    return [
      sql`
        INSERT INTO commitment_halts (company_id, halted_at, halted_by, cause, deadline_at, armed, event_seq)
        SELECT company_id, nullif(halted_at, -1), nullif(halted_by, ''), nullif(cause, ''), nullif(deadline_at, -1),
          armed, event_seq
        FROM unnest(
          ${last.map(({ event }) => event.companyId)}::text[],
          ${last.map(({ event }) => (event.halted === null ? NONE : BigInt(event.halted.at)))}::bigint[],
          ${last.map(({ event }) => event.halted?.by ?? NO_TEXT)}::text[],
          ${last.map(({ event }) => event.halted?.cause ?? NO_TEXT)}::text[],
          ${last.map(({ event }) => (event.deadlineAt === null ? NONE : BigInt(event.deadlineAt)))}::bigint[],
          ${last.map(({ event }) => event.armed)}::boolean[],
          ${last.map(({ seq }) => BigInt(seq))}::bigint[])
          AS made (company_id, halted_at, halted_by, cause, deadline_at, armed, event_seq)
        ON CONFLICT (company_id) DO UPDATE SET halted_at = EXCLUDED.halted_at, halted_by = EXCLUDED.halted_by,
          cause = EXCLUDED.cause, deadline_at = EXCLUDED.deadline_at, armed = EXCLUDED.armed,
          event_seq = EXCLUDED.event_seq`
    ]
  }
