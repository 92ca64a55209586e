import { describe, expect } from "bun:test"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { steady } from "../../../engine/journal/SteadyClock.ts"
import { GrowingLead } from "../../../engine/journal/TimeLead.ts"
import { MAX_SENDING } from "../../../engine/webhooks/EndpointActor.ts"
import { type Origin, SendingConnections } from "../../../src/webhooks/SendingConnections.ts"
import { itEffect, itLive } from "../../lib/Effects.ts"
import { rawReceiver, resolverOf, webhookReceiver } from "../../lib/WebhookReceiver.ts"

const NAMES = { "hook.example": [["127.0.0.1"]] }

const guards = { secure: () => "closed to TLS", plain: () => undefined }

const REQUEST = "POST / HTTP/1.1\r\nhost: hook.example\r\ncontent-length: 0\r\n\r\n"

const outcome = (connections: SendingConnections, origin: Origin) =>
  Effect.callback<number | string>((resume) => {
    let status = 0
    connections.take(origin).send(REQUEST, {
      onHead: (given) => void (status = given),
      onBody: () => undefined,
      onEnd: () => resume(Effect.succeed(status)),
      onFailure: ({ message }) => resume(Effect.succeed(message))
    })
  })

const making = Effect.gen(function* () {
  const { asked, resolver } = resolverOf(NAMES)
  const connections = yield* SendingConnections.make(resolver.resolve, guards, { certificates: [] })
  const to = (protocol: string, port: number) => connections.origin(new URL(`${protocol}://hook.example:${port}/`))
  return { asked, connections, to }
})

describe("SendingConnections", () => {
  itLive("judge by the guard of their own kind", () =>
    Effect.gen(function* () {
      const { port } = yield* webhookReceiver()
      const { connections, to } = yield* making
      expect(yield* outcome(connections, to("http", port))).toBe(200)
      const refused = "the name resolves to 127.0.0.1, which is closed to TLS"
      expect(yield* outcome(connections, to("https", port))).toBe(refused)
    })
  )

  itLive("ask for a name again only for a new connection", () =>
    Effect.gen(function* () {
      const { port } = yield* webhookReceiver()
      const { asked, connections, to } = yield* making
      const origin = to("http", port)
      yield* outcome(connections, origin)
      yield* outcome(connections, origin)
      expect(asked.length).toBe(1)
      yield* Effect.all([outcome(connections, origin), outcome(connections, origin)], { concurrency: 2 })
      expect(asked.length).toBe(2)
    })
  )

  itEffect("are kept for four seconds", () =>
    Effect.gen(function* () {
      const { port, received } = yield* webhookReceiver()
      const { connections, to } = yield* making
      for (const pause of [3_999, 4_000, 0]) {
        expect(yield* outcome(connections, to("http", port))).toBe(200)
        yield* TestClock.adjust(pause)
      }
      const [one, same, other] = received.map(({ from }) => from)
      expect(same).toBe(one)
      expect(other).not.toBe(one)
    })
  )

  itEffect("are kept where the clock is set forward meanwhile", () =>
    Effect.gen(function* () {
      const { port, received } = yield* webhookReceiver()
      const lead = new GrowingLead(0)
      const clock = steady(yield* Clock.Clock, 0, lead)
      const { connections, to } = yield* Effect.provideService(making, Clock.Clock, clock)
      for (const _ of [1, 2]) {
        yield* outcome(connections, to("http", port))
        lead.grow(3_600_000)
      }
      const [one, same] = received.map(({ from }) => from)
      expect(same).toBe(one)
    })
  )

  itEffect("are kept for all that four endpoints of a host have under way, and no more", () =>
    Effect.gen(function* () {
      const { port, received } = yield* webhookReceiver()
      const { connections, to } = yield* making
      const origin = to("http", port)
      const kept = 4 * MAX_SENDING
      const together = (count: number) =>
        Effect.all(
          Array.from({ length: count }, () => outcome(connections, origin)),
          { concurrency: "unbounded" }
        )
      const used = (from: number) => new Set(received.slice(from).map((one) => one.from)).size
      yield* together(kept)
      yield* together(kept)
      expect(used(0)).toBe(kept)
      yield* together(kept + 1)
      expect(used(0)).toBe(kept + 1)
      yield* together(kept + 1)
      expect(used(0)).toBe(kept + 2)
    })
  )

  itLive("close with their scope", () =>
    Effect.gen(function* () {
      const closed = Promise.withResolvers<void>()
      const port = yield* rawReceiver((socket) => {
        socket.on("close", () => closed.resolve())
        socket.write("HTTP/1.1 204 No Content\r\n\r\n")
      })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { connections, to } = yield* making
          expect(yield* outcome(connections, to("http", port))).toBe(204)
        })
      )
      yield* Effect.promise(() => closed.promise)
    })
  )
})
