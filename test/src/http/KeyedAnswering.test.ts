import { describe, expect } from "bun:test"
import { Context, Effect, Exit, Layer } from "effect"
import { ActorUnavailable } from "../../../engine/actor/ActorHost.ts"
import { JournalUnavailable } from "../../../engine/actor/Journal.ts"
import { authenticated } from "../../../src/api/Authorization.ts"
import { OrderActors } from "../../../src/arena/OrderActors.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { IdempotencyRepository } from "../../../src/http/IdempotencyRepository.ts"
import { itLive, withLayer } from "../../lib/Effects.ts"
import { asked, faced, WAYS } from "../../lib/FastFixture.ts"
import * as MemoryIdempotency from "../../lib/MemoryIdempotency.ts"
import { type Fixture, makeFixture, termsOf } from "../../lib/OperationFixture.ts"
import { OPERATION_ROWS, requestOf } from "../../lib/OperationRows.ts"

/** More looks than any way takes. */
const MAX_LOOKS = 100

/** Throws at one of the looks at a value, or at what is in it. */
class Trap {
  #looks = 0
  readonly #at: number

  constructor(at: number) {
    this.#at = at
  }

  get isSprung(): boolean {
    return this.#looks > this.#at
  }

  set<A>(value: A): A {
    if (typeof value !== "object" || value === null) return value
    return new Proxy(value, {
      get: (target, name) => {
        this.#looks += 1
        if (this.#looks === this.#at + 1) throw new Error(`a fault at ${String(name)}`)
        return this.set(Reflect.get(target, name, target) as unknown)
      }
    })
  }
}

/** Who is told what becomes of a message, or of a batch. */
interface Teller {
  tell: (...message: ReadonlyArray<unknown>) => void
}

/** Has whoever asks without a fiber told something else, until what it gives is called. */
const deceive = (host: object, told: (outcome: unknown) => unknown): (() => void) => {
  const teller = host as Teller
  const { tell } = teller
  teller.tell = (...message) => {
    const give = message.at(-1) as (outcome: unknown) => void
    tell(...message.slice(0, -1), (outcome: unknown) => give(told(outcome)))
  }
  return () => {
    teller.tell = tell
  }
}

class Served extends Context.Service<Served, Fixture>()("test/Served") {
  static readonly layer = Layer.effect(this, makeFixture())
}

const itServes = withLayer(Served.layer)

/** A request that is answered without a fiber. */
interface Way {
  readonly path: string
  readonly bodyOf: (fixture: Fixture) => Effect.Effect<object>
  readonly host: (fixture: Fixture) => object
  /** What whoever asks is told in place of what became of it. */
  readonly instead?: unknown
}

const journal = ({ server }: Fixture): object => server.service(UnitOfWork)
const actors = ({ server }: Fixture): object => server.service(OrderActors)

const rowOf =
  (path: string, change: object = {}) =>
  (fixture: Fixture) =>
    Effect.map(requestOf(OPERATION_ROWS[`POST ${path}`], fixture, 1), ({ body }) => ({
      ...(body as object),
      ...change
    }))

const [transfers, orders, commitments] = ["/v1/transfers", "/v1/orders", "/api/arena/commitments"] as const

const ways: Readonly<Record<string, Way>> = {
  "a transfer": { path: transfers, bodyOf: rowOf(transfers), host: journal },
  "a transfer of too much": { path: transfers, bodyOf: rowOf(transfers, { quantity: "900000" }), host: journal },
  "a transfer that the journal does not take": {
    path: transfers,
    bodyOf: rowOf(transfers),
    host: journal,
    instead: Exit.fail(new JournalUnavailable({ reason: "away", isUnwritten: true }))
  },
  "an order": { path: orders, bodyOf: rowOf(orders), host: journal },
  "an order that the journal does not take": {
    path: orders,
    bodyOf: rowOf(orders),
    host: journal,
    instead: Exit.fail(new JournalUnavailable({ reason: "away", isUnwritten: true }))
  },
  "a commitment": { path: commitments, bodyOf: (fixture) => Effect.succeed(termsOf(fixture, 1)), host: actors },
  "a commitment of too much": {
    path: commitments,
    bodyOf: (fixture) => Effect.succeed(termsOf(fixture, 900_000)),
    host: actors
  },
  "a commitment whose order does not answer": {
    path: commitments,
    bodyOf: (fixture) => Effect.succeed(termsOf(fixture, 1)),
    host: actors,
    instead: Exit.fail(new ActorUnavailable({ reason: "restarting" }))
  }
}

describe("A request that is answered without a fiber", () => {
  for (const [what, { bodyOf, host, instead, path }] of Object.entries(ways)) {
    itServes(`is answered 500 and holds no key, whichever step throws after ${what}`, () =>
      Effect.gen(function* () {
        const fixture = yield* Served
        const { mine, server } = fixture
        const body = yield* bodyOf(fixture)
        const send = (name: number | "usual") => {
          const key = `${what.replaceAll(" ", "-")}-${name}`
          const sent = server.post<{ readonly code?: string }>(path, body, { as: mine.userId, key })
          return Effect.map(sent, ({ json, status }) => [status, json.code])
        }
        const usual = yield* send("usual")
        const faultAt = Effect.fnUntraced(function* (at: number) {
          const trap = new Trap(at)
          const restore = deceive(host(fixture), (outcome) => trap.set(instead ?? outcome))
          const answered = yield* send(at)
          restore()
          if (trap.isSprung) expect([answered, yield* send(at)]).toEqual([[500, "internal"], usual])
          return trap.isSprung
        })
        let faults = 0
        while (faults < MAX_LOOKS && (yield* faultAt(faults))) faults += 1
        expect(faults).toBeGreaterThan(2)
        expect(faults).toBeLessThan(MAX_LOOKS)
      })
    )
  }
})

/** Kept answers in memory, of which one call throws. */
const failing = (trap: { left: number }) =>
  Layer.effect(
    IdempotencyRepository,
    Effect.map(IdempotencyRepository, (repository) => {
      const calls = Object.entries(repository).map(([name, call]) => {
        if (typeof call !== "function") return [name, call]
        const counted = (...given: ReadonlyArray<never>): unknown => {
          trap.left -= 1
          if (trap.left === -1) throw new Error(`a fault of ${name}`)
          return (call as (...given: ReadonlyArray<never>) => unknown)(...given)
        }
        return [name, counted]
      })
      return Object.fromEntries(calls) as typeof repository
    })
  ).pipe(Layer.provide(MemoryIdempotency.layer))

describe("A request whose answer is kept", () => {
  for (const way of WAYS) {
    for (const type of ["application/json", "application/json; charset=utf-8"]) {
      itLive(`is answered 500 and holds no key where what keeps it throws: ${type}, ${way}`, () =>
        Effect.gen(function* () {
          let faults = 0
          for (let isSprung = true; isSprung;) {
            const trap = { left: faults }
            const { send } = yield* faced({}, authenticated, way, asked, failing(trap))
            const sent = Effect.map(
              Effect.suspend(() => send("{}", { "idempotency-key": "mine", "content-type": type })),
              ({ status }) => status
            )
            const [first, second] = [yield* sent, yield* sent]
            isSprung = trap.left < 0
            if (isSprung)
              expect([first, second, yield* sent]).toEqual(first === 500 ? [500, 200, 200] : [200, 500, 200])
            faults += isSprung ? 1 : 0
          }
          expect(faults).toBeGreaterThan(1)
        })
      )
    }
  }
})
