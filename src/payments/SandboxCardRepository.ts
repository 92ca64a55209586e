import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import type { StepKind } from "../../engine/payments/PaymentProvider.ts"

/** A request to the sandbox's card issuer. */
export interface IssuerRequest {
  readonly key: string
  readonly chargeId: string
  readonly kind: StepKind
  readonly card: string
  readonly amount: Amount
  readonly at: number
}

/** A request as the issuer remembers it. */
export interface HeardRequest extends IssuerRequest {
  readonly attempts: number
  readonly outcome: "unheard" | "approved" | "declined"
  readonly reason: string | null
}

/** What the issuer answers to a request that it has not answered before. */
export type Verdict = Pick<HeardRequest, "outcome" | "reason">

interface Row {
  readonly key: string
  readonly charge_id: string
  readonly kind: StepKind
  readonly card: string
  readonly amount: string
  readonly attempts: number
  readonly outcome: HeardRequest["outcome"]
  readonly reason: string | null
  readonly at: bigint
}

const toRequest = (row: Row): HeardRequest => ({
  key: row.key,
  chargeId: row.charge_id,
  kind: row.kind,
  card: row.card,
  amount: fromUnits(BigInt(row.amount)),
  attempts: row.attempts,
  outcome: row.outcome,
  reason: row.reason,
  at: Number(row.at)
})

/** What the sandbox's card issuer was asked. It stands for the world outside, and writes nothing of the platform's. */
export class SandboxCardRepository extends Context.Service<
  SandboxCardRepository,
  {
    /**
     * Notes that a request was made, and what is answered to it: the answer that it had before, else `decide` on all
     * that was approved of the charge. Requests of one charge come one after the other.
     */
    readonly ask: (
      request: IssuerRequest,
      decide: (attempts: number, approved: ReadonlyArray<HeardRequest>) => Verdict
    ) => Effect.Effect<HeardRequest, Unavailable>
    readonly find: (key: string) => Effect.Effect<HeardRequest | undefined, Unavailable>
    /** What was approved of a charge, oldest first. */
    readonly approved: (chargeId: string) => Effect.Effect<ReadonlyArray<HeardRequest>, Unavailable>
  }
>()("emporion/payments/SandboxCardRepository") {
  static readonly layer: Layer.Layer<SandboxCardRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => {
      const select = sql`
        SELECT key, charge_id, kind, card, amount::text AS amount, attempts, outcome, reason, at
        FROM sandbox_card_requests`
      const approvedOf = (chargeId: string) =>
        sql<Row>`${select} WHERE charge_id = ${chargeId} AND outcome = 'approved' ORDER BY at, key`.pipe(
          Effect.map((rows) => rows.map(toRequest))
        )
      return SandboxCardRepository.of({
        ask: Effect.fnUntraced(
          function* (request, decide) {
            const { amount, at, card, chargeId, key, kind } = request
            yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${chargeId}, 0))`
            const [row] = yield* sql<Row>`
              INSERT INTO sandbox_card_requests (key, charge_id, kind, card, amount, attempts, outcome, at)
              VALUES (${key}, ${chargeId}, ${kind}, ${card}, ${amount}, 1, 'unheard', ${BigInt(at)})
              ON CONFLICT (key) DO UPDATE SET attempts = sandbox_card_requests.attempts + 1
              RETURNING key, charge_id, kind, card, amount::text AS amount, attempts, outcome, reason, at`
            if (row === undefined) return yield* Effect.die(`the issuer did not note ${key}`)
            const heard = toRequest(row)
            if (heard.outcome !== "unheard") return heard
            const verdict = decide(heard.attempts, yield* approvedOf(chargeId))
            yield* sql`
              UPDATE sandbox_card_requests SET outcome = ${verdict.outcome}, reason = ${verdict.reason}
              WHERE key = ${key}`
            return { ...heard, ...verdict }
          },
          (effect) => effect.pipe(sql.withTransaction, unavailableOrDie)
        ),
        find: (key) =>
          sql<Row>`${select} WHERE key = ${key}`.pipe(
            Effect.map((rows) => rows.map(toRequest)[0]),
            unavailableOrDie
          ),
        approved: (chargeId) => unavailableOrDie(approvedOf(chargeId))
      })
    })
  )
}
