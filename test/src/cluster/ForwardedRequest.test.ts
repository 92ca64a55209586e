import { describe, expect, it } from "bun:test"
import { Redacted } from "effect"
import fc from "fast-check"
import { answered, callerOf, forwardedHeaders, restored, returned } from "../../../src/cluster/ForwardedRequest.ts"
import { make } from "../../../src/cluster/NodeCredential.ts"
import { property } from "../../lib/Property.ts"

const ours = make(Redacted.make("a secret of thirty-two characters"))
const theirs = make(Redacted.make("another secret of as many characters"))
const peer = { address: "192.0.2.7", port: 4711 }

const name = fc.constantFrom("x-a", "x-b", "cookie", "host", "x-forwarded-for", "x-emporion-peer", "connection", "te")
const headers = fc.dictionary(name, fc.stringMatching(/^[a-z0-9]{1,8}$/))

const check = (holds: (given: Record<string, string>) => void): void =>
  fc.assert(fc.property(headers, holds), property())

const received = (sent: Headers): Request => new Request("http://node/v1/info", { headers: sent })

describe("A forwarded request", () => {
  it("tells its caller to a node of the same secret alone", () => {
    check((given) => {
      const sent = forwardedHeaders(new Headers(given), peer, ours)
      expect(callerOf(received(sent), ours)).toEqual(peer)
      expect(callerOf(received(sent), theirs)).toBeUndefined()
      expect(callerOf(received(new Headers(given)), ours)).toBeUndefined()
      expect([...sent.values()].join()).not.toContain("thirty-two")
    })
  })

  it("arrives as it was sent, without what holds for one connection or is the nodes' own", () => {
    check((given) => {
      const arrived = restored(received(forwardedHeaders(new Headers(given), peer, ours))).headers
      for (const [key, value] of Object.entries(given)) {
        const isDropped = ["connection", "te", "x-emporion-peer"].includes(key)
        expect(arrived.get(key)).toBe(isDropped ? null : value)
      }
      expect([...arrived.keys()].filter((key) => key.startsWith("x-emporion-"))).toEqual([])
    })
  })

  it("says that it wants to become a WebSocket", () => {
    const sent = forwardedHeaders(new Headers({ upgrade: "websocket" }), peer, ours, { upgrade: "websocket" })
    expect(sent.get("upgrade")).toBeNull()
    expect(restored(received(sent)).headers.get("upgrade")).toBe("websocket")
  })

  it("has the caller's connection ended, and not that between the nodes", () => {
    const between = answered(new Response("{}", { headers: { connection: "close" } }))
    expect(between.headers.get("connection")).toBeNull()
    expect(returned(between, "{}", false).headers.get("connection")).toBe("close")
    expect(returned(answered(new Response("{}")), "{}", false).headers.get("connection")).toBeNull()
  })

  it("hides a repetition that the caller did not make", () => {
    const replayed = new Response("{}", { headers: { "idempotency-replayed": "true" } })
    expect(returned(replayed, "{}", true).headers.has("idempotency-replayed")).toBe(false)
    expect(returned(replayed, "{}", false).headers.get("idempotency-replayed")).toBe("true")
  })
})
