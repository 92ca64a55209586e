import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { PriceBook } from "../../../src/arena/PriceBook.ts"
import { itLive } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

const record = (server: TestServer, millis: number) =>
  Effect.suspend(() => {
    server.world.pass(millis)
    return server.run(Effect.flatMap(PriceBook, (book) => book.record(server.world.now)))
  })

const since = (server: TestServer, asset: string) =>
  Effect.map(Effect.orDie(server.service(PriceBook).since(asset, 0)), (medians) =>
    medians.map(({ price, safe }) => [Number(price) / 1e6, safe])
  )

describe("PriceBook", () => {
  itLive("records a median of each asset, and which are outside their band", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      expect(yield* record(server, 0)).toEqual([])
      server.world.move(1_100n, ({ asset }) => asset === "XAU" || asset === "EUR/USD")
      expect(yield* record(server, 1_000)).toEqual([{ scope: "fx", reason: "price_outside_band" }])
      server.world.move(1_200n, ({ asset }) => asset === "XAU")
      expect(yield* record(server, 1_000)).toEqual(
        expect.arrayContaining([
          { scope: "commodity", reason: "price_outside_band" },
          { scope: "options", reason: "price_outside_band" }
        ])
      )
      expect(yield* since(server, "XAU")).toEqual([
        [4_000, true],
        [4_400, true],
        [5_280, false]
      ])
      expect(server.service(PriceBook).latest("XAU")?.price).toBe(fromUnits(5_280_000_000n))
    })
  )

  itLive("lets one median of an asset stand for a moment, and none come before another", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      yield* record(server, 0)
      server.world.move(1_050n)
      yield* record(server, 0)
      yield* record(server, -5_000)
      expect(yield* since(server, "XAU")).toEqual([[4_000, true]])
      expect(server.service(PriceBook).latest("XAU")?.price).toBe(fromUnits(4_000_000_000n))
    })
  )

  itLive("judges by the same five minutes after a restart", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      yield* record(server, 0)
      yield* server.restart()
      server.world.move(1_200n)
      const problems = yield* record(server, 300_000)
      expect(new Set(problems.map(({ scope }) => scope))).toEqual(new Set(["commodity", "options", "fx", "gpu"]))
      expect(yield* record(server, 300_001)).toEqual([])
    })
  )

  itLive("tells its listeners of what it recorded", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const told: Array<number> = []
      yield* server.service(PriceBook).onRecorded((medians) => told.push(medians.length))
      yield* record(server, 0)
      yield* record(server, 0)
      expect(told).toEqual([server.world.prices.size])
    })
  )
})
