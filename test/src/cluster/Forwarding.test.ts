import { describe, expect } from "bun:test"
import { Deferred, Effect, Fiber, Option } from "effect"
import { ALIVE, elsewhere } from "../../../src/cluster/ForwardedRequest.ts"
import { MAX_SENDING } from "../../../src/cluster/Forwarding.ts"
import { asked, COMMIT, pathOf, peer, withWritingNodes as withTurns } from "../../lib/WritingNodes.ts"

const signOf = (url: string, signal: AbortSignal) => fetch(url, { signal })

describe("A request that another node is to answer", () => {
  withTurns("goes there with its caller, its path and its host, and comes back as it was answered", (turns) =>
    Effect.gen(function* () {
      yield* turns.next((request) => Response.json({ url: request.url }, { status: 202, headers: { "x-a": "1" } }))
      const response = yield* asked("GET", "/v1/info?a=b", { host: "emporion.example" })
      expect([response.status, response.headers.get("x-a")]).toEqual([202, "1"])
      expect(yield* Effect.promise(() => response.json())).toEqual({ url: "http://emporion.example/v1/info?a=b" })
      expect(turns.callers).toEqual([peer])
    })
  )

  withTurns("is sent again under the same key once another node writes", (turns) =>
    Effect.gen(function* () {
      yield* turns.next(() => {
        turns.goTo("127.0.0.1:1")
        return new Promise<Response>(() => undefined)
      })
      const first = yield* Effect.forkChild(asked("POST", COMMIT))
      yield* Effect.promise(() => turns.arrived)
      yield* turns.next(() => Response.json({}, { headers: { "idempotency-replayed": "true" } }))
      const response = yield* Fiber.join(first)
      expect(response.status).toBe(200)
      expect(response.headers.has("idempotency-replayed")).toBe(false)
      expect(turns.keys.length).toBe(2)
      expect(turns.keys[0]).toStartWith("node-")
      expect(new Set(turns.keys).size).toBe(1)
    })
  )

  withTurns("keeps the key that its caller gave", (turns) =>
    Effect.gen(function* () {
      yield* turns.next(() => Response.json({}, { headers: { "idempotency-replayed": "true" } }))
      const response = yield* asked("POST", COMMIT, { "idempotency-key": "mine" })
      expect(turns.keys).toEqual(["mine"])
      expect(response.headers.get("idempotency-replayed")).toBe("true")
    })
  )

  for (const [method, path] of [
    ["DELETE", "/v1/webhooks/a"],
    ["POST", "/api/v1/auth/token"],
    ["GET", "/auth/google/callback?code=c&state=s"],
    ["HEAD", "/auth/ecommerce/callback?shop=s&code=c"]
  ] as const) {
    withTurns(`is not sent twice where no key keeps it from being executed twice: ${method} ${path}`, (turns) =>
      Effect.gen(function* () {
        yield* turns.next(() => {
          turns.goTo("127.0.0.1:1")
          return new Promise<Response>(() => undefined)
        })
        const first = yield* Effect.forkChild(asked(method, path))
        yield* Effect.promise(() => turns.arrived)
        yield* turns.next(() => new Response("sent twice"))
        const response = yield* Fiber.join(first)
        expect(response.status).toBe(503)
        expect(response.headers.get("retry-after")).toBe("1")
        expect(turns.keys).toEqual([null])
      })
    )
  }

  withTurns("goes on to the node that writes where the first one does not", (turns) =>
    Effect.gen(function* () {
      const first = yield* turns.next(() => elsewhere())
      let times = 0
      yield* turns.next(() => {
        times += 1
        if (times > 1) return Response.json({})
        return elsewhere()
      })
      expect((yield* asked("DELETE", "/v1/webhooks/a")).status).toBe(200)
      expect(first.pendingRequests).toBe(0)
      expect(times).toBe(2)
    })
  )

  withTurns("is answered from no earlier than its caller was told, and than anybody was through this node", (turns) =>
    Effect.gen(function* () {
      const required: Array<string | null> = []
      let shown = "log-5"
      yield* turns.next(({ headers }) => {
        required.push(headers.get("emporion-position"))
        return Response.json({}, { headers: { "emporion-position": shown } })
      })
      const position = (text: string) => ({ "emporion-position": text })
      expect((yield* asked("GET", "/v1/info")).headers.get("emporion-position")).toBe("log-5")
      shown = "log-4"
      yield* asked("GET", "/v1/info")
      yield* asked("POST", COMMIT, position("log-9"))
      yield* asked("GET", "/v1/info", position("log-3"))
      yield* asked("GET", "/v1/info", position("nonsense"))
      expect(required).toEqual([null, "log-5", "log-9", "log-5", "nonsense"])
    })
  )

  withTurns("holds up nothing that this node asks for itself, however many wait", (turns) =>
    Effect.gen(function* () {
      const full = yield* Deferred.make<void>()
      const held = Promise.withResolvers<void>()
      let waiting = 0
      const node = yield* turns.next((request) => {
        if (pathOf(request) === ALIVE) return new Response("alive")
        waiting += 1
        if (waiting === MAX_SENDING) Deferred.doneUnsafe(full, Effect.void)
        return held.promise.then(() => new Response("answered"))
      })
      const many = Array.from({ length: 2 * MAX_SENDING }, () => asked("GET", "/v1/info"))
      const all = yield* Effect.forkChild(Effect.all(many, { concurrency: "unbounded" }))
      yield* Deferred.await(full)
      const own = Effect.promise((signal) => signOf(`http://127.0.0.1:${node.port}${ALIVE}`, signal))
      const sign = yield* Effect.timeoutOption(own, "20 seconds")
      expect(Option.map(sign, ({ status }) => status)).toEqual(Option.some(200))
      expect(waiting).toBe(MAX_SENDING)
      held.resolve()
      expect(new Set((yield* Fiber.join(all)).map(({ status }) => status))).toEqual(new Set([200]))
      expect(waiting).toBe(2 * MAX_SENDING)
    })
  )
})
