import { describe, expect } from "bun:test"
import { Effect, Exit, Fiber, Layer, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import {
  ALIVE,
  CALLERS,
  FOLLOW,
  forwardedHeaders,
  HAND_OVER,
  LAG,
  nodeHeaders,
  READS,
  REQUESTS
} from "../../../src/cluster/ForwardedRequest.ts"
import { EdgeReads } from "../../../src/cluster/EdgeReads.ts"
import { EdgeStream } from "../../../src/cluster/EdgeStream.ts"
import { AcknowledgedPosition } from "../../../engine/cluster/Position.ts"
import { Forwarding } from "../../../src/cluster/Forwarding.ts"
import { make as makeCredential } from "../../../src/cluster/NodeCredential.ts"
import { LeaveNotice, NodeServer } from "../../../src/cluster/NodeServer.ts"
import type { Writer } from "../../../src/database/NodeRepository.ts"
import { Nodes } from "../../../src/cluster/Nodes.ts"
import { Settings } from "../../../src/Config.ts"
import * as BunRuntime from "../../../src/runtime/bun/BunRuntime.ts"
import type { ListenOptions } from "../../../src/runtime/ServerRuntime.ts"
import { NO_NEWS } from "../../lib/WritingNodes.ts"
import { itEffect, itLive } from "../../lib/Effects.ts"
import { freePort } from "../../lib/FreePort.ts"

const SECRET = "a secret of thirty-two characters"

const HERE = { address: "127.0.0.1:1", holder: "a", term: 1n, isServing: true }

/** A node on free ports: what it forwards is answered 202. */
const started = Effect.fnUntraced(function* (
  writer: () => Writer | undefined,
  reaches = () => true,
  notice: Layer.Layer<never> = Layer.succeed(LeaveNotice, 0)
) {
  const port = yield* freePort
  const settings = Settings.layerOf({
    PORT: "0",
    APP_MODE: "sandbox",
    CLUSTER: "on",
    NODE_ADDRESS: "127.0.0.1:2",
    NODE_LISTEN: `127.0.0.1:${port}`,
    CLUSTER_SECRET: SECRET,
    PUBLIC_URL: "http://emporion.example",
    DATABASE_URL: "postgresql://emporion@db/emporion"
  })
  const edge = EdgeStream.of({
    serves: ({ headers }) => headers.has("upgrade"),
    answer: () => Promise.resolve(new Response("served", { status: 202 })),
    lag: () => 3,
    close: Effect.void,
    diverged: Effect.never
  })
  const forwarding = Forwarding.of({
    answer: ({ url }) => Promise.resolve(new Response("forwarded", { status: url.endsWith("/metrics") ? 200 : 202 })),
    admit: () => Promise.resolve(new Response(null, { status: 503 })),
    asking: { node: "127.0.0.1:2", run: "first" },
    acknowledged: new AcknowledgedPosition(),
    follows: () => undefined,
    reaches,
    pending: () => 0,
    loseSockets: () => undefined
  })
  const reads = EdgeReads.of({
    pending: () => 0,
    answer: ({ url }) => {
      if (!url.includes("/read")) return undefined
      return Promise.resolve(url.endsWith("/read") ? new Response("read", { status: 202 }) : undefined)
    }
  })
  const nodes = Nodes.of({
    writer,
    serving: Effect.never,
    servingNow: () => undefined,
    isAlive: () => true,
    ...NO_NEWS
  })
  const context = yield* Layer.build(
    NodeServer.layer.pipe(
      Layer.provide(
        Layer.mergeAll(
          Layer.succeed(Forwarding, forwarding),
          Layer.succeed(Nodes, nodes),
          Layer.succeed(EdgeStream, edge),
          Layer.succeed(EdgeReads, reads)
        )
      ),
      Layer.provide(Layer.mergeAll(BunRuntime.layer, settings, notice))
    )
  )
  const node = yield* Effect.provideContext(NodeServer, context)
  return { node, inner: `http://127.0.0.1:${port}` }
})

const fetched = async (url: string, headers: Headers, method: string) => {
  const response = await fetch(url, { headers, method })
  return { status: response.status, text: await response.text() }
}

/** What an answer says of its connection, or that there is none. */
const connectionAfter = (url: string) =>
  fetch(url).then(
    ({ headers }) => headers.get("connection"),
    () => "refused"
  )

const get = (url: string, headers = new Headers(), method = "GET") =>
  Effect.promise(() => fetched(url, headers, method))

/** An app that answers who asks, unless told otherwise. */
const listen = (
  node: NodeServer["Service"],
  answer: ListenOptions<unknown>["answer"] = (_, { address }) => new Response(`app for ${address}`)
) =>
  node.app.listen({
    port: 0,
    hostname: "",
    tls: undefined,
    idleSeconds: 1,
    maxMessageBytes: 1,
    maxBufferedBytes: 1,
    answer,
    failed: () => new Response(null, { status: 500 }),
    sockets: {
      open: () => undefined,
      message: () => undefined,
      pong: () => undefined,
      drain: () => undefined,
      close: () => undefined,
      ended: () => undefined
    }
  })

const credential = makeCredential(Redacted.make(SECRET))

/** A request of a node's caller, and one of its own. */
const fromNode = () => forwardedHeaders(new Headers(), { address: "192.0.2.7", port: 1 }, credential)

describe("A node's listeners", () => {
  itLive("forward what callers ask, until the app of the node itself listens, and again when it does not", () =>
    Effect.gen(function* () {
      const { inner, node } = yield* started(() => HERE)
      expect((yield* get(`${node.url}/v1/info`)).status).toBe(202)
      expect((yield* get(`${inner}/v1/info`, fromNode())).status).toBe(421)
      const server = listen(node)
      expect((yield* get(`${inner}${ALIVE}`, nodeHeaders(credential))).status).toBe(204)
      expect(yield* get(`${node.url}/v1/info`)).toEqual({ status: 200, text: "app for 127.0.0.1" })
      expect(yield* get(`${inner}/v1/info`, fromNode())).toEqual({ status: 200, text: "app for 192.0.2.7" })
      yield* Effect.promise(() => server.stop())
      expect((yield* get(`${node.url}/v1/info`)).status).toBe(202)
      expect((yield* get(`${inner}/v1/info`, fromNode())).status).toBe(421)
    })
  )

  itLive("have the node that writes then answer reads that the app fails at its end, or that end after it", () =>
    Effect.gen(function* () {
      const { inner, node } = yield* started(() => HERE)
      const waiting = new Map<string, (response: Response) => void>()
      const server = listen(
        node,
        ({ url }) => new Promise((resolve) => waiting.set(url.replace(/^.*\/v1\//, ""), resolve))
      )
      const asked = ["kept", "failed", "late"].flatMap((path) => [
        fetched(`${node.url}/v1/${path}`, new Headers(), "GET"),
        fetched(`${inner}/v1/${path}/inside`, fromNode(), "GET")
      ])
      const answer = (path: string, status: number) => {
        for (const one of [path, `${path}/inside`]) waiting.get(one)?.(new Response("of the app", { status }))
      }
      while (waiting.size < asked.length) yield* Effect.sleep(1)
      expect([server.pendingChanges, node.app.pending]).toEqual([0, 6])
      yield* Effect.promise(() => server.stop())
      answer("failed", 503)
      answer("kept", 200)
      while (node.app.pending > 2) yield* Effect.sleep(1)
      // From here on another node may write.
      yield* Effect.promise(() => server.stop(true))
      answer("late", 200)
      const of = { status: 200, text: "of the app" }
      const forwarded = { status: 202, text: "forwarded" }
      const elsewhere = { status: 421, text: "" }
      expect(yield* Effect.promise(() => Promise.all(asked))).toEqual([
        of,
        of,
        forwarded,
        elsewhere,
        forwarded,
        elsewhere
      ])
      expect(node.app.pending).toBe(0)
    })
  )

  itLive("let the app answer itself what may change something, and count it", () =>
    Effect.gen(function* () {
      const { node } = yield* started(() => HERE)
      const waiting: Array<(response: Response) => void> = []
      const server = listen(node, () => new Promise((resolve) => waiting.push(resolve)))
      const asked = (
        [
          ["POST", "/v1/info"],
          ["GET", "/auth/google/callback?code=c"],
          ["GET", "/auth/ecommerce/callback?shop=s&code=c"],
          ["HEAD", "/auth/google/callback?code=c"]
        ] as const
      ).map(([method, path]) => fetched(node.url + path, new Headers(), method))
      while (waiting.length < asked.length) yield* Effect.sleep(1)
      expect(server.pendingChanges).toBe(4)
      yield* Effect.promise(() => server.stop())
      for (const give of waiting) give(new Response(null, { status: 503 }))
      const answers = yield* Effect.promise(() => Promise.all(asked))
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503])
      expect([server.pendingChanges, node.app.pending]).toEqual([0, 0])
    })
  )

  itLive("serve the stream and their own metrics where the node does not write", () =>
    Effect.gen(function* () {
      const { node } = yield* started(() => HERE)
      const stream = `${node.url}/ws/arena`
      const upgrade = new Headers({ upgrade: "emporion" })
      expect((yield* get(stream, upgrade)).text).toBe("served")
      const { text } = yield* get(`${node.url}/metrics`)
      expect(text).not.toContain("forwarded")
      listen(node)
      expect((yield* get(stream, upgrade)).text).toBe("app for 127.0.0.1")
    })
  )

  itLive("answer what the node can read itself, and forward what it cannot", () =>
    Effect.gen(function* () {
      const { node } = yield* started(() => HERE)
      expect((yield* get(`${node.url}/read`)).text).toBe("read")
      expect((yield* get(`${node.url}/read/stale`)).text).toBe("forwarded")
      listen(node)
      expect((yield* get(`${node.url}/read`)).text).toBe("app for 127.0.0.1")
    })
  )

  itLive("say how far the node is behind where it does not write", () =>
    Effect.gen(function* () {
      const { inner, node } = yield* started(() => HERE)
      expect((yield* get(`${inner}${LAG}`, nodeHeaders(credential))).text).toBe("3")
      listen(node)
      expect((yield* get(`${inner}${LAG}`, nodeHeaders(credential))).text).toBe("null")
    })
  )

  itLive("take from nodes alone what is meant for nodes", () =>
    Effect.gen(function* () {
      const { inner, node } = yield* started(() => HERE)
      listen(node)
      expect((yield* get(`${inner}/v1/info`)).status).toBe(403)
      const other = makeCredential(Redacted.make("another secret of as many characters"))
      const forged = forwardedHeaders(new Headers(), { address: "192.0.2.7", port: 1 }, other)
      expect((yield* get(`${inner}/v1/info`, forged)).status).toBe(403)
      expect((yield* get(`${inner}/health/ready`)).status).toBe(403)
    })
  )

  itLive("are ready where somebody wrote a moment ago, and not while the node leaves", () =>
    Effect.gen(function* () {
      let writer: Writer | undefined
      let isReached = false
      const { node } = yield* started(
        () => writer,
        () => isReached
      )
      expect((yield* get(`${node.url}/health/live`)).status).toBe(200)
      expect((yield* get(`${node.url}/health/ready`)).status).toBe(503)
      writer = { ...HERE, isServing: false }
      expect((yield* get(`${node.url}/health/ready`)).status).toBe(503)
      yield* node.prepared
      const nobody = yield* get(`${node.url}/health/ready`)
      expect(nobody.status).toBe(503)
      expect(nobody.text).toContain("No node takes requests at the moment.")
      // Until the next writer begins, requests wait here.
      isReached = true
      expect((yield* get(`${node.url}/health/ready`)).status).toBe(200)
      writer = HERE
      expect((yield* get(`${node.url}/health/ready`)).status).toBe(200)
      isReached = false
      expect((yield* get(`${node.url}/health/ready`)).text).toContain("cannot be reached")
      isReached = true
      yield* node.leave
      expect((yield* get(`${node.url}/health/ready`)).status).toBe(503)
      expect((yield* get(`${node.url}/v1/info`)).status).toBe(202)
    })
  )

  itEffect("still take requests for a second once the node ends, and are not ready meanwhile", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { node } = yield* Scope.provide(
        started(
          () => HERE,
          () => true,
          Layer.empty
        ),
        scope
      )
      yield* node.prepared
      expect((yield* get(`${node.url}/health/ready`)).status).toBe(200)
      const ending = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* TestClock.adjust("999 millis")
      expect((yield* get(`${node.url}/health/ready`)).status).toBe(503)
      expect(yield* Effect.promise(() => connectionAfter(`${node.url}/v1/info`))).toBe("close")
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(ending)
      expect(yield* Effect.promise(() => connectionAfter(`${node.url}/v1/info`))).toBe("refused")
    })
  )

  itLive("hand over where another node asks for it", () =>
    Effect.gen(function* () {
      const { inner, node } = yield* started(() => HERE)
      expect((yield* get(`${inner}${HAND_OVER}`, new Headers(), "POST")).status).toBe(403)
      expect((yield* get(`${inner}${HAND_OVER}`, nodeHeaders(credential), "POST")).status).toBe(202)
      yield* node.handedOver
    })
  )

  itLive("have no paths of their own for callers, whichever node these ask", () =>
    Effect.gen(function* () {
      const { inner, node } = yield* started(() => HERE)
      listen(node)
      for (const path of [HAND_OVER, LAG, ALIVE, FOLLOW, REQUESTS, CALLERS, READS]) {
        const answer = yield* get(`${inner}${path}`, fromNode(), "POST")
        expect([path, answer]).toEqual([path, { status: 200, text: "app for 192.0.2.7" }])
      }
      expect((yield* get(`${inner}/v1/info`, nodeHeaders(credential))).status).toBe(404)
    })
  )
})
