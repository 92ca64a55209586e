import { Clock, Context, Effect, Layer, Queue } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Unavailable, unavailableOrDie } from "../../database/DatabaseError.ts"
import type { Who } from "../audit/AuditLog.ts"

/** Something that happened to a company and is not in the journal yet. */
export interface Unrecorded {
  readonly companyId: string
  readonly kind: "registered" | "verified"
  /** Milliseconds since 1970. */
  readonly at: number
  readonly userId: string
  readonly requestId: string | null
}

interface Row {
  readonly company_id: string
  readonly kind: Unrecorded["kind"]
  readonly at: bigint
  readonly user_id: string
  readonly request_id: string | null
}

/** What is read at once. */
const MOST_UNRECORDED = 100

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const wake = yield* Queue.sliding<void>(1)
  yield* Queue.offer(wake, undefined)
  const waking = sql.afterCommit(Effect.asVoid(Queue.offer(wake, undefined)))

  const verified = Effect.fnUntraced(function* (by: Who, userId: string) {
    const at = yield* Clock.currentTimeMillis
    yield* sql`
      WITH verified AS (
        INSERT INTO company_verifications (company_id, at)
        SELECT id, ${BigInt(at)} FROM companies
        WHERE id = (SELECT company_id FROM users WHERE id = ${userId}) AND kind = 'normal' AND verified_at IS NULL
        ON CONFLICT (company_id) DO NOTHING RETURNING company_id
      )
      INSERT INTO company_outbox (company_id, kind, at, user_id, request_id)
      SELECT company_id, 'verified', ${BigInt(at)}, ${by.userId}, ${by.requestId ?? null} FROM verified`
    yield* waking
  })

  return CompanyOutboxRepository.of({
    registered: (companyId, userId, at) =>
      sql`
        INSERT INTO company_outbox (company_id, kind, at, user_id)
        VALUES (${companyId}, 'registered', ${BigInt(at)}, ${userId})`.pipe(Effect.andThen(waking), unavailableOrDie),
    verified: (by, userId) => unavailableOrDie(verified(by, userId)),
    unrecorded: sql<Row>`
      SELECT company_id, kind, at, user_id, request_id FROM company_outbox
      ORDER BY at, company_id, kind LIMIT ${BigInt(MOST_UNRECORDED)}`.pipe(
      Effect.map((rows) =>
        rows.map(({ at, company_id, kind, request_id, user_id }) => ({
          companyId: company_id,
          kind,
          at: Number(at),
          userId: user_id,
          requestId: request_id
        }))
      ),
      unavailableOrDie
    ),
    recorded: ({ companyId, kind }) =>
      sql`DELETE FROM company_outbox WHERE company_id = ${companyId} AND kind = ${kind}`.pipe(
        Effect.asVoid,
        unavailableOrDie
      ),
    noted: Queue.take(wake)
  })
})

/**
 * What happens to companies in transactions that do not write the journal: registering and verifying, which change what
 * only this database knows. It is noted in the same transaction, and recorded once that is durable.
 */
export class CompanyOutboxRepository extends Context.Service<
  CompanyOutboxRepository,
  {
    /** Notes, in the open transaction, that a company was made by somebody who signed up. */
    readonly registered: (companyId: string, userId: string, at: number) => Effect.Effect<void, Unavailable>
    /** Verifies the user's company, and notes it; nothing where it is verified, or the platform's own. */
    readonly verified: (by: Who, userId: string) => Effect.Effect<void, Unavailable>
    /** The oldest first. */
    readonly unrecorded: Effect.Effect<ReadonlyArray<Unrecorded>, Unavailable>
    /** Takes away the note of what is in the journal. */
    readonly recorded: (noted: Unrecorded) => Effect.Effect<void, Unavailable>
    /** Waits until something was noted; does not wait the first time. */
    readonly noted: Effect.Effect<void>
  }
>()("emporion/identity/CompanyOutboxRepository") {
  static readonly layer: Layer.Layer<CompanyOutboxRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}
