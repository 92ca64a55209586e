import { describe, expect } from "bun:test"
import { Clock, Effect, Layer } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { TestClock } from "effect/testing"
import { TicketRepository } from "../../../src/stream/TicketRepository.ts"
import { MAX_TICKETS_PER_USER, TICKET_LIFETIME, Tickets } from "../../../src/stream/Tickets.ts"
import { withLayer } from "../../lib/Effects.ts"
import { Door } from "../../lib/StreamFixture.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(TestDatabase.layer)

/** Two nodes on one database, whose time passes as the test says. */
const nodes = Effect.gen(function* () {
  const door = new Door()
  const time = yield* TestClock.make()
  const node = Effect.map(
    Layer.build(
      Layer.fresh(Tickets.layer).pipe(
        Layer.provide(Layer.mergeAll(TicketRepository.layer, door.layer)),
        Layer.provide(layerWebCrypto)
      )
    ),
    (context) => Effect.provideContext(Tickets, context)
  )
  const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, Clock.Clock, time)
  const [{ issue }, { redeem }] = [yield* yield* node, yield* yield* node]
  return {
    door,
    pass: (millis: number) => time.adjust(millis),
    issue: (user: string) => timed(issue(door.callerOf(user))),
    redeem: (ticket: string) => timed(Effect.map(redeem(ticket), (caller) => caller?.principal.userId))
  }
})

describe("tickets", () => {
  it("let their caller in once, whoever gave them out", () =>
    Effect.gen(function* () {
      const { issue, redeem } = yield* nodes
      const first = yield* issue("ada")
      const second = yield* issue("bob")
      expect(first.ticket).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(first.expiresAt).toBe(TICKET_LIFETIME)
      expect(yield* redeem(second.ticket)).toBe("bob")
      const all = yield* Effect.all(
        Array.from({ length: 5 }, () => redeem(first.ticket)),
        { concurrency: "unbounded" }
      )
      expect(all.filter((user) => user === "ada")).toHaveLength(1)
      expect(all.filter((user) => user === undefined)).toHaveLength(4)
      expect(yield* redeem("unknown")).toBeUndefined()
    }))

  it("expire after 30 seconds, and with what they were asked with", () =>
    Effect.gen(function* () {
      const { door, issue, pass, redeem } = yield* nodes
      const early = yield* issue("ada")
      const late = yield* issue("ada")
      const withdrawn = yield* issue("bob")
      door.withdrawn.add("bob")
      yield* pass(TICKET_LIFETIME - 1)
      expect(yield* redeem(early.ticket)).toBe("ada")
      expect(yield* redeem(withdrawn.ticket)).toBeUndefined()
      yield* pass(1)
      expect(yield* redeem(late.ticket)).toBeUndefined()
    }))

  it("are few for one user: the oldest makes room", () =>
    Effect.gen(function* () {
      const { issue, redeem } = yield* nodes
      const other = yield* issue("bob")
      const many = yield* Effect.forEach(Array.from({ length: MAX_TICKETS_PER_USER + 1 }), () => issue("ada"))
      expect(yield* redeem(many[0]!.ticket)).toBeUndefined()
      for (const { ticket } of many.slice(1)) expect(yield* redeem(ticket)).toBe("ada")
      expect(yield* redeem(other.ticket)).toBe("bob")
    }))
})
