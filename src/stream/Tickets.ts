import { Clock, Context, Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { createHash } from "node:crypto"
import { ApiError } from "../api/ApiError.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { type Caller, StreamAuthentication } from "./StreamAuthentication.ts"
import { TicketRepository } from "./TicketRepository.ts"

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

const Proof = Schema.fromJsonString(Schema.Record(Schema.String, Schema.String))

const encodeProof = Schema.encodeSync(Proof)
const decodeProof = Schema.decodeUnknownEffect(Proof)

const LIMITS = { all: MAX_TICKETS, own: MAX_TICKETS_PER_USER }

const hashOf = (ticket: string): Buffer => createHash("sha256").update(ticket).digest()

const PURPOSE = "stream ticket"

/** What only the ticket itself opens. */
const sealedBy = (ticket: string) => Secrets.under(Redacted.make(new TextEncoder().encode(ticket)))

const unavailable = () => Effect.fail(new ApiError("unavailable"))

/**
 * Tickets that let a page connect to the stream as its user when it can send no header. Each is good for one connection
 * within 30 seconds, to any node. The connection lasts no longer than the credentials that asked for the ticket.
 */
export class Tickets extends Context.Service<
  Tickets,
  {
    readonly issue: (caller: Caller) => Effect.Effect<Ticket, ApiError<"unavailable">>
    /**
     * Uses a ticket up. Undefined if it is unknown, used or expired, or if the credentials that asked for it no longer
     * hold.
     */
    readonly redeem: (ticket: string) => Effect.Effect<Caller | undefined, ApiError<"unavailable">>
  }
>()("emporion/stream/Tickets") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const random = yield* SecureRandom
  const repository = yield* TicketRepository
  const authentication = yield* StreamAuthentication

  const issue = Effect.fn("Tickets.issue")(function* ({ principal, proof }: Caller) {
    const now = yield* Clock.currentTimeMillis
    const ticket = Buffer.from(yield* random.randomBytes(TICKET_BYTES)).toString("base64url")
    const hash = hashOf(ticket)
    const expiresAt = now + TICKET_LIFETIME
    const { seal } = yield* Effect.provideService(sealedBy(ticket), SecureRandom, random)
    const sealed = yield* seal(PURPOSE, new TextEncoder().encode(encodeProof(proof)))
    const kept = { hash, userId: principal.userId, proof: sealed, expiresAt }
    const isKept = yield* repository.keep(kept, LIMITS, now).pipe(Effect.catch(unavailable))
    return isKept ? { ticket, expiresAt } : yield* unavailable()
  })

  const callerOf = Effect.fnUntraced(function* (ticket: string, sealed: Uint8Array) {
    const { open } = yield* Effect.provideService(sealedBy(ticket), SecureRandom, random)
    const text = new TextDecoder().decode(yield* open(PURPOSE, sealed))
    return yield* authentication.callerOf(new Headers(yield* decodeProof(text)))
  })

  const redeem = Effect.fnUntraced(function* (ticket: string) {
    const found = yield* repository.take(hashOf(ticket)).pipe(Effect.catch(unavailable))
    if (found === undefined || (yield* Clock.currentTimeMillis) >= found.expiresAt) return undefined
    return yield* callerOf(ticket, found.proof).pipe(
      Effect.catch((error) =>
        error._tag === "ApiError" && error.code === "unavailable" ? unavailable() : Effect.undefined
      )
    )
  })

  return Tickets.of({ issue, redeem })
})
