import { Context, Effect, Layer } from "effect"
import { Direct } from "../database/BoundedClient.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"

/** A ticket that waits to be used. */
export interface StoredTicket {
  /** Sealed. */
  readonly proof: Uint8Array
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

export interface NewTicket extends StoredTicket {
  /** SHA-256 of the ticket, which itself is not kept. */
  readonly hash: Uint8Array
  readonly userId: string
}

/** How many tickets may wait. */
export interface TicketLimits {
  readonly all: number
  /** Of one user. */
  readonly own: number
}

/** Tickets in the database, where each is used once, whoever asks. */
export class TicketRepository extends Context.Service<
  TicketRepository,
  {
    /** Keeps a ticket, for which the user's oldest make room. False where too many wait. */
    readonly keep: (ticket: NewTicket, limits: TicketLimits, now: number) => Effect.Effect<boolean, Unavailable>
    /** Takes a ticket out; undefined where there is none. */
    readonly take: (hash: Uint8Array) => Effect.Effect<StoredTicket | undefined, Unavailable>
  }
>()("emporion/stream/TicketRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Direct, (sql) =>
      TicketRepository.of({
        keep: ({ expiresAt, hash, proof, userId }, { all, own }, now) =>
          Effect.gen(function* () {
            yield* sql`DELETE FROM stream_tickets WHERE expires_at <= ${BigInt(now)}`
            yield* sql`
              DELETE FROM stream_tickets WHERE id IN (
                SELECT id FROM stream_tickets WHERE user_id = ${userId} ORDER BY id DESC OFFSET ${BigInt(own - 1)})`
            const kept = yield* sql`
              INSERT INTO stream_tickets (hash, user_id, proof, expires_at)
              SELECT ${hash}, ${userId}, ${proof}, ${BigInt(expiresAt)}
              WHERE (SELECT count(*) FROM stream_tickets) < ${BigInt(all)} RETURNING id`
            return kept.length > 0
          }).pipe(sql.withTransaction, unavailableOrDie),
        take: (hash) =>
          sql<{ readonly proof: Uint8Array; readonly expires_at: bigint }>`
            DELETE FROM stream_tickets WHERE hash = ${hash} RETURNING proof, expires_at`.pipe(
            unavailableOrDie,
            Effect.map(([row]) =>
              row === undefined ? undefined : { proof: row.proof, expiresAt: Number(row.expires_at) }
            )
          )
      })
    )
  )
}
