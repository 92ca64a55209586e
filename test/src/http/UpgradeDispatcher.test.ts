import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import * as WebSocketRoutes from "../../../src/http/WebSocketRoutes.ts"
import { withLayer } from "../../lib/Effects.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { send } from "../../lib/Requests.ts"
import { connectStalled } from "../../lib/StreamClient.ts"

/** How often somebody was asked about an upgrade. */
const asked = { times: 0 }

const silent = WebSocketRoutes.make({
  path: "/ws/silent",
  authorize: () =>
    Effect.sync(() => {
      asked.times += 1
      return { state: undefined, principal: undefined }
    }),
  open: () => {},
  message: () => {},
  close: () => {},
  drain: () => {},
  shutdown: Effect.void
})

const it = withLayer(
  layer({ RATE_LIMITS: "on" }).pipe(Layer.provide(Layer.succeed(WebSocketRoutes.WebSocketRoutes, [silent])))
)

/** The status and the headers of an answer as it came. */
const read = (handshake: string) => {
  const [first = "", ...lines] = handshake.split("\r\n\r\n", 1)[0]?.split("\r\n") ?? []
  const headers = new Headers(lines.map((line) => line.split(": ", 2) as [string, string]))
  return { status: Number(first.split(" ")[1]), headers }
}

describe("An upgrade to a WebSocket", () => {
  it("counts as a request, says so, and is refused beyond the limit", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      const connect = Effect.map(connectStalled(`${url}/ws/silent`, ""), ({ handshake }) => read(handshake))
      const first = yield* connect
      expect([first.status, first.headers.get("x-ratelimit-remaining")]).toEqual([101, "99"])
      expect(first.headers.get("x-ratelimit-limit")).toBe("100")
      expect(first.headers.get("x-ratelimit-reset")).toMatch(/^\d+$/)
      expect(first.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
      for (let sent = 1; sent < 100; sent++) yield* send(`${url}/nowhere`)
      expect(asked.times).toBe(1)
      const refused = yield* connect
      expect([asked.times, refused.headers.get("connection")]).toEqual([1, "close"])
      expect([refused.status, refused.headers.get("x-ratelimit-remaining")]).toEqual([429, "0"])
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    }))
})
