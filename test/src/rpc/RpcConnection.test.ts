import { afterAll, beforeAll, describe, expect, it as define } from "bun:test"
import { Effect, Exit, Scope } from "effect"
import { MAX_FRAME_MESSAGES, MAX_MESSAGE_BYTES, MAX_REFUSALS, MAX_UNDER_WAY } from "../../../src/api/rpc/FastLane.ts"
import { MAX_ADDRESS_SOCKETS, MAX_COMPANY_STREAMS } from "../../../src/http/SocketLimits.ts"
import { openedArena } from "../../lib/OpenedArena.ts"
import { RawLane } from "../../lib/RawLane.ts"
import { eventually } from "../../lib/ServerProcess.ts"

const LIMIT = 10_000

type Fixture = Effect.Success<ReturnType<typeof openedArena>>

const scope = Scope.makeUnsafe()
let fixture: Fixture

beforeAll(async () => {
  fixture = await Effect.runPromise(
    Scope.provide(openedArena({ RATE_LIMITS: "on", ARENA_COMMIT_WINDOW_SECONDS: "3600" }), scope)
  )
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const it = <E>(name: string, body: () => Effect.Effect<void, E, Scope.Scope>) =>
  define(name, () => Effect.runPromise(Effect.scoped(Effect.suspend(body))))

/** A user of its own, and a connection that speaks for it. */
const connected = () =>
  Effect.gen(function* () {
    const { server } = fixture
    const user = yield* server.user()
    const token = yield* server.token(user.id)
    return { user, token, lane: yield* RawLane.open(server.url, { headers: { authorization: `Bearer ${token}` } }) }
  })

describe("A cursor that names no row", () => {
  it("is refused with what the answer itself has for the next page", () =>
    Effect.gen(function* () {
      const { lane, user } = yield* connected()
      const row = "Expected the id of a row of this list: begin without it, and go on with"
      for (const list of ["myCommitments", "balances"]) {
        const message = `payload.after: ${row} the next of the page before`
        expect(yield* lane.call(list, { after: "nope" })).toMatchObject({ code: "invalid_request", message })
      }
      const { json } = yield* fixture.server.get("/v1/funds?after=nope", user.id)
      expect(json).toMatchObject({ code: "invalid_request", message: `query.after: ${row} the Link header` })
    }))
})

describe("A client of /rpc that sends more than it may", () => {
  const frame = (many: number, message: object) => JSON.stringify(Array.from({ length: many }, () => message))

  const PING = { _tag: "Ping" }

  it("is closed for a frame of more messages than one may carry, before any of them is answered", () =>
    Effect.gen(function* () {
      const { lane } = yield* connected()
      lane.socket.send(frame(MAX_FRAME_MESSAGES, PING))
      yield* eventually("all answers", LIMIT, () => (lane.frames.length === MAX_FRAME_MESSAGES ? true : undefined))
      lane.socket.send(frame(MAX_FRAME_MESSAGES + 1, PING))
      expect(yield* lane.closed).toBe(1008)
      expect(lane.frames).toHaveLength(MAX_FRAME_MESSAGES)
    }))

  it("is closed for bytes beyond its caller's, a stranger by a mebibyte, and nothing is answered", () =>
    Effect.gen(function* () {
      fixture.server.world.pass(60_000)
      const stranger = yield* RawLane.open(fixture.server.url)
      const ping = JSON.stringify(PING)
      stranger.socket.send(frame(Math.floor(MAX_MESSAGE_BYTES / (ping.length + 1)) - 1, PING))
      expect(yield* stranger.closed).toBe(1008)
      expect(stranger.frames).toEqual([])
      const { lane, token } = yield* connected()
      const other = yield* RawLane.open(fixture.server.url, { headers: { authorization: `Bearer ${token}` } })
      const blank = `[${" ".repeat(1_000_000)}]`
      for (let sent = 0; sent < 5; sent++) (sent % 2 === 0 ? lane : other).socket.send(blank)
      yield* eventually("an end", LIMIT, () => lane.closedWith ?? other.closedWith)
      expect([lane.closedWith, other.closedWith]).toContain(1008)
      const { lane: undisturbed } = yield* connected()
      expect(yield* undisturbed.call("balances", {})).toMatchObject({ funds: [] })
    }))

  it("is closed for messages beyond its caller's, whichever of its connections they come by", () =>
    Effect.gen(function* () {
      fixture.server.world.pass(60_000)
      const { lane, token } = yield* connected()
      const other = yield* RawLane.open(fixture.server.url, { headers: { authorization: `Bearer ${token}` } })
      for (let sent = 0; sent < 9; sent++) {
        ;(sent % 2 === 0 ? lane : other).socket.send(frame(MAX_FRAME_MESSAGES, PING))
      }
      yield* eventually("an end", LIMIT, () => lane.closedWith ?? other.closedWith)
      expect([lane.closedWith, other.closedWith]).toContain(1008)
    }))

  it("is closed after so many refusals in a row, and hears each of them but none after", () =>
    Effect.gen(function* () {
      fixture.server.world.pass(60_000)
      const stranger = yield* RawLane.open(fixture.server.url)
      const ask = (id: number) => ({ _tag: "Request", id, tag: "balances", payload: {}, headers: [] })
      stranger.socket.send(JSON.stringify(Array.from({ length: 100 }, (_, id) => ask(id))))
      expect(yield* stranger.closed).toBe(1008)
      expect(stranger.frames).toHaveLength(MAX_REFUSALS)
      const { lane } = yield* connected()
      for (let row = 0; row < 2; row++) {
        for (let sent = 1; sent < MAX_REFUSALS; sent++) {
          expect(yield* lane.call("nothing", {})).toMatchObject({ code: "not_found" })
        }
        expect(yield* lane.call("balances", {})).toMatchObject({ funds: [] })
      }
      for (let sent = 0; sent < MAX_REFUSALS + 5; sent++) {
        expect(yield* lane.call("commit", { ...fixture.terms, quantity: 1, order_id: "nothing" })).toMatchObject({
          code: "ARENA_001"
        })
      }
      for (let sent = 0; sent < MAX_REFUSALS; sent++) lane.ask("commit", {})
      expect(yield* lane.closed).toBe(1008)
    }))

  it("counts for its company once it says who it is, and not for its address", () =>
    Effect.gen(function* () {
      fixture.server.world.pass(60_000)
      const { token } = yield* connected()
      const lanes: Array<RawLane> = []
      for (let made = 0; made < MAX_ADDRESS_SOCKETS; made++) lanes.push(yield* RawLane.open(fixture.server.url))
      const refused = yield* RawLane.open(fixture.server.url)
      expect(yield* refused.closed).toBeGreaterThan(1000)
      expect(yield* lanes[0]!.call("authenticate", { access_token: token })).toMatchObject({
        company_id: expect.any(String)
      })
      const another = yield* RawLane.open(fixture.server.url)
      expect(another.closedWith).toBeUndefined()
    }))

  it("has so many streams open as its company may, on whichever connections", () =>
    Effect.gen(function* () {
      const { server } = fixture
      server.world.pass(60_000)
      const { lane, token, user } = yield* connected()
      const as = yield* server.admin
      yield* server.request("PUT", `/v1/companies/${user.companyId}/plan`, { plan: "enterprise" }, { as })
      const other = yield* RawLane.open(server.url, { headers: { authorization: `Bearer ${token}` } })
      const open = (on: RawLane) => on.ask("orders", { order_id: ["nothing"] })
      const streams = Array.from({ length: MAX_COMPANY_STREAMS - 1 }, () => open(lane))
      expect(yield* lane.call("balances", {})).toMatchObject({ funds: [] })
      open(other)
      expect((yield* other.ended(open(other))).cause?.[0]?.error).toMatchObject({ code: "rate_limited" })
      lane.send({ _tag: "Interrupt", requestId: streams[0] })
      yield* lane.ended(streams[0]!)
      open(other)
      expect(yield* other.call("balances", {})).toMatchObject({ funds: [] })
      lane.socket.close()
      yield* eventually("an end", LIMIT, () => lane.closedWith)
      const again = yield* RawLane.open(server.url, { headers: { authorization: `Bearer ${token}` } })
      for (let made = 0; made < 10; made++) open(again)
      expect(yield* again.call("balances", {})).toMatchObject({ funds: [] })
      expect(again.frames.filter(({ _tag }) => _tag === "Exit")).toHaveLength(1)
    }))

  it(`has ${MAX_UNDER_WAY} requests and streams under way on a connection`, () =>
    Effect.gen(function* () {
      const { server } = fixture
      server.world.pass(60_000)
      const { lane, user } = yield* connected()
      const as = yield* server.admin
      yield* server.request("PUT", `/v1/companies/${user.companyId}/plan`, { plan: "enterprise" }, { as })
      const streams = Array.from({ length: MAX_UNDER_WAY }, () => lane.ask("orders", { order_id: ["nothing"] }))
      expect(yield* lane.call("balances", {})).toMatchObject({ code: "rate_limited" })
      lane.send({ _tag: "Interrupt", requestId: streams[0] })
      yield* lane.ended(streams[0]!)
      expect(yield* lane.call("balances", {})).toMatchObject({ funds: [] })
    }))
})

describe("A message of /rpc", () => {
  it("refuses a field that it does not know where a message only asks, and leaves it aside where it acts", () =>
    Effect.gen(function* () {
      const { lane } = yield* connected()
      for (const tag of ["myCommitments", "balances", "orders", "subscribe", "webhookEvents"]) {
        expect([tag, yield* lane.call(tag, { asset_typ: ["fx"] })]).toMatchObject([
          tag,
          { code: "invalid_request", errors: [{ field: "payload.asset_typ", expected: "no field of this name" }] }
        ])
      }
      const commit = yield* lane.call("commit", { ...fixture.terms, quantity: 1, asset_typ: "fx" })
      expect(commit).toMatchObject({ _tag: "Refused", code: "ARENA_002" })
    }))
})
