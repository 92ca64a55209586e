import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { ApiError } from "../api/ApiError.ts"
import type { Caller } from "./StreamAuthentication.ts"

/** Life of a ticket, in milliseconds. */
export const TICKET_LIFETIME = 30_000

/** Tickets that wait to be used. */
export const MAX_TICKETS = 10_000

/** Tickets of one user that wait to be used; the oldest makes room. */
export const MAX_TICKETS_PER_USER = 10

const TICKET_BYTES = 32

/** What a caller connects with. */
export interface Ticket {
  /** 43 characters of base64url. */
  readonly ticket: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

interface Waiting {
  readonly caller: Caller
  readonly expiresAt: number
}

/**
 * Tickets that let a page connect to the stream as its user when it can send no header. Each is good for one connection
 * within 30 seconds. They live in memory, and the connection lasts no longer than the credentials that asked for them.
 */
export class Tickets extends Context.Service<
  Tickets,
  {
    readonly issue: (caller: Caller) => Effect.Effect<Ticket, ApiError<"unavailable">>
    /**
     * Uses a ticket up. Undefined if it is unknown, used or expired, or if the credentials that asked for it no longer
     * hold.
     */
    readonly redeem: (ticket: string) => Effect.Effect<Caller | undefined>
  }
>()("emporion/stream/Tickets") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SecureRandom, (random) => {
      const waiting = new Map<string, Waiting>()

      const issue = Effect.fn("Tickets.issue")(function* (caller: Caller) {
        const now = yield* Clock.currentTimeMillis
        const ticket = Buffer.from(yield* random.randomBytes(TICKET_BYTES)).toString("base64url")
        if (!makeRoom(waiting, caller.principal.userId, now)) return yield* Effect.fail(new ApiError("unavailable"))
        const expiresAt = now + TICKET_LIFETIME
        waiting.set(ticket, { caller, expiresAt })
        return { ticket, expiresAt }
      })

      const redeem = Effect.fnUntraced(function* (ticket: string) {
        const now = yield* Clock.currentTimeMillis
        const found = waiting.get(ticket)
        waiting.delete(ticket)
        if (found === undefined || now >= found.expiresAt) return undefined
        return (yield* found.caller.isStillValid) ? found.caller : undefined
      })

      return Tickets.of({ issue, redeem })
    })
  )
}

/** Tickets are kept in the order they expire in. */
const makeRoom = (waiting: Map<string, Waiting>, userId: string, now: number): boolean => {
  for (const [ticket, { expiresAt }] of waiting) {
    if (now < expiresAt) break
    waiting.delete(ticket)
  }
  const own = [...waiting].filter(([, { caller }]) => caller.principal.userId === userId)
  const [oldest] = own
  if (own.length >= MAX_TICKETS_PER_USER && oldest !== undefined) waiting.delete(oldest[0])
  return waiting.size < MAX_TICKETS
}
