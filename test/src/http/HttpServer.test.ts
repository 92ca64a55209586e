import { describe, expect } from "bun:test"
import { Context, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { connect } from "node:net"
import { ApiError } from "../../../src/api/ApiError.ts"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { MAX_PIPELINED } from "../../../src/http/ConnectionLimits.ts"
import { Readiness } from "../../../src/http/Readiness.ts"
import * as WebSocketRoute from "../../../src/http/WebSocketRoutes.ts"
import { WebSocketRoutes } from "../../../src/http/WebSocketRoutes.ts"
import { slowRequests } from "../../lib/ProbeApi.ts"
import { itLive } from "../../lib/Effects.ts"
import { layer, leapingDate, stillDate } from "../../lib/ProbeServer.ts"
import { post, send } from "../../lib/Requests.ts"
import { OWN_RUNTIME } from "../../lib/Programs.ts"

interface Seen {
  readonly told: Array<string>
}

const echo = (seen: Seen) =>
  WebSocketRoute.make<{ readonly token: string }>({
    path: "/ws/echo",
    authorize: (request) => {
      const token = request.headers.get("authorization") ?? ""
      return token === "Bearer bad"
        ? Effect.fail(new ApiError("unauthorized"))
        : Effect.succeed({ state: { token }, principal: undefined, protocol: "echo.v1" })
    },
    open: (socket) => void socket.send(`hello ${socket.data.state.token}`),
    message: (socket, message) => void socket.send(`echo ${String(message)}`),
    close: (_, code) => void seen.told.push(`closed ${code}`),
    drain: () => {},
    shutdown: Effect.sync(() => void seen.told.push("shutdown")),
    listening: (server) => void seen.told.push(`listening ${server.port !== undefined}`)
  })

const routed = (seen: Seen, variables?: Readonly<Record<string, string>>, date = stillDate) =>
  layer(variables, date).pipe(Layer.provide(Layer.succeed(WebSocketRoutes, [echo(seen)])))

interface Conversation {
  readonly messages: Array<string>
  readonly socket: WebSocket
  readonly closed: Promise<number>
  readonly next: () => Promise<string>
}

const Client = WebSocket as unknown as new (
  url: string,
  options: { readonly headers: Record<string, string>; readonly protocols: ReadonlyArray<string> }
) => WebSocket

const converse = (url: string, headers: Record<string, string> = {}): Conversation => {
  const socket = new Client(url.replace("http", "ws"), { headers, protocols: ["ticket", "echo.v1"] })
  const messages: Array<string> = []
  const waiting: Array<(message: string) => void> = []
  socket.addEventListener("message", ({ data }) => {
    const resolve = waiting.shift()
    if (resolve === undefined) messages.push(String(data))
    else resolve(String(data))
  })
  const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)))
  const next = () => {
    const message = messages.shift()
    return message === undefined ? new Promise<string>((resolve) => waiting.push(resolve)) : Promise.resolve(message)
  }
  return { messages, socket, closed, next }
}

/** Sends all at once, or each after the answer before it. What is answered until the server closes, split by answers. */
const untilClosed = (url: string, requests: string | ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    let told = ""
    let sent = 1
    const answers = () => told.split("HTTP/1.1").slice(1)
    const socket = connect(Number(port), hostname, () => {
      socket.write(typeof requests === "string" ? requests : (requests[0] ?? ""))
    })
    socket.on("data", (bytes) => {
      told += bytes.toString("latin1")
      if (typeof requests === "string" || answers().length < sent) return
      socket.write(requests[sent] ?? "")
      sent += 1
    })
    socket.on("error", () => {})
    socket.on("close", () => resolve(answers()))
  })

const isLast = (answer: string): boolean => /^connection: close\r$/im.test(answer)

/** What is answered to bytes, up to the end of the first answer's body. */
const exchanged = (host: string, port: number, sent: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(sent))
    let told = ""
    socket.on("data", (bytes) => {
      told += bytes.toString()
      if (told.endsWith("}")) socket.end()
    })
    socket.on("close", () => resolve(told))
    socket.on("error", reject)
  })

const running = <A, E>(
  seen: Seen,
  use: (url: string, stop: Effect.Effect<void>, readiness: Readiness["Service"]) => Effect.Effect<A, E>,
  date = stillDate
) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(Layer.fresh(routed(seen, {}, date)), scope)
    const stop = Scope.close(scope, Exit.void)
    yield* Effect.addFinalizer(() => stop)
    yield* use(Context.get(context, HttpServer).url, stop, Context.get(context, Readiness))
  })

describe("HttpServer", () => {
  itLive("takes WebSocket connections on their paths", () => {
    const seen: Seen = { told: [] }
    return running(seen, (url) =>
      Effect.gen(function* () {
        const { next, socket } = converse(`${url}/ws/echo?x=1`, { authorization: "Bearer me" })
        expect(yield* Effect.promise(next)).toBe("hello Bearer me")
        expect(socket.protocol).toBe("echo.v1")
        socket.send("one")
        expect(yield* Effect.promise(next)).toBe("echo one")
        expect(seen.told).toEqual(["listening true"])
      })
    )
  })

  itLive("answers a refused upgrade like every error", () =>
    running({ told: [] }, (url) =>
      Effect.gen(function* () {
        const upgrade = { upgrade: "websocket", connection: "Upgrade", authorization: "Bearer bad" }
        const refused = yield* send(`${url}/ws/echo`, { headers: upgrade })
        expect([refused.status, refused.headers.get("x-ratelimit-limit")]).toEqual([401, "100"])
        expect(refused.json).toMatchObject({ code: "unauthorized" })
        const plain = yield* send(`${url}/ws/echo`)
        expect(plain.json).toEqual({ message: "Connect to this address with a WebSocket.", code: "invalid_request" })
        for (const method of ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
          const { headers, status } = yield* send(`${url}/ws/echo`, { method })
          expect([method, status, headers.get("allow")]).toEqual([method, 405, "GET"])
        }
      })
    )
  )

  itLive("refuses a request that names several hosts, before anything else", () =>
    running({ told: [] }, (url) =>
      Effect.gen(function* () {
        const { host, hostname, port } = new URL(url)
        const asked = (hosts: ReadonlyArray<string>) =>
          Effect.promise(() => {
            const lines = ["GET /v1/probe/whoami HTTP/1.1", ...hosts.map((name) => `Host: ${name}`)]
            return exchanged(hostname, Number(port), [...lines, "Connection: close", "", ""].join("\r\n"))
          })
        const hostile = [
          [host, "evil.example"],
          [host, host],
          [`${host}, evil.example`],
          ["a b"],
          ["a/x"],
          ["a@b"],
          ["a\\b"]
        ]
        for (const hosts of hostile) {
          const answer = yield* asked(hosts)
          expect(answer).toStartWith("HTTP/1.1 400 ")
          // Deno refuses some of them by itself, with the status alone.
          if (OWN_RUNTIME === "deno") continue
          expect(answer).toContain('"code":"invalid_request"')
          expect(answer.toLowerCase()).toContain("x-ratelimit-limit: ")
        }
        for (const hosts of [[host], ["emporion.example"], ["[::1]:3000"]]) {
          expect(yield* asked(hosts)).toStartWith("HTTP/1.1 401 ")
        }
        const upgrade = [
          "GET /ws/echo HTTP/1.1",
          `Host: ${host}`,
          "Host: b",
          "Upgrade: websocket",
          "Connection: Upgrade"
        ]
        const key = ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", ""]
        const refused = yield* Effect.promise(() =>
          exchanged(hostname, Number(port), [...upgrade, ...key].join("\r\n"))
        )
        expect(refused).toStartWith("HTTP/1.1 400 ")
      })
    )
  )

  itLive("drains: running requests end, sockets hear 1001, nothing more is taken", () => {
    const seen: Seen = { told: [] }
    return running(seen, (url, stop, readiness) =>
      Effect.gen(function* () {
        const { closed, next } = converse(`${url}/ws/echo`)
        yield* Effect.promise(next)
        const before = slowRequests.begun
        const slow = yield* Effect.forkChild(send(`${url}/v1/probe/fail/slow`, post({})))
        while (slowRequests.begun === before) yield* Effect.sleep(1)
        yield* stop
        expect((yield* Fiber.join(slow)).status).toBe(200)
        expect(yield* Effect.promise(() => closed)).toBe(1001)
        expect(readiness.draining()).toBe(true)
        expect((yield* Effect.flip(readiness.check)).code).toBe("unavailable")
        expect(seen.told).toEqual(["listening true", "shutdown", "closed 1001"])
        expect(Exit.isFailure(yield* Effect.exit(send(`${url}/health/live`)))).toBe(true)
      })
    )
  })

  itLive("drains for as long where the clock is set forward meanwhile", () =>
    running(
      { told: [] },
      (url, stop) =>
        Effect.gen(function* () {
          const before = slowRequests.begun
          const slow = yield* Effect.forkChild(send(`${url}/v1/probe/fail/slow`, post({})))
          while (slowRequests.begun === before) yield* Effect.sleep(1)
          yield* stop
          expect((yield* Fiber.join(slow)).status).toBe(200)
        }),
      leapingDate
    )
  )

  // Deno reads the next request of a connection when the one before is answered, and serves others between them.
  const itAtOnce = OWN_RUNTIME === "bun" ? itLive : () => undefined
  itAtOnce("closes a connection that sends more at once than is answered before others, whatever it asks for", () =>
    running({ told: [] }, (url) =>
      Effect.gen(function* () {
        const many = "GET /v1/probe/items HTTP/1.1\r\nHost: x\r\n\r\n".repeat(2_000)
        const answers = yield* Effect.promise(() => untilClosed(url, many))
        expect(answers.length).toBeGreaterThan(MAX_PIPELINED)
        // What was not read at once begins to count anew.
        expect(answers.length).toBeLessThan(20 * MAX_PIPELINED)
        expect(answers.filter((answer) => answer.startsWith(" 200 ")).length).toBe(answers.length)
        expect(answers.map(isLast)).toEqual(answers.map((_, index) => index === answers.length - 1))
      })
    )
  )

  itLive("closes a connection with the twentieth refusal in a row", () =>
    running({ told: [] }, (url) =>
      Effect.gen(function* () {
        const head = " HTTP/1.1\r\nHost: x\r\n\r\n"
        const inTurn = [...Array(19).fill("/nowhere"), "/v1/probe/items", ...Array(30).fill("/nowhere")]
        const answers = yield* Effect.promise(() =>
          untilClosed(
            url,
            inTurn.map((path) => `GET ${path}${head}`)
          )
        )
        // Deno keeps a connection after its last answer, and breaks off what is sent on it nevertheless.
        const after = OWN_RUNTIME === "bun" ? 0 : 1
        expect(answers).toHaveLength(19 + 1 + 20 + after)
        expect(answers.map(isLast)).toEqual(answers.map((_, index) => index >= answers.length - 1 - after))
      })
    )
  )

  itLive("says which address cannot be listened on", () =>
    running({ told: [] }, (url) =>
      Effect.gen(function* () {
        const port = new URL(url).port
        const error = yield* Effect.flip(Effect.scoped(Layer.build(Layer.fresh(layer({ PORT: port })))))
        expect(error).toMatchObject({ _tag: "CannotListen" })
        expect(String((error as Error).message)).toStartWith(`Cannot listen on 127.0.0.1:${port}: `)
      })
    )
  )
})
