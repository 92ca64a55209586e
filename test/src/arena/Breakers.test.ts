import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { Breakers } from "../../../src/arena/Breakers.ts"
import { itLive } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

const START = 1_000_000_000

const at = (seconds: number): number => START + seconds * 1_000

/** Clean checks in so many seconds, each 30 s after the one before. */
const clean = (server: TestServer, from: number, until: number) =>
  Effect.forEach(
    Array.from({ length: (until - from) / 30 + 1 }, (_, index) => from + index * 30),
    (seconds) => Effect.orDie(server.service(Breakers).check([], at(seconds))),
    { discard: true }
  )

describe("Breakers", () => {
  itLive("halts one asset type, then tries it, then closes", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const breakers = server.service(Breakers)
      yield* Effect.orDie(breakers.check([{ scope: "fx", reason: "stale_price" }], at(0)))
      expect(breakers.halt("fx", at(1))).toEqual({ scope: "asset_type", retryAfterSeconds: 300 })
      expect([breakers.halt("gpu", at(1)), breakers.globalHalt(at(1))]).toEqual([null, null])
      yield* clean(server, 30, 300)
      expect(breakers.statuses().fx).toBe("open")
      expect(breakers.halt("fx", at(300))?.retryAfterSeconds).toBe(30)
      yield* clean(server, 330, 330)
      expect([breakers.statuses().fx, breakers.halt("fx", at(330))]).toEqual(["half_open", null])
      yield* clean(server, 360, 390)
      expect(breakers.statuses().fx).toBe("closed")
    })
  )

  itLive("remembers over a restart what was open, and when", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      yield* Effect.orDie(server.service(Breakers).trip([{ scope: "gpu", reason: "missing_price" }], at(0)))
      yield* server.restart()
      expect(server.service(Breakers).statuses().gpu).toBe("open")
      yield* clean(server, 30, 330)
      yield* server.restart()
      const breakers = server.service(Breakers)
      expect(breakers.statuses().gpu).toBe("half_open")
      expect([at(-1), at(0), at(329), at(330)].map((time) => breakers.wasHalted("gpu", time))).toEqual([
        false,
        true,
        true,
        false
      ])
    })
  )

  itLive("stays shut on a ledger out of balance until an operator resets it", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      yield* Effect.orDie(server.service(Breakers).trip([{ scope: "global", reason: "ledger_imbalance" }], at(0)))
      yield* server.restart()
      const breakers = server.service(Breakers)
      yield* clean(server, 30, 900)
      expect([breakers.isLatched(), breakers.halt("fx", at(900))?.scope]).toEqual([true, "global"])
      yield* Effect.orDie(breakers.reset("global", at(930)))
      expect([breakers.isLatched(), breakers.globalHalt(at(930))]).toEqual([false, null])
    })
  )
})
