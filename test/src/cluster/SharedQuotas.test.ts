import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { LEASE } from "../../../engine/cluster/QuotaPart.ts"
import { ApiError } from "../../../src/api/ApiError.ts"
import { make as makeCredential } from "../../../src/cluster/NodeCredential.ts"
import { Nodes } from "../../../src/cluster/Nodes.ts"
import { borrowedQuotas } from "../../../src/cluster/SharedQuotas.ts"
import { ALLOWANCES, MAX_ADDRESS_SOCKETS } from "../../../src/http/SocketLimits.ts"
import { itEffect, itLive } from "../../lib/Effects.ts"
import { eventually } from "../../lib/ServerProcess.ts"
import { openSocket } from "../../lib/StreamReader.ts"
import { twoNodesWith } from "../../lib/TwoNodes.ts"
import { NO_NEWS } from "../../lib/WritingNodes.ts"

const LIMIT = 20_000

const becomes = (what: string, is: () => boolean) => eventually(what, LIMIT, () => is() || undefined)

/** Two nodes behind a balancer, once the one that does not write serves the stream itself. */
const opened = Effect.gen(function* () {
  const { edge, urls } = yield* twoNodesWith({ RATE_LIMITS: "on", TRUSTED_PROXIES: "127.0.0.1" })
  const request = new Request(`${urls[1]}/ws/arena`, { headers: { upgrade: "websocket" } })
  yield* becomes("the edge serves the stream", () => edge.serves(request))
  const sockets: Array<WebSocket> = []
  yield* Effect.addFinalizer(() => Effect.sync(() => sockets.forEach((socket) => socket.close())))
  /** A caller's connection; undefined where it is refused. */
  const connect = (url: string, address: string) =>
    Effect.promise(
      () =>
        new Promise<WebSocket | undefined>((resolve) => {
          const socket = openSocket(url, { "x-forwarded-for": address })
          sockets.push(socket)
          socket.addEventListener("open", () => resolve(socket))
          socket.addEventListener("close", () => resolve(undefined))
        })
    )
  return { connect, urls }
})

/** Frames of 60 kB whose sum passes half of what an address may send at once, and not seven eighths of it. */
const FRAMES = 3
const FRAME = "x".repeat(60_000)

/** The code with which a connection is closed that sends so much; undefined where it is answered. */
const flooding = (socket: WebSocket) =>
  Effect.promise(
    () =>
      new Promise<number | undefined>((resolve) => {
        let answers = 0
        socket.addEventListener("close", ({ code }) => resolve(code))
        socket.addEventListener("message", ({ data }) => {
          if (String(data).includes('"error"')) answers += 1
          if (answers === FRAMES) resolve(undefined)
        })
        for (let n = 0; n < FRAMES; n++) socket.send(FRAME)
      })
  )

describe("Limits of connections at two nodes", () => {
  itLive("count the connections of both together, and count those no longer that have ended", () =>
    Effect.gen(function* () {
      const { connect, urls } = yield* opened
      const caller = "192.0.2.7"
      const half = MAX_ADDRESS_SOCKETS / 2
      const [here, there] = yield* Effect.forEach(urls, (url) =>
        Effect.forEach(Array.from({ length: half }), () => connect(url, caller))
      )
      expect([here, there].flat().filter((socket) => socket === undefined)).toEqual([])
      expect(yield* Effect.forEach(urls, (url) => connect(url, caller))).toEqual([undefined, undefined])
      there?.[0]?.close()
      const again = Effect.map(connect(urls[0], caller), (socket) => socket !== undefined)
      yield* Effect.repeat(Effect.delay(again, "200 millis"), { until: (isOpen) => isOpen, times: 50 })
      expect(yield* connect(urls[1], caller)).toBeUndefined()
    })
  )

  itLive("share among both what a caller may send", () =>
    Effect.gen(function* () {
      const { connect, urls } = yield* opened
      for (const [index, url] of urls.entries()) {
        const alone = yield* connect(url, `192.0.2.${index + 10}`)
        expect(yield* flooding(alone!)).toBeUndefined()
      }
      const [there, here] = [yield* connect(urls[1], "192.0.2.7"), yield* connect(urls[0], "192.0.2.7")]
      expect([here, there]).not.toContain(undefined)
      expect(yield* flooding(here!)).toBe(1008)
    })
  )

  itEffect("are a node's own where the next node to write is of a release that lends nothing", () =>
    Effect.gen(function* () {
      const nodes = Nodes.of({
        writer: () => undefined,
        serving: Effect.never,
        servingNow: () => undefined,
        isAlive: () => true,
        ...NO_NEWS
      })
      const credential = makeCredential(Redacted.make("a secret of thirty-two characters"))
      const { admit } = yield* borrowedQuotas(nodes, credential, { node: "a", run: "first" }, true)
      const holder = { caller: "192.0.2.7" }
      admit({ holder, quota: { id: 1, loan: { caller: holder.caller, blocks: 7, tokens: 0 } } }, 0)
      const place = admit({ holder }, 0)
      if (place instanceof ApiError) throw place
      yield* TestClock.adjust(2 * LEASE)
      const { burst } = ALLOWANCES.anonymous.bytes
      expect(place.takeFrame(burst / 2, 2 * LEASE)).toBe(true)
    })
  )
})
