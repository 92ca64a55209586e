import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import type { ForwardedSocket } from "../../../src/cluster/ForwardedSocket.ts"
import { holdSockets } from "../../../src/cluster/HoldSockets.ts"
import { make as makeCredential } from "../../../src/cluster/NodeCredential.ts"
import { Nodes } from "../../../src/cluster/Nodes.ts"
import { itEffect, itLive } from "../../lib/Effects.ts"
import { PATH } from "../../lib/BotOwner.ts"
import { openedOn } from "../../lib/OpenedArena.ts"
import { RawLane } from "../../lib/RawLane.ts"
import { twoNodes } from "../../lib/TwoNodes.ts"
import { NO_NEWS } from "../../lib/WritingNodes.ts"

const SWITCH = `${PATH}/kill-switch`

interface Switch {
  readonly halted: boolean
  readonly cause: string | null
  readonly cancel_on_disconnect: boolean
}

/** Holds one connection that leads to `a` and one to `b`, which listens at `address`; answers which were given up. */
const holding = Effect.fnUntraced(function* (isReached: () => boolean, address?: string) {
  const lost: Array<string> = []
  const leadingTo = (address: string) => {
    const socket = { lose: () => void lost.push(address) } as unknown as ForwardedSocket
    return [socket, address] as const
  }
  const serving = { address: "b", holder: "b", term: 1n, isServing: true, replaced: Effect.never }
  const nodes = Nodes.of({
    writer: () => (address === undefined ? undefined : { ...serving, address }),
    serving: Effect.never,
    servingNow: () => serving,
    isAlive: () => true,
    ...NO_NEWS
  })
  yield* holdSockets(
    {
      nodes,
      credential: makeCredential(Redacted.make("a secret of thirty-two characters")),
      asking: { node: "c", run: "first" },
      sockets: new Map([leadingTo("a"), leadingTo("b")])
    },
    isReached
  )
  yield* Effect.yieldNow
  return lost
})

describe("Connections that a node holds for its callers", () => {
  itEffect("end where they lead to a node that no longer writes", () =>
    Effect.gen(function* () {
      const lost = yield* holding(() => true)
      yield* TestClock.adjust("20 seconds")
      expect(new Set(lost)).toEqual(new Set(["a"]))
    })
  )

  itEffect("end once the node that writes is out of reach for some seconds", () =>
    Effect.gen(function* () {
      const reached = { is: true }
      const lost = yield* holding(() => reached.is)
      yield* TestClock.adjust("10 seconds")
      reached.is = false
      yield* TestClock.adjust("3 seconds")
      expect(lost).not.toContain("b")
      yield* TestClock.adjust("2 seconds")
      expect(lost).toContain("b")
    })
  )

  itEffect("end as soon where the node that writes takes what is said and answers nothing", () =>
    Effect.gen(function* () {
      const silent = yield* Effect.acquireRelease(
        Effect.sync(() => Bun.serve({ port: 0, fetch: () => new Promise<Response>(() => undefined) })),
        (server) => Effect.promise(() => server.stop(true))
      )
      const reached = { is: true }
      const lost = yield* holding(() => reached.is, `127.0.0.1:${silent.port}`)
      yield* TestClock.adjust("10 seconds")
      reached.is = false
      yield* TestClock.adjust("5 seconds")
      expect(lost).toContain("b")
    })
  )

  itLive("pull the kill switch of whoever does not connect again when their node is lost, and of nobody else", () =>
    Effect.gen(function* () {
      const { leave, server, urls } = yield* twoNodes
      yield* openedOn(server)
      const armed = Effect.fnUntraced(function* (userId: string, url: string) {
        const headers = { authorization: `Bearer ${yield* server.token(userId)}` }
        const lane = yield* RawLane.open(url, { headers })
        expect(yield* lane.call("cancelOnDisconnect", { enabled: true })).toMatchObject({ cancel_on_disconnect: true })
        return lane
      })
      const look = (userId: string) => Effect.map(server.get<Switch>(SWITCH, userId), ({ json }) => json)
      /** Once the switch is pulled and nothing is armed any more, which is recorded after it. */
      const halted = (userId: string) =>
        Effect.repeat(look(userId), { until: (one) => one.halted && !one.cancel_on_disconnect })
      const [back, away, over] = [yield* server.user(), yield* server.user(), yield* server.user()]
      const lanes = yield* Effect.forEach([back, away, over], ({ id }) => armed(id, urls[1]))
      // One that its client ends is no lost one.
      lanes[2]?.socket.close()
      expect(yield* halted(over.id)).toMatchObject({ cause: "disconnected" })
      yield* leave
      expect(yield* Effect.forEach(lanes.slice(0, 2), (lane) => lane.closed)).toEqual([1001, 1001])
      expect((yield* look(away.id)).halted).toBe(false)
      const again = yield* armed(back.id, urls[0])
      expect(yield* halted(away.id)).toMatchObject({ cause: "disconnected" })
      expect(yield* look(back.id)).toMatchObject({ halted: false, cancel_on_disconnect: true })
      again.socket.close()
      expect(yield* halted(back.id)).toMatchObject({ cause: "disconnected" })
    })
  )
})
