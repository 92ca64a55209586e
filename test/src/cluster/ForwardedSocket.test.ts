import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { connect } from "../../../src/cluster/ForwardedSocket.ts"
import { Forwarding } from "../../../src/cluster/Forwarding.ts"
import { Nodes } from "../../../src/cluster/Nodes.ts"
import { LocalApp, socketsOf } from "../../../src/cluster/LocalApp.ts"
import { Settings } from "../../../src/Config.ts"
import * as BunRuntime from "../../../src/runtime/bun/BunRuntime.ts"
import { ServerRuntime } from "../../../src/runtime/ServerRuntime.ts"
import { NODE_LOST } from "../../../src/http/WebSocketRoutes.ts"
import { eventually } from "../../lib/ServerProcess.ts"
import { NO_NEWS } from "../../lib/WritingNodes.ts"
import { itLive } from "../../lib/Effects.ts"

const LIMIT = 10_000

const SETTINGS = Settings.layerOf({
  APP_MODE: "sandbox",
  CLUSTER: "on",
  NODE_ADDRESS: "127.0.0.1:7100",
  CLUSTER_SECRET: "a secret of thirty-two characters",
  PUBLIC_URL: "http://emporion.example",
  DATABASE_URL: "postgresql://emporion@db/emporion"
})

/** The node that writes: it greets who asks for that, echoes, closes with 4401 when told, and refuses who has no cookie. */
const writing = (ends: Array<number>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      Bun.serve({
        port: 0,
        fetch: (request, server) => {
          if (request.headers.get("cookie") === null) return Response.json({ code: "unauthorized" }, { status: 401 })
          const data = { isGreeted: request.url.endsWith("?greet") }
          return server.upgrade(request, { data, headers: { "sec-websocket-protocol": "arena" } })
            ? undefined
            : new Response("?")
        },
        websocket: {
          data: {} as { readonly isGreeted: boolean },
          close: (_, code) => void ends.push(code),
          open: (socket) => {
            if (socket.data.isGreeted) for (const message of GREETING) socket.send(message)
          },
          message: (socket, message) => {
            if (message === "close") socket.close(4401, "expired")
            else socket.send(message)
          }
        }
      })
    ),
    (server) => Effect.promise(() => server.stop(true))
  )

/** What is said on a connection before its caller said anything. */
const GREETING = ["hello", "again"]

/** A node that stands by, and the one that writes behind it. */
const standby = Effect.gen(function* () {
  const ends: Array<number> = []
  const writer = yield* writing(ends)
  const serving = {
    address: `127.0.0.1:${writer.port}`,
    holder: "a",
    term: 1n,
    isServing: true,
    replaced: Effect.never
  }
  const nodes = Nodes.of({
    writer: () => serving,
    serving: Effect.succeed(serving),
    servingNow: () => undefined,
    isAlive: () => true,
    ...NO_NEWS
  })
  const context = yield* Layer.build(
    Forwarding.layer.pipe(Layer.provide(Layer.merge(Layer.succeed(Nodes, nodes), SETTINGS)))
  )
  const forwarding = yield* Effect.provideContext(Forwarding, context)
  const runtime = yield* Effect.provide(ServerRuntime, BunRuntime.layer)
  const node = runtime.listen<unknown>({
    port: 0,
    hostname: "127.0.0.1",
    tls: undefined,
    idleSeconds: 60,
    maxMessageBytes: 65_536,
    maxBufferedBytes: 65_536,
    answer: forwarding.answer,
    failed: () => new Response(null, { status: 500 }),
    sockets: socketsOf(new LocalApp(() => []))
  })
  yield* Effect.addFinalizer(() => Effect.promise(() => node.stop(true)))
  return { url: `127.0.0.1:${node.port}`, ends, forwarding, writer }
})

const ASKED = { cookie: "a=b", "sec-websocket-protocol": "arena" }

const opened = (url: string) =>
  new Promise<WebSocket>((resolve, reject) => {
    const socket = new WebSocket(`ws://${url}/ws/arena`, { headers: ASKED } as never)
    socket.binaryType = "arraybuffer"
    socket.addEventListener("open", () => resolve(socket))
    socket.addEventListener("close", reject)
  })

const echoed = (socket: WebSocket, message: string | Uint8Array<ArrayBuffer>) =>
  new Promise<unknown>((resolve) => {
    socket.addEventListener("message", ({ data }) => resolve(data), { once: true })
    socket.send(message)
  })

const closed = (socket: WebSocket, act: () => void) =>
  new Promise<readonly [number, string]>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => resolve([code, reason]))
    act()
  })

describe("A WebSocket through another node", () => {
  itLive("carries texts and bytes, and the protocol that was chosen", () =>
    Effect.gen(function* () {
      const { url } = yield* standby
      const socket = yield* Effect.promise(() => opened(url))
      expect(socket.protocol).toBe("arena")
      expect(yield* Effect.promise(() => echoed(socket, "text"))).toBe("text")
      const bytes = yield* Effect.promise(() => echoed(socket, new Uint8Array([1, 2, 3])))
      expect([...new Uint8Array(bytes as ArrayBuffer)]).toEqual([1, 2, 3])
    })
  )

  itLive("carries what its writer says before the caller's side is open", () =>
    Effect.gen(function* () {
      const writer = yield* writing([])
      const url = `ws://127.0.0.1:${writer.port}/ws/arena?greet`
      const socket = yield* Effect.promise(() => connect(url, new Headers(ASKED)))
      const told: Array<unknown> = []
      const closed = yield* Effect.promise(
        () =>
          new Promise<number>((resolve) => {
            const caller = { readyState: WebSocket.OPEN, send: (said: unknown) => told.push(said), close: resolve }
            socket?.listener.message(caller as never, "close")
            socket?.listener.open(caller as never)
          })
      )
      expect(told).toEqual(GREETING)
      expect(closed).toBe(4401)
    })
  )

  itLive("ends as its writer ends it", () =>
    Effect.gen(function* () {
      const { url } = yield* standby
      const socket = yield* Effect.promise(() => opened(url))
      expect(yield* Effect.promise(() => closed(socket, () => socket.send("close")))).toEqual([4401, "expired"])
    })
  )

  itLive("has its client connect again where either node goes away", () =>
    Effect.gen(function* () {
      const { ends, forwarding, url, writer } = yield* standby
      const first = yield* Effect.promise(() => opened(url))
      const [left] = yield* Effect.promise(() => closed(first, () => forwarding.loseSockets("bye")))
      expect(left).toBe(1001)
      // The node that writes is told who ended it.
      expect(yield* eventually("the end at the writer", LIMIT, () => ends[0])).toBe(NODE_LOST)
      const second = yield* Effect.promise(() => opened(url))
      const [gone] = yield* Effect.promise(() => closed(second, () => void writer.stop(true)))
      expect(gone).toBe(1001)
    })
  )

  itLive("is refused as its writer refuses it", () =>
    Effect.gen(function* () {
      const { url } = yield* standby
      const headers = { connection: "upgrade", upgrade: "websocket", "sec-websocket-version": "13" }
      const key = { "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" }
      const status = yield* Effect.promise(async () => (await ask(url, { ...headers, ...key })).status)
      expect(status).toBe(401)
    })
  )
})

const ask = (url: string, headers: Record<string, string>) => fetch(`http://${url}/ws/arena`, { headers })
