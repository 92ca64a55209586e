import { afterAll, beforeAll, describe, expect, it as define } from "bun:test"
import { Effect, Exit, Scope } from "effect"
import { MAX_BATCH_ITEMS, MAX_MESSAGE_BYTES } from "../../../src/api/rpc/FastLane.ts"
import { isoUtc } from "../../../src/api/Timestamp.ts"
import { AccessTokens, FIRST_PARTY } from "../../../src/identity/tokens/AccessTokens.ts"
import { Owners } from "../../../src/identity/users/Owners.ts"
import { FastLaneServer } from "../../../src/rpc/FastLaneServer.ts"
import { ArenaStream } from "../../../src/stream/ArenaStream.ts"
import { openedArena, usd } from "../../lib/OpenedArena.ts"
import { type LaneOptions, RawLane } from "../../lib/RawLane.ts"
import { OWN_RUNTIME } from "../../lib/Programs.ts"
import { connectStalled } from "../../lib/StreamClient.ts"
import { operator, TestBot } from "../../lib/TestBots.ts"
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

/** A user of its own with 1,000 USD, and a connection that speaks for it. */
const connected = (options: LaneOptions = {}) =>
  Effect.gen(function* () {
    const { server } = fixture
    const user = yield* server.user()
    yield* server.mint(user.id, usd(1_000n))
    const token = yield* server.token(user.id)
    const headers = { authorization: `Bearer ${token}`, ...options.headers }
    return { user, token, lane: yield* RawLane.open(server.url, { ...options, headers }) }
  })

const small = (change: object = {}) => ({ ...fixture.terms, quantity: 1, ...change })

const codes = (results: unknown) =>
  (results as ReadonlyArray<{ readonly _tag: string; readonly code?: string }>).map(({ _tag, code }) => code ?? _tag)

/** A client's text frame, whose mask changes nothing. RFC 6455, 5.2. */
const frameOf = (text: string): Buffer => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length)
  return Buffer.concat([Buffer.from([0x81, 0xfe]), length, Buffer.alloc(4), Buffer.from(text)])
}

describe("A connection to /rpc", () => {
  it("speaks for the bearer of its upgrade, in the format that it asks for", () =>
    Effect.gen(function* () {
      const { server } = fixture
      const { lane, token, user } = yield* connected()
      expect(lane.socket.protocol).toBe("")
      expect(yield* lane.call("commit", small())).toMatchObject({ _tag: "Accepted", status: "active" })
      const asked: ReadonlyArray<LaneOptions> = [
        { query: "?format=msgpack" },
        { protocols: ["other", "emporion.rpc.v1.msgpack"] },
        { protocols: ["emporion.rpc.v1.json"], query: "?format=msgpack" }
      ]
      for (const options of asked) {
        const other = yield* RawLane.open(server.url, { ...options, headers: { authorization: `Bearer ${token}` } })
        expect(yield* other.call("myCommitments", {})).toMatchObject({ commitments: [{ trader_type: "human" }] })
      }
      const page = yield* RawLane.open(server.url, { protocols: ["emporion.rpc.v1.json", `bearer.${token}`] })
      expect(page.socket.protocol).toBe("emporion.rpc.v1.json")
      expect(yield* page.call("balances")).toMatchObject({ funds: [{ owner: user.id, type: "USD" }], total: 1 })
      const forged = yield* RawLane.open(server.url, { headers: { authorization: "Bearer forged" } })
      expect(yield* forged.closed).toBeGreaterThan(1000)
      expect((yield* server.get("/rpc")).status).toBe(400)
    }))

  it("refuses a message of a name that there is not, and goes on", () =>
    Effect.gen(function* () {
      const { lane } = yield* connected()
      for (const name of ["commitAll", "unknown", "constructor", "", "x".repeat(1_000)]) {
        const refused = yield* lane.call(name, { order_id: "ord_1" })
        expect(refused).toMatchObject({ _tag: "Refused", code: "not_found" })
        const { message } = refused as { readonly message: string }
        expect(message).toStartWith(
          `There is no message ${JSON.stringify(name.slice(0, 64))}: send one of authenticate, `
        )
      }
      expect(yield* lane.call(7 as unknown as string, {})).toMatchObject({ _tag: "Refused", code: "not_found" })
      expect(yield* lane.call("commit", small())).toMatchObject({ _tag: "Accepted" })
      const nobody = yield* RawLane.open(fixture.server.url)
      expect(yield* nobody.call("commitAll", {})).toMatchObject({ _tag: "Refused", code: "unauthorized" })
    }))

  for (const format of ["json", "msgpack"]) {
    it(`refuses a frame of a kind that there is not, and goes on, in ${format}`, () =>
      Effect.gen(function* () {
        const { lane } = yield* connected({ query: `?format=${format}` })
        const refusal = {
          _tag: "Refused",
          code: "invalid_request",
          message: 'There is no frame "Hello": send one of Request, Ack, Interrupt, Ping, Eof.'
        }
        lane.send({ _tag: "Hello", id: 77, tag: "commit", payload: small() })
        expect(yield* lane.ended(77)).toMatchObject({ _tag: "Failure", cause: [{ error: refusal }] })
        lane.send({ _tag: "Hello" })
        const told = yield* eventually("a defect", 10_000, () => lane.frames.find(({ _tag }) => _tag === "Defect"))
        expect(told.defect).toEqual(refusal)
        expect(yield* lane.call("commit", small())).toMatchObject({ _tag: "Accepted" })
      }))
  }

  it("may say later for whom it speaks, and not for another afterwards", () =>
    Effect.gen(function* () {
      const { server, trader } = fixture
      const lane = yield* RawLane.open(server.url)
      expect(yield* lane.call("commit", small())).toMatchObject({ _tag: "Refused", code: "unauthorized" })
      expect(yield* lane.call("authenticate", { access_token: "forged" })).toMatchObject({ code: "unauthorized" })
      expect(yield* lane.call("authenticate", {})).toMatchObject({ code: "invalid_request" })
      const { token, user } = yield* connected()
      const named = { user_id: user.id, company_id: user.companyId }
      expect(yield* lane.call("authenticate", { access_token: token })).toEqual(named)
      expect(yield* lane.call("authenticate", { access_token: token })).toEqual(named)
      const other = yield* server.token(trader.id)
      expect(yield* lane.call("authenticate", { access_token: other })).toMatchObject({ code: "access_denied" })
      expect(yield* lane.call("commit", small())).toMatchObject({ _tag: "Accepted" })
      const stranger = yield* RawLane.open(server.url)
      server.world.elapse(10_000)
      expect(yield* stranger.closed).toBe(4401)
      expect(lane.closedWith).toBeUndefined()
    }))

  it("ends with what it was allowed to: a withdrawn token commits nothing and hears nothing more", () =>
    Effect.gen(function* () {
      const { server } = fixture
      const { lane, user } = yield* connected()
      const stream = lane.ask("subscribe", { channels: ["prices"] })
      yield* eventually("a stream", LIMIT, () => (lane.told(stream).length > 0 ? true : undefined))
      const as = yield* server.admin
      const { status } = yield* server.request("PUT", `/v1/users/${user.id}/suspend`, {}, { as })
      expect(status).toBe(200)
      const refused = yield* lane.call("commit", small())
      expect(refused).toMatchObject({ _tag: "Refused", code: "access_denied" })
      lane.send({ _tag: "Ack", requestId: stream })
      yield* Effect.yieldNow
      server.service(ArenaStream).publishPrice({
        assetType: "fx",
        asset: "EUR",
        price: usd(1n),
        source: "test",
        at: server.world.now
      })
      const { cause } = yield* lane.ended(stream)
      expect(cause?.[0]?.error).toMatchObject({ _tag: "Refused", code: "access_denied" })
      expect(lane.told(stream)).toHaveLength(1)
    }))

  it("is closed for frames that cannot be read, or are too big", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [LaneOptions, string | Uint8Array<ArrayBuffer>, number]> = [
        [{}, "no json", 1007],
        [{}, "null", 1007],
        [{}, `[{"_tag":1}]`, 1007],
        [{}, "[".repeat(500_000), 1007],
        [{}, " ".repeat(MAX_MESSAGE_BYTES + 1), 1009],
        [{ query: "?format=msgpack" }, "{}", 1007],
        [{ query: "?format=msgpack" }, new Uint8Array([0xc1]), 1007],
        [{ query: "?format=msgpack" }, new Uint8Array([0xdd, 0xff, 0xff, 0xff, 0xff]), 1007],
        [{ query: "?format=msgpack" }, new Uint8Array(500_000).fill(0x91), 1007]
      ]
      const { token } = yield* connected()
      for (const [options, frame, code] of cases) {
        const headers = { authorization: `Bearer ${token}` }
        const lane = yield* RawLane.open(fixture.server.url, { ...options, headers })
        lane.socket.send(frame)
        expect([String(frame).slice(0, 20), yield* lane.closed]).toEqual([String(frame).slice(0, 20), code])
      }
    }))
})

describe("A message of /rpc", () => {
  it("is refused as over HTTP, and the next one is not", () =>
    Effect.gen(function* () {
      const { server } = fixture
      const { lane, user } = yield* connected()
      const wrong = [
        small({ order_id: "nothing" }),
        small({ order_id: 1 }),
        small({ order_id: "" }),
        small({ quantity: -1 }),
        small({ quantity: 0.0000001 }),
        small({ quantity: "1" }),
        small({ quantity: 0 }),
        small({ quantity: 1e9 }),
        small({ slippage_tolerance: 5 }),
        small({ swap_executor: "\u0000" }),
        small({ bot_id: "bot_of_nobody" }),
        small({ expected_exit_price: null })
      ]
      for (const terms of wrong) {
        const over = yield* server.post<{ code: string; message: string }>("/api/arena/commitments", terms, {
          as: user.id
        })
        const { code, message } = over.json
        expect(over.status).toBeGreaterThanOrEqual(400)
        expect(yield* lane.call("commit", terms)).toMatchObject({ _tag: "Refused", code, message })
      }
      const results = (yield* lane.call("commitBatch", { items: [...wrong, small()] }))?.["results"]
      expect(codes(results).slice(-3)).toEqual(["ARENA_006", "invalid_request", "Accepted"])
      expect(
        yield* lane
          .call("commitBatch", { items: [null, 1, {}] })
          .pipe(Effect.map((answer) => codes(answer?.["results"])))
      ).toEqual(["invalid_request", "invalid_request", "invalid_request"])
    }))

  it("carries 500 items and no more, and says what it expected", () =>
    Effect.gen(function* () {
      const { lane } = yield* connected()
      const batch = (length: number) =>
        lane.call("commitBatch", { items: Array.from({ length }, () => small({ order_id: "nothing" })) })
      expect(codes((yield* batch(MAX_BATCH_ITEMS))?.["results"])).toEqual(
        Array.from({ length: MAX_BATCH_ITEMS }, () => "ARENA_001")
      )
      expect(yield* batch(MAX_BATCH_ITEMS + 1)).toMatchObject({
        code: "invalid_request",
        message: "payload.items: Expected at most 500 items"
      })
      expect(yield* batch(0)).toEqual({ results: [] })
      for (const payload of [null, 1, "x", {}, { items: {} }]) {
        expect(yield* lane.call("commitBatch", payload)).toMatchObject({ code: "invalid_request" })
      }
      expect(yield* lane.call("myCommitments", { limit: 0 })).toMatchObject({ code: "invalid_request" })
    }))

  it("is one request of the caller's minute, whatever it carries, together with those over HTTP", () =>
    Effect.gen(function* () {
      const { server } = fixture
      server.world.pass(60_000)
      const { lane, user } = yield* connected()
      const { headers } = yield* server.get("/v1/funds", user.id)
      const remaining = Number(headers.get("x-ratelimit-remaining"))
      expect(remaining).toBeGreaterThan(10)
      yield* lane.call("commitBatch", { items: [small(), small(), small()] })
      const after = yield* server.get("/v1/funds", user.id)
      expect(Number(after.headers.get("x-ratelimit-remaining"))).toBe(remaining - 2)
      for (let left = remaining - 2; left > 0; left--) yield* lane.call("balances", {})
      const refused = yield* lane.call("balances", {})
      expect(refused).toMatchObject({ _tag: "Refused", code: "rate_limited" })
      expect(Number(refused?.["retry_after"])).toBeGreaterThan(0)
      expect((yield* server.get("/v1/funds", user.id)).status).toBe(429)
      server.world.pass(60_000)
      expect(yield* lane.call("balances", {})).toMatchObject({ total: 1 })
    }))

  it("is a fifth of a request where it makes a single commitment", () =>
    Effect.gen(function* () {
      const { server } = fixture
      server.world.pass(60_000)
      const { lane, user } = yield* connected()
      const remaining = Effect.map(server.get("/v1/funds", user.id), ({ headers }) =>
        Number(headers.get("x-ratelimit-remaining"))
      )
      const before = yield* remaining
      for (let sent = 0; sent < 10; sent++) yield* lane.call("commit", small())
      expect(yield* remaining).toBe(before - 3)
    }))

  it("needs the scope that HTTP asks for", () =>
    Effect.gen(function* () {
      const { server } = fixture
      const user = yield* server.user()
      const owner = yield* Effect.orDie(server.service(Owners).ownerOf(user.id))
      const token = yield* server.service(AccessTokens).issue({ owner, clientId: FIRST_PARTY, scopes: ["orders:read"] })
      const lane = yield* RawLane.open(server.url, { headers: { authorization: `Bearer ${token}` } })
      expect(yield* lane.call("balances", {})).toMatchObject({ code: "insufficient_scope" })
      expect(yield* lane.call("myCommitments", {})).toEqual({ commitments: [], total: 0 })
    }))
})

describe("A bot's operator on /rpc", () => {
  it("evaluates orders, stops all bots, and has them stopped unless it says so again", () =>
    Effect.gen(function* () {
      const { server } = fixture
      server.world.pass(60_000)
      const user = yield* operator(server)
      const bot = yield* TestBot.make(server, user)
      const lane = yield* RawLane.open(server.url, {
        headers: { authorization: `Bearer ${yield* server.token(user.id)}` }
      })
      yield* server.tick()
      const open = yield* server.get<{ orders: ReadonlyArray<{ order_id: string }> }>(
        "/api/arena/orders?status=open",
        user.id
      )
      const question = { bot_id: bot.id, order_id: open.json.orders[0]?.order_id ?? "" }
      const path = `/api/arena/machine-traders/${bot.id}/evaluate`
      const over = yield* server.post<Record<string, unknown>>(path, { order_id: question.order_id }, { as: user.id })
      const answer = yield* lane.call("evaluate", question)
      expect(over.status).toBe(200)
      expect(answer).toMatchObject({ evaluation: { status: "decision_made" }, credits_charged: 1 })
      expect(Object.keys(answer?.["evaluation"] ?? {})).toEqual(Object.keys(over.json["evaluation"] ?? {}))
      const { lane: stranger } = yield* connected()
      expect(yield* stranger.call("evaluate", question)).toMatchObject({ code: "access_denied" })
      expect(yield* lane.call("evaluate", { bot_id: bot.id })).toMatchObject({ code: "invalid_request" })
      const guarded = yield* lane.call("cancelAfter", { timeout_seconds: 30 })
      expect(guarded).toEqual({ timeout_seconds: 30, pauses_at: isoUtc(server.world.now + 30_000) })
      expect(yield* lane.call("cancelAfter", { timeout_seconds: 0 })).toEqual({ timeout_seconds: 0, pauses_at: null })
      expect(yield* lane.call("pauseAll")).toEqual({ paused: [bot.id] })
      expect(yield* lane.call("pauseAll")).toEqual({ paused: [] })
    }))
})

describe("A stream of /rpc", () => {
  it("sends the next piece when the one before was taken, and loses nothing", () =>
    Effect.gen(function* () {
      const { server } = fixture
      server.world.pass(60_000)
      yield* server.tick()
      const { lane, user } = yield* connected()
      const stream = lane.ask("subscribe", { channels: ["commitments"] })
      const pieces = () => lane.frames.filter(({ _tag, requestId }) => _tag === "Chunk" && requestId === stream)
      yield* eventually("the beginning", LIMIT, () => pieces()[0])
      const order = yield* server.get<{
        orders: ReadonlyArray<{ order_id: string; entry_price: number; status: string }>
      }>("/api/arena/orders?asset_type=fx&status=open", user.id)
      const [open] = order.json.orders
      const terms = small({
        order_id: open?.order_id,
        proposed_entry_price: open?.entry_price,
        expected_exit_price: Math.ceil((open?.entry_price ?? 0) * 2)
      })
      const made: Array<unknown> = []
      for (let round = 0; round < 5; round++) {
        const { results } = (yield* lane.call("commitBatch", { items: [terms, terms] })) as {
          results: Array<{ commitment_id: string }>
        }
        made.push(...results.map(({ commitment_id: id }) => id))
      }
      expect(pieces()).toHaveLength(1)
      const heard = () =>
        lane
          .told(stream)
          .flatMap(({ data, type }) =>
            type === "commitment_submitted" ? [(data as { commitment_id: string }).commitment_id] : []
          )
      let taken = 0
      yield* eventually("all of it", LIMIT, () => {
        if (pieces().length > taken) {
          taken += 1
          lane.send({ _tag: "Ack", requestId: stream })
        }
        return heard().length === made.length ? true : undefined
      })
      expect(heard()).toEqual(made as Array<string>)
      lane.send({ _tag: "Interrupt", requestId: stream })
      expect((yield* lane.ended(stream))._tag).toBe("Failure")
    }))

  // Deno's server tells late, and not each time, that its client takes nothing.
  const itStalled = OWN_RUNTIME === "bun" ? it : () => undefined

  itStalled("is closed, with its connection, for who reads nothing of what it asks for", () =>
    Effect.gen(function* () {
      const { server } = fixture
      server.world.pass(60_000)
      yield* server.tick()
      const { lane } = yield* connected()
      const { token, user } = yield* connected()
      const as = yield* server.admin
      yield* server.request("PUT", `/v1/companies/${user.companyId}/plan`, { plan: "enterprise" }, { as })
      const { size } = server.service(FastLaneServer)
      const before = size()
      const stalled = yield* connectStalled(`${server.url}/rpc`, `emporion.rpc.v1.json, bearer.${token}`)
      expect(size()).toBe(before + 1)
      const text = (id: number) => JSON.stringify({ _tag: "Request", id, tag: "orders", payload: {}, headers: [] })
      const items = Array.from({ length: MAX_BATCH_ITEMS }, () => null)
      for (let id = 1; id <= 100; id++) yield* stalled.write(frameOf(text(id)))
      // Whatever is asked for now waits behind what is not read.
      for (let id = 101; size() > before && id < 60_000; id++) {
        yield* stalled.write(
          frameOf(JSON.stringify({ _tag: "Request", id, tag: "commitBatch", payload: { items }, headers: [] }))
        )
        // One at a time: a server that closes with more to read resets the connection, and what it said last is lost.
        yield* Effect.sleep(1)
        if (id % 10 === 0) server.world.pass(5_000)
      }
      yield* eventually("the end of the connection", LIMIT, () => (size() === before ? true : undefined))
      const tooSlow = Buffer.from([4408 >> 8, 4408 & 255])
      const told = yield* stalled.drain
      expect(told.subarray(-256).includes(tooSlow)).toBe(true)
      expect(yield* lane.call("balances", {})).toMatchObject({ total: 1 })
    })
  )
})
