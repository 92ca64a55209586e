import { describe, expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { FastLaneServer } from "../../../src/rpc/FastLaneServer.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"
import { RawLane } from "../../lib/RawLane.ts"
import { eventually } from "../../lib/ServerProcess.ts"

describe("A connection to /rpc", () => {
  itLive("is neither closed as a stranger's nor cut at a shutdown because the clock is set forward meanwhile", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const token = yield* server.token(trader.id)
      const lane = yield* RawLane.open(server.url, { headers: { authorization: `Bearer ${token}` } })
      const stream = lane.ask("subscribe", { channels: ["prices"] })
      yield* eventually("a stream", 10_000, () => (lane.told(stream).length > 0 ? true : undefined))
      const stranger = yield* RawLane.open(server.url)
      yield* stranger.call("commit", {})
      server.world.pass(3_600_000)
      // By then connections were looked after.
      yield* Effect.sleep(1_500)
      expect(stranger.closedWith).toBeUndefined()
      const shutdown = yield* Effect.forkChild(server.run(server.service(FastLaneServer).route.shutdown))
      yield* Effect.sleep(50)
      server.world.pass(3_600_000)
      yield* Effect.sleep(100)
      expect(shutdown.pollUnsafe()).toBeUndefined()
      server.world.elapse(4_000)
      yield* Fiber.join(shutdown)
    })
  )
})
