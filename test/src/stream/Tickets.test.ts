import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { TestClock } from "effect/testing"
import { MAX_TICKETS_PER_USER, TICKET_LIFETIME, Tickets } from "../../../src/stream/Tickets.ts"
import { itEffect } from "../../lib/Effects.ts"
import { Door } from "../../lib/StreamFixture.ts"

const door = new Door()
const ada = door.callerOf("ada")
const bob = door.callerOf("bob")

const withTickets = <E>(body: (tickets: Tickets["Service"]) => Effect.Effect<void, E>): Effect.Effect<void, E> =>
  Effect.flatMap(Tickets, body).pipe(Effect.provide(Tickets.layer.pipe(Layer.provide(layerWebCrypto))))

describe("tickets", () => {
  itEffect("let their caller in once", () =>
    withTickets(({ issue, redeem }) =>
      Effect.gen(function* () {
        const first = yield* issue(ada)
        const second = yield* issue(bob)
        expect(first.ticket).toMatch(/^[A-Za-z0-9_-]{43}$/)
        expect(first.expiresAt).toBe(TICKET_LIFETIME)
        expect(yield* redeem(second.ticket)).toBe(bob)
        expect(yield* redeem(first.ticket)).toBe(ada)
        expect(yield* redeem(first.ticket)).toBeUndefined()
        expect(yield* redeem("unknown")).toBeUndefined()
      })
    )
  )

  itEffect("expire after 30 seconds", () =>
    withTickets(({ issue, redeem }) =>
      Effect.gen(function* () {
        const early = yield* issue(ada)
        const late = yield* issue(ada)
        yield* TestClock.adjust(TICKET_LIFETIME - 1)
        expect(yield* redeem(early.ticket)).toBe(ada)
        yield* TestClock.adjust(1)
        expect(yield* redeem(late.ticket)).toBeUndefined()
      })
    )
  )

  itEffect("are few for one user: the oldest makes room", () =>
    withTickets(({ issue, redeem }) =>
      Effect.gen(function* () {
        const other = yield* issue(bob)
        const many = yield* Effect.forEach(Array.from({ length: MAX_TICKETS_PER_USER + 1 }), () => issue(ada))
        expect(yield* redeem(many[0]!.ticket)).toBeUndefined()
        for (const { ticket } of many.slice(1)) expect(yield* redeem(ticket)).toBe(ada)
        expect(yield* redeem(other.ticket)).toBe(bob)
      })
    )
  )
})
