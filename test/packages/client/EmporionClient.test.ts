import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import fc from "fast-check"
import type { ClientPlatform } from "../../../packages/client/src/ClientPlatform.ts"
import { EmporionClient, type EmporionOptions } from "../../../packages/client/src/EmporionClient.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"
import { property } from "../../lib/Property.ts"

const URL = "http://api.example"

interface Heard {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What a server does with a request: answers, or is not there. */
type Reply =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | "lost"

const refusal = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { "x-request-id": "req-1", ...headers },
  body: { message: "No.", code }
})

/** A client of a server that gives these replies one after another, and the waits between them. */
const fixture = (replies: ReadonlyArray<Reply>, options: Partial<EmporionOptions> = {}) => {
  const heard: Array<Heard> = []
  const waits: Array<number> = []
  let keys = 0
  const platform: Partial<ClientPlatform> = {
    fetch: (url, { body, headers, method, signal }) => {
      const text = typeof body === "string" ? body : undefined
      heard.push({
        url,
        method: method ?? "",
        headers: headers as Readonly<Record<string, string>>,
        body: text === undefined ? undefined : JSON.parse(text)
      })
      const reply = replies[Math.min(heard.length, replies.length) - 1] ?? "lost"
      if (signal?.aborted === true) return Promise.reject(signal.reason)
      if (reply === "lost") return Promise.reject(new TypeError("fetch failed"))
      const { body: answer = {}, headers: told = {}, status } = reply
      return Promise.resolve(Response.json(answer, { status, headers: told }))
    },
    random: () => 0,
    uuid: () => `key-${(keys += 1)}`,
    now: () => 0,
    // A request's time limit never comes; every other wait is over at once.
    after: (millis, run) => {
      if (millis === LIMIT) return () => {}
      waits.push(millis)
      queueMicrotask(run)
      return () => {}
    }
  }
  const who = options.clientId === undefined ? { token: "token" } : {}
  const client = new EmporionClient({ url: URL, ...who, timeout: LIMIT, platform, ...options })
  return { client, heard, waits }
}

const LIMIT = 12_345

const BID = { order_id: "ord_1", proposed_entry_price: 1, expected_exit_price: 2, quantity: 1 }

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.unreachable(),
    (error: unknown) => error
  )

describe("EmporionClient", () => {
  it("puts names into the path and the query, and says who it is", async () => {
    const { client, heard } = fixture([{ status: 200, body: { success: true } }])
    await client.call("GET /api/arena/orders/{order_id}", { path: { order_id: "a/b c" } })
    await client.call("GET /api/arena/orders", { query: { status: "open", limit: 5, after: undefined } })
    expect(heard.map(({ headers, method, url }) => [method, url, headers])).toEqual([
      ["GET", `${URL}/api/arena/orders/a%2Fb%20c`, { authorization: "Bearer token" }],
      ["GET", `${URL}/api/arena/orders?status=open&limit=5`, { authorization: "Bearer token" }]
    ])
  })

  it("sends a POST again under one key, never more often than it may, and waits as long as it is asked to", () => {
    const passing = fc.constantFrom<Reply>(
      "lost",
      refusal(503, "unavailable"),
      refusal(503, "unavailable", { "retry-after": "7" }),
      refusal(429, "rate_limited", { "retry-after": "3" }),
      refusal(502, "none")
    )
    return fc.assert(
      fc.asyncProperty(fc.array(passing, { maxLength: 8 }), fc.nat(5), async (before, retries) => {
        const { client, heard, waits } = fixture([...before, { status: 200, body: { success: true } }], { retries })
        const call = client.call("POST /api/arena/commitments", { body: BID })
        const isEnough = before.length <= retries
        expect(
          await call.then(
            () => true,
            () => false
          )
        ).toBe(isEnough)
        expect(heard).toHaveLength(Math.min(before.length, retries) + 1)
        expect(new Set(heard.map(({ headers }) => headers["idempotency-key"]))).toEqual(new Set(["key-1"]))
        for (const { body } of heard) expect(body).toEqual(BID)
        for (const [index, wait] of waits.entries()) {
          const reply = before[index]
          const asked = typeof reply === "object" ? Number(reply.headers?.["retry-after"] ?? 0) : 0
          expect(wait).toBeGreaterThan(asked * 1000)
        }
      }),
      property()
    )
  })

  it("gives each call a key of its own, or the caller's", async () => {
    const { client, heard } = fixture([{ status: 200 }])
    await client.call("POST /api/arena/commitments", { body: BID })
    await client.call("POST /api/arena/commitments", { body: BID })
    await client.call("POST /api/arena/commitments", { body: BID }, { idempotencyKey: "mine" })
    expect(heard.map(({ headers }) => headers["idempotency-key"])).toEqual(["key-1", "key-2", "mine"])
  })

  it("does not send again what takes no key and may have happened", async () => {
    const { client, heard } = fixture(["lost", { status: 200 }])
    expect(await failureOf(client.call("POST /v1/clients", { body: { name: "a", scopes: [] } }))).toMatchObject({
      name: "NoAnswer",
      code: "unreachable"
    })
    expect(heard.map(({ headers }) => headers["idempotency-key"])).toEqual([undefined])
  })

  it("waits for the request under its key that is still running, and takes another conflict at its word", async () => {
    const conflict = refusal(409, "conflict")
    const first = fixture([conflict])
    expect(await failureOf(first.client.call("POST /api/arena/commitments", { body: BID }))).toMatchObject({
      code: "conflict"
    })
    expect(first.heard).toHaveLength(1)
    const running = refusal(409, "conflict", { "retry-after": "1" })
    const second = fixture([running, running, { status: 200, body: { success: true } }])
    expect(await second.client.call("POST /api/arena/commitments", { body: BID })).toMatchObject({ success: true })
    expect(second.heard).toHaveLength(3)
  })

  it("rejects with the code, status and request id, and what is wrong with each field", async () => {
    const errors = [{ field: "payload.quantity", expected: "a number" }]
    const { client } = fixture([
      { status: 400, headers: { "x-request-id": "req-9" }, body: { message: "No.", code: "invalid_request", errors } }
    ])
    expect(await failureOf(client.call("POST /api/arena/commitments", { body: BID }))).toMatchObject({
      name: "ApiError",
      code: "invalid_request",
      status: 400,
      requestId: "req-9",
      message: "No.",
      errors
    })
  })

  it("does not wait for longer than a minute", async () => {
    const { client, heard } = fixture([refusal(429, "rate_limited", { "retry-after": "61" })])
    expect(await failureOf(client.call("GET /v1/info"))).toMatchObject({ code: "rate_limited", retryAfter: 61 })
    expect(heard).toHaveLength(1)
  })

  it("asks for one token for many calls, and for another where it is refused", async () => {
    const token = (text: string): Reply => ({ status: 200, body: { access_token: text, expires_in: 1800 } })
    const { client, heard } = fixture(
      [token("one"), { status: 200 }, { status: 200 }, refusal(401, "unauthorized"), token("two"), { status: 200 }],
      { clientId: "cli_1", clientSecret: "secret" }
    )
    const info = () => client.call("GET /v1/info")
    await Promise.all([info(), info()])
    await info()
    const bearers = heard.map(({ headers, url }) => (url.endsWith("/token") ? "asks" : headers["authorization"]))
    expect(bearers).toEqual(["asks", "Bearer one", "Bearer one", "Bearer one", "asks", "Bearer two"])
  })

  it("ends a call by its signal, and one that takes too long", async () => {
    const hung: Partial<ClientPlatform> = {
      fetch: (_, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted")))),
      after: (_, run) => {
        queueMicrotask(run)
        return () => {}
      }
    }
    const late = new EmporionClient({ url: URL, token: "token", retries: 0, platform: hung })
    expect(await failureOf(late.call("GET /v1/info"))).toMatchObject({ name: "NoAnswer", code: "timeout" })
    const patient = new EmporionClient({ url: URL, token: "token", platform: { ...hung, after: () => () => {} } })
    const abort = new AbortController()
    const call = patient.call("GET /v1/info", {}, { signal: abort.signal })
    abort.abort(new Error("enough"))
    expect(await failureOf(call)).toMatchObject({ message: "enough" })
  })

  it("sends nothing where the path lacks a name, which would be the address of something else", async () => {
    for (const id of [undefined, null, "", ".", ".."]) {
      const { client, heard } = fixture([{ status: 200 }])
      const call = async () => client.call("GET /v1/orders/{id}", { path: { id: id as string } })
      expect(await failureOf(call())).toMatchObject({
        name: "TypeError",
        message: "GET /v1/orders/{id}: no id"
      })
      expect(heard).toEqual([])
    }
  })

  itLive("reads whole lists, commits once, and gets its own tokens", () =>
    Effect.gen(function* () {
      const { server, terms, trader } = yield* openedArena()
      const admin = new EmporionClient({ url: server.url, token: yield* server.token(trader.id) })
      const made = yield* Effect.promise(() =>
        admin.call("POST /v1/clients", {
          body: { name: "bot", scopes: ["payments:read", "payments:write", "orders:read"] }
        })
      )
      const client = new EmporionClient({
        url: server.url,
        clientId: made.client_id,
        clientSecret: made.client_secret
      })
      const bid = { ...terms, quantity: 1 }
      const options = { idempotencyKey: "once" }
      const twice = yield* Effect.promise(async () => [
        await admin.call("POST /api/arena/commitments", { body: bid }, options),
        await admin.call("POST /api/arena/commitments", { body: bid }, options)
      ])
      expect(twice[1]).toEqual(twice[0]!)
      const [whole, byRow, pages] = yield* Effect.promise(async () => {
        const { body } = await client.ask("GET /api/arena/orders", { query: { limit: 100 } })
        const rows: Array<string> = []
        for await (const { order_id: id } of client.rows("GET /api/arena/orders", { query: { limit: 2 } }))
          rows.push(id)
        let count = 0
        for await (const page of client.pages("GET /api/arena/orders", { query: { limit: 2 } }))
          count += page.orders.length
        return [body.orders.map(({ order_id: id }) => id), rows, count] as const
      })
      expect(byRow).toEqual(whole)
      expect(whole.length).toBeGreaterThan(2)
      expect(pages).toBe(whole.length)
      const wrong = new EmporionClient({ url: server.url, clientId: made.client_id, clientSecret: "wrong" })
      const refused = yield* Effect.promise(() => failureOf(wrong.call("GET /v1/funds")))
      expect(refused).toMatchObject({ name: "ApiError", code: "invalid_client", status: 401 })
      const gone = yield* Effect.promise(() =>
        failureOf(client.call("GET /api/arena/orders/{order_id}", { path: { order_id: "none" } }))
      )
      expect(gone).toMatchObject({ code: "ARENA_001", status: 404, requestId: expect.any(String) })
    })
  )
})
