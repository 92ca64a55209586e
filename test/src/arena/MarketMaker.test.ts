import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { MarketMaker } from "../../../src/arena/MarketMaker.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { accountsOf } from "../../lib/ArenaState.ts"
import { itLive } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

const capitalOf = Effect.fnUntraced(function* (server: TestServer) {
  const accounts = yield* accountsOf(server)
  const { account } = server.service(MarketMaker)
  return accounts.find(({ id }) => id === account)?.balance ?? 0n
})

describe("MarketMaker", () => {
  itLive("is the same company at every start, and gets its capital once", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const { owner } = server.service(MarketMaker)
      expect(yield* capitalOf(server)).toBe(fromUnits(10_000_000n * ONE))
      yield* server.restart()
      expect(server.service(MarketMaker).owner).toBe(owner)
      expect(yield* capitalOf(server)).toBe(fromUnits(10_000_000n * ONE))
    })
  )

  itLive("makes no money in production", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({
        APP_MODE: "production",
        ADMIN_EMAIL: "admin@example.com",
        PUBLIC_URL: "https://example.com"
      })
      expect(yield* capitalOf(server)).toBe(0n)
      expect((yield* accountsOf(server)).filter(({ balance }) => balance !== 0n)).toEqual([])
    })
  )
})
