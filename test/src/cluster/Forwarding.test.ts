import { describe, expect } from "bun:test"
import { Deferred, Effect, Fiber, Layer, type Scope } from "effect"
import { Forwarding } from "../../../src/cluster/Forwarding.ts"
import { callerOf, elsewhere } from "../../../src/cluster/ForwardedRequest.ts"
import { make as makeCredential } from "../../../src/cluster/NodeCredential.ts"
import { Nodes, type ServingWriter } from "../../../src/cluster/Nodes.ts"
import { Settings } from "../../../src/Config.ts"
import type { RuntimeServer } from "../../../src/runtime/ServerRuntime.ts"
import { itLive } from "../../lib/Effects.ts"

const SETTINGS = Settings.layerOf({
  APP_MODE: "sandbox",
  CLUSTER: "on",
  NODE_ADDRESS: "127.0.0.1:7100",
  CLUSTER_SECRET: "a secret of thirty-two characters",
  PUBLIC_URL: "http://emporion.example",
  DATABASE_URL: "postgresql://emporion@db/emporion"
})

const peer = { address: "192.0.2.7", port: 4711 }
const noServer = {} as RuntimeServer<unknown>

/** Nodes that take turns in writing, each an answer for every request that it gets. */
class Turns {
  #current = Deferred.makeUnsafe<ServingWriter>()
  #end = Deferred.makeUnsafe<void>()
  #arrival = (): void => undefined
  /** Once a request arrived. */
  readonly arrived = new Promise<void>((resolve) => {
    this.#arrival = resolve
  })
  readonly keys: Array<string | null> = []
  readonly callers: Array<unknown> = []

  readonly layer = Layer.succeed(
    Nodes,
    Nodes.of({
      writer: () => undefined,
      isAlive: () => true,
      serving: Effect.suspend(() => Deferred.await(this.#current))
    })
  )

  /** From now on a node writes that answers so. */
  readonly next = Effect.fnUntraced(
    { self: this },
    function* (this: Turns, answer: (request: Request) => Response | Promise<Response>) {
      const { cluster } = yield* Settings
      if (cluster === undefined) throw new Error("CLUSTER is off")
      const credential = makeCredential(cluster.secret)
      const node = yield* Effect.acquireRelease(
        Effect.sync(() =>
          Bun.serve({
            port: 0,
            fetch: (request) => {
              this.#arrival()
              this.keys.push(request.headers.get("idempotency-key"))
              this.callers.push(callerOf(request, credential))
              return answer(request)
            }
          })
        ),
        (server) => Effect.promise(() => server.stop(true))
      )
      this.goTo(`127.0.0.1:${node.port}`)
      return node
    }
  )

  goTo(address: string): void {
    const before = this.#end
    this.#end = Deferred.makeUnsafe()
    if (Deferred.isDoneUnsafe(this.#current)) this.#current = Deferred.makeUnsafe()
    const writer = { address, holder: address, term: 1n, isServing: true, replaced: Deferred.await(this.#end) }
    Deferred.doneUnsafe(this.#current, Effect.succeed(writer))
    Deferred.doneUnsafe(before, Effect.void)
  }
}

type Body = (turns: Turns) => Effect.Effect<void, never, Forwarding | Settings | Scope.Scope>

const withTurns = (name: string, body: Body) =>
  itLive(name, () =>
    Effect.suspend(() => {
      const turns = new Turns()
      return Effect.scoped(body(turns)).pipe(
        Effect.provide(Forwarding.layer.pipe(Layer.provide(turns.layer), Layer.provideMerge(SETTINGS)))
      )
    })
  )

const asked = (method: string, path: string, headers: Record<string, string> = {}) =>
  Effect.flatMap(Forwarding, ({ answer }) =>
    Effect.promise(() =>
      answer(
        new Request(`http://emporion.example${path}`, {
          method,
          headers,
          ...(method === "POST" ? { body: "{}" } : {})
        }),
        peer,
        noServer
      ).then((response) => response ?? new Response("upgraded", { status: 101 }))
    )
  )

const COMMIT = "/api/arena/commitments"

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
    ["POST", "/api/v1/auth/token"]
  ] as const) {
    withTurns(`is not sent twice where no key keeps it from being executed twice: ${method} ${path}`, (turns) =>
      Effect.gen(function* () {
        yield* turns.next(() => {
          turns.goTo("127.0.0.1:1")
          return new Promise<Response>(() => undefined)
        })
        const response = yield* asked(method, path)
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
})
