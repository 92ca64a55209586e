import { describe, expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { ANSWER_TIMEOUT } from "../../../engine/webhooks/DeliverySchedule.ts"
import { MAX_ANSWER } from "../../../src/webhooks/ResponseText.ts"
import { itEffect } from "../../lib/Effects.ts"
import { HOSTILE_HOSTS } from "../../lib/HostileHosts.ts"
import { selfSigned } from "../../lib/SelfSigned.ts"
import { rawReceiver, resolverOf, testSender, webhookReceiver } from "../../lib/WebhookReceiver.ts"

const hello = (url: string) => ({ url, headers: { "content-type": "application/json" }, body: '{"é":"€"}' })

/** What a server that writes such bytes is taken for. */
const outcomeOf = (bytes: string) =>
  Effect.gen(function* () {
    const port = yield* rawReceiver((socket) => void socket.end(bytes))
    const { send } = yield* testSender()
    return yield* send(hello(`http://127.0.0.1:${port}/`))
  })

describe("WebhookSender", () => {
  itEffect("posts the bytes to the endpoint's path, and tells its answer", () =>
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver()
      receiver.answer(() => ({ status: 201, body: "taken" }))
      const { send } = yield* testSender()
      const outcome = yield* send(hello(`${receiver.url}/hooks/1?key=a%20b`))
      expect(outcome).toEqual({ startedAt: 0, durationMs: 0, status: 201, error: null, answer: "taken" })
      expect(receiver.received).toMatchObject([{ path: "/hooks/1?key=a%20b", body: '{"é":"€"}' }])
      expect(receiver.received[0]?.headers).toMatchObject({
        "content-type": "application/json",
        "content-length": "12",
        host: `127.0.0.1:${receiver.port}`
      })
    })
  )

  itEffect("keeps connections open for the deliveries after", () =>
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver()
      const { asked, resolver } = resolverOf({ "hook.example": [["127.0.0.1"]] })
      const { send } = yield* testSender({ resolver })
      const url = `http://hook.example:${receiver.port}/`
      for (let turn = 0; turn < 3; turn += 1) expect((yield* send(hello(url))).status).toBe(200)
      expect(new Set(receiver.received.map(({ from }) => from)).size).toBe(1)
      expect(asked).toEqual(["hook.example"])
    })
  )

  itEffect("sends again where a kept connection was closed meanwhile", () =>
    Effect.gen(function* () {
      let connections = 0
      const port = yield* rawReceiver((socket) => {
        if (socket.bytesWritten > 0) return void socket.destroy()
        connections += 1
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
      })
      const { send } = yield* testSender()
      for (let turn = 0; turn < 3; turn += 1) expect((yield* send(hello(`http://127.0.0.1:${port}/`))).status).toBe(200)
      expect(connections).toBe(3)
    })
  )

  itEffect("sends again on a new connection where all that were kept were closed", () =>
    Effect.gen(function* () {
      const port = yield* rawReceiver((socket) => {
        if (socket.bytesWritten > 0) return void socket.destroy()
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
      })
      const { send } = yield* testSender()
      const sending = send(hello(`http://127.0.0.1:${port}/`))
      yield* Effect.all([sending, sending, sending], { concurrency: "unbounded" })
      expect(yield* sending).toMatchObject({ status: 200, error: null })
    })
  )

  itEffect("gives up after 5 s without an answer, and closes the connection", () =>
    Effect.gen(function* () {
      let closed: () => void = () => undefined
      const whenClosed = new Promise<void>((resolve) => (closed = resolve))
      let arrived: () => void = () => undefined
      const whenArrived = new Promise<void>((resolve) => (arrived = resolve))
      const port = yield* rawReceiver((socket) => {
        socket.on("close", () => closed())
        arrived()
      })
      const { send } = yield* testSender()
      const sending = yield* Effect.forkChild(send(hello(`http://127.0.0.1:${port}/`)))
      yield* Effect.promise(() => whenArrived)
      yield* TestClock.adjust(ANSWER_TIMEOUT - 1)
      expect(sending.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(sending)).toEqual({
        startedAt: 0,
        durationMs: ANSWER_TIMEOUT,
        status: null,
        error: "no answer within 5 s",
        answer: null
      })
      yield* Effect.promise(() => whenClosed)
    })
  )

  itEffect("lets a status count whose body does not end in time", () =>
    Effect.gen(function* () {
      const port = yield* rawReceiver((socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"))
      const { send } = yield* testSender()
      const sending = yield* Effect.forkChild(send(hello(`http://127.0.0.1:${port}/`)))
      while (sending.pollUnsafe() === undefined) {
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* TestClock.adjust(1)
      }
      const { answer, error, status } = yield* Fiber.join(sending)
      expect({ answer, error, status }).toEqual({ answer: "abc", error: null, status: 200 })
    })
  )

  itEffect("follows no redirect, and says so", () =>
    Effect.gen(function* () {
      const inner = yield* webhookReceiver()
      const outer = yield* webhookReceiver()
      const { send } = yield* testSender()
      for (const status of [301, 302, 303, 307, 308]) {
        outer.answer(() => ({ status, headers: { location: inner.url } }))
        const outcome = yield* send(hello(outer.url))
        expect(outcome).toMatchObject({ status, error: `redirects are not followed; this one goes to ${inner.url}` })
      }
      expect(inner.received).toEqual([])
    })
  )

  itEffect("keeps the first 16 KiB of an answer and hangs up", () =>
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver()
      const { send } = yield* testSender()
      receiver.answer(() => ({ status: 200, body: "é".repeat(MAX_ANSWER) }))
      const { answer } = yield* send(hello(receiver.url))
      expect(answer).toBe("é".repeat(MAX_ANSWER / 2))
      receiver.answer(() => ({ status: 500, body: `a\u0000${"é".repeat(MAX_ANSWER)}` }))
      const odd = yield* send(hello(receiver.url))
      expect(odd).toMatchObject({ status: 500, answer: `a\uFFFD${"é".repeat(MAX_ANSWER / 2 - 1)}` })
    })
  )

  itEffect("says what is wrong with an answer that is none", () =>
    Effect.gen(function* () {
      const none = { status: null, answer: null }
      expect(yield* outcomeOf("hello\r\n\r\n")).toMatchObject({ ...none, error: "the answer is not HTTP" })
      const odd = "HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n"
      expect(yield* outcomeOf(odd)).toMatchObject({ ...none, error: "the answer is not HTTP" })
      const closed = "the connection was closed before an answer came"
      expect(yield* outcomeOf("")).toMatchObject({ ...none, error: closed })
      const long = `HTTP/1.1 200 OK\r\n${`x: ${"y".repeat(1_000)}\r\n`.repeat(200)}\r\n`
      expect(yield* outcomeOf(long)).toMatchObject({ ...none, error: "the answer's headers are too large" })
      const upgrade = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"
      expect(yield* outcomeOf(upgrade)).toMatchObject({ status: 101, error: "the answer changes the protocol" })
      const cut = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"
      expect(yield* outcomeOf(cut)).toMatchObject({ status: 200, error: null, answer: "abc" })
      const informed = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"
      expect(yield* outcomeOf(informed)).toMatchObject({ status: 204, error: null, answer: "" })
      const packed = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc"
      expect(yield* outcomeOf(packed)).toMatchObject({ status: 200, error: null, answer: "abc" })
    })
  )

  itEffect("says why a connection could not be made", () =>
    Effect.gen(function* () {
      const { resolver } = resolverOf({ "hook.example": [["127.0.0.1"]] })
      const { send } = yield* testSender({ resolver })
      const errorOf = (url: string) => Effect.map(send(hello(url)), ({ error }) => error)
      expect(yield* errorOf("http://nowhere.example/")).toBe("the name does not resolve")
      expect(yield* errorOf("http://hook.example:1/")).toBe("the connection was refused")
      const plain = yield* webhookReceiver()
      expect(yield* errorOf(`https://hook.example:${plain.port}/`)).toBe("the server does not speak TLS on this port")
    })
  )

  itEffect("believes only certificates of known authorities and for the name", () =>
    Effect.gen(function* () {
      const { certificate, key } = selfSigned("hook.example")
      const receiver = yield* webhookReceiver({ cert: certificate, key })
      const { resolver } = resolverOf({ "hook.example": [["127.0.0.1"]], "other.example": [["127.0.0.1"]] })
      const url = `https://hook.example:${receiver.port}/`
      const stranger = yield* testSender({ resolver })
      const error = "the certificate is signed by itself, not by an authority"
      expect(yield* stranger.send(hello(url))).toMatchObject({ status: null, error })
      const { send } = yield* testSender({ resolver, certificates: [certificate] })
      expect(yield* send(hello(url))).toMatchObject({ status: 200, error: null })
      expect(yield* send(hello(url.replace("hook", "other")))).toMatchObject({
        status: null,
        error: "the certificate is for another name"
      })
      expect(receiver.received.length).toBe(1)
    })
  )

  itEffect("sends to no address that is not public, in any spelling or protocol", () =>
    Effect.gen(function* () {
      const { asked, resolver } = resolverOf({})
      const { send } = yield* testSender({ variables: {}, resolver })
      for (const host of HOSTILE_HOSTS) {
        const { error, status } = yield* send(hello(`https://${host}/`))
        expect({ host, status, error }).toMatchObject({
          status: null,
          error: expect.stringContaining("public address")
        })
        expect((yield* send(hello(`http://${host}/`))).status).toBeNull()
      }
      expect(asked).toEqual([])
    })
  )

  itEffect("sends to no name of an address that is not public", () =>
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver()
      const { resolver } = resolverOf({ "hook.example": [["127.0.0.1"]], "both.example": [["1.1.1.1", "10.0.0.5"]] })
      const { send } = yield* testSender({ variables: {}, resolver })
      expect(yield* send(hello(`https://hook.example:${receiver.port}/`))).toMatchObject({
        status: null,
        error: "the name resolves to 127.0.0.1, which is a loopback address"
      })
      expect(yield* send(hello("https://both.example/"))).toMatchObject({
        error: "the name resolves to 10.0.0.5, which is a private address"
      })
      const system = yield* testSender({ variables: {} })
      expect((yield* system.send(hello(`https://localhost:${receiver.port}/`))).error).toContain("a loopback address")
      expect(receiver.received).toEqual([])
    })
  )

  itEffect("judges what it connects to when a name changes its mind", () =>
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver()
      const { asked, resolver } = resolverOf({ "hook.example": [["127.0.0.1"], ["127.0.0.2"]] })
      const { send } = yield* testSender({ variables: { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1" }, resolver })
      const url = `http://hook.example:${receiver.port}/`
      receiver.answer(() => ({ status: 200, headers: { connection: "close" } }))
      expect((yield* send(hello(url))).status).toBe(200)
      expect(asked.length).toBe(1)
      expect(yield* send(hello(url))).toMatchObject({ status: null, error: expect.stringContaining("127.0.0.2") })
      expect(receiver.received.length).toBe(1)
    })
  )

  itEffect("sends in the clear to named networks alone", () =>
    Effect.gen(function* () {
      const { resolver } = resolverOf({ "hook.example": [["1.1.1.1"]] })
      const { send } = yield* testSender({ resolver })
      const error = "not in WEBHOOK_ALLOWED_NETWORKS, to which alone plain http is sent"
      expect((yield* send(hello("http://hook.example/"))).error).toBe(`the name resolves to 1.1.1.1, which is ${error}`)
      expect((yield* send(hello("http://1.1.1.1/"))).error).toBe(`expected an allowed address: 1.1.1.1 is ${error}`)
    })
  )
})
