import { describe, expect } from "bun:test"
import { Context, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { FastLaneClient } from "../../../packages/client/src/FastLaneClient.ts"
import { ApiError } from "../../../src/api/ApiError.ts"
import { Companies } from "../../../src/identity/companies/Companies.ts"
import { type Heard, EventListening, MAX_LISTENERS, type Piece } from "../../../src/webhooks/EventListening.ts"
import { DeliveryFixture } from "../../lib/DeliveryFixture.ts"
import { withLayer } from "../../lib/Effects.ts"

class Fixture extends Context.Service<Fixture, DeliveryFixture>()("test/EventListening/Fixture") {}

const it = withLayer(Layer.effect(Fixture, DeliveryFixture.make()), 60_000)

const nameIn = ({ body }: Heard): string =>
  (JSON.parse(body) as { readonly data: { readonly object: { readonly name: string } } }).data.object.name

/** Reads a stream to the piece in which so many events have come. */
const heardIn = <E>(pieces: Stream.Stream<Piece, E>, count: number) => {
  let heard = 0
  return pieces.pipe(
    Stream.takeUntil(({ events }) => {
      heard += events.length
      return heard >= count
    }),
    Stream.runCollect,
    Effect.orDie
  )
}

const listening = (companyId: string, events: ReadonlyArray<string> = ["*"], after?: number) =>
  Effect.map(Fixture, ({ server }) => server.service(EventListening).listen({ companyId, events, after }, Effect.void))

describe("EventListening", () => {
  it("tells a company's own events from now on, and from after a place", () =>
    Effect.gen(function* () {
      const fixture = yield* Fixture
      const [user, other] = [yield* fixture.server.user(), yield* fixture.server.user()]
      yield* fixture.happens(user, "before")
      const from = yield* heardIn(yield* listening(user.companyId), 0)
      expect(from.map(({ events }) => events)).toEqual([[]])
      for (const name of ["one", "two"]) {
        yield* fixture.happens(other, `not ${name}`)
        yield* fixture.happens(user, name)
      }
      const after = from[0]?.seq
      const pieces = yield* heardIn(yield* listening(user.companyId, ["*"], after), 2)
      expect(pieces.flatMap(({ events }) => events).map(nameIn)).toEqual(["one", "two"])
      const later = yield* heardIn(yield* listening(user.companyId, ["company.updated"], 0), 3)
      expect(later.flatMap(({ events }) => events).map(nameIn)).toEqual(["before", "one", "two"])
      expect(later.at(-1)?.seq).toBe(pieces.at(-1)?.seq ?? -1)
    }))

  it("tells only what is asked for, byte for byte as a delivery carries it", () =>
    Effect.gen(function* () {
      const fixture = yield* Fixture
      const user = yield* fixture.server.user()
      yield* fixture.webhook(user, "http://127.0.0.1:1/", ["company.updated"])
      yield* fixture.happens(user, "heard twice")
      yield* fixture.tell()
      const stored = yield* fixture.server.run(
        Effect.flatMap(
          SqlClient,
          (sql) => sql`SELECT id, type, body FROM webhook_events WHERE company_id = ${user.companyId}`
        )
      )
      const [piece] = yield* heardIn(yield* listening(user.companyId, ["company.updated"], 0), 1)
      expect(piece?.events).toEqual(stored as unknown as Array<Heard>)
      expect(piece?.events.length).toBe(1)
      const [none] = yield* heardIn(yield* listening(user.companyId, ["order.created"], 0), 0)
      expect(none?.events).toEqual([])
    }))

  it("tells a company of those that it manages", () =>
    Effect.gen(function* () {
      const { server } = yield* Fixture
      const user = yield* server.user()
      const by = { userId: user.id, companyId: user.companyId, isAdmin: false, scopes: [], requestId: undefined }
      const made = yield* server.post<{ readonly id: string }>("/v1/companies", { name: "managed" }, { as: user.id })
      expect(made.status).toBe(200)
      yield* server.run(Effect.flatMap(Companies, ({ change }) => change(by, made.json.id, { name: "changed" })))
      const pieces = yield* heardIn(yield* listening(user.companyId, ["company.updated"], 0), 1)
      expect(pieces.flatMap(({ events }) => events).map(nameIn)).toEqual(["changed"])
    }))

  it("lets so many listen and no more, and asks before each piece whether one may go on", () =>
    Effect.gen(function* () {
      const { server } = yield* Fixture
      const { listen } = server.service(EventListening)
      const one = { companyId: "nobody", events: ["*"], after: undefined }
      const refused = yield* Effect.flip(Stream.runDrain(listen(one, Effect.fail("not any more"))))
      expect(refused).toBe("not any more")
      // Listeners of other tests are gone only when the server has seen their connections close.
      const enter = Stream.toPull(listen(one, Effect.void)).pipe(
        Effect.flatMap((pull) => pull),
        Effect.retry({ while: (error) => error instanceof ApiError && error.code === "rate_limited" })
      )
      for (let count = 0; count < MAX_LISTENERS; count += 1) yield* enter
      const over = yield* Effect.flip(Stream.runDrain(listen(one, Effect.void)))
      expect(over).toMatchObject({ code: "rate_limited" })
    }))

  it("is on the fast lane", () =>
    Effect.gen(function* () {
      const fixture = yield* Fixture
      const user = yield* fixture.server.user()
      const token = yield* fixture.server.token(user.id)
      const lane = new FastLaneClient({ url: fixture.server.url, token })
      yield* Effect.addFinalizer(() => Effect.promise(() => lane.close()))
      const pieces = Stream.fromAsyncIterable(lane.webhookEvents({ events: ["company.updated"] }), String).pipe(
        Stream.tap(({ events }) => (events.length === 0 ? fixture.happens(user, "by lane") : Effect.void))
      )
      const told = yield* heardIn(pieces, 1)
      expect(told.flatMap(({ events }) => events).map(nameIn)).toEqual(["by lane"])
    }))
})
