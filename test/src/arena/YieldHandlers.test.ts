import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { itLive } from "../../lib/Effects.ts"
import { openedArena, refusal } from "../../lib/OpenedArena.ts"

describe("GET /api/arena/yield/estimate", () => {
  itLive("estimates what an order's collateral earns, in shares that sum to it", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const path = "/api/arena/yield/estimate?order_value=10000&duration_days=30"
      const { json } = yield* server.get<{ readonly estimate: Record<string, number> }>(path, trader.id)
      expect(json as unknown).toEqual({
        success: true,
        estimate: {
          order_value: 10_000,
          collateral: 381,
          duration_days: 30,
          estimated_apy: 0.059,
          estimated_yield: 1.799374,
          strategy: "treasury_bills+stablecoin_lending",
          breakdown: {
            trader_share: expect.any(Number),
            insurance_share: expect.any(Number),
            platform_share: expect.any(Number),
            token_holder_share: expect.any(Number)
          }
        }
      })
      const shares = Object.values(json.estimate["breakdown"] as unknown as Record<string, number>)
      expect(shares.reduce((sum, share) => sum + Math.round(share * 1e6), 0)).toBe(1_799_374)
    })
  )

  itLive("refuses a value or a duration that is none", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      for (const query of [
        "",
        "order_value=10000",
        "duration_days=30",
        "order_value=-1&duration_days=30",
        "order_value=NaN&duration_days=30",
        "order_value=1e300&duration_days=30",
        "order_value=8000000001&duration_days=30",
        "order_value=10000&duration_days=0",
        "order_value=10000&duration_days=3651",
        "order_value=10000&duration_days=1.5"
      ]) {
        const answer = yield* server.get(`/api/arena/yield/estimate?${query}`, trader.id)
        expect([query, ...refusal(answer)]).toEqual([query, 400, "invalid_request", "at once"])
      }
    })
  )
})

describe("GET /api/arena/yield/total and vault-stats", () => {
  itLive("tell what is locked and what it earned", () =>
    Effect.gen(function* () {
      const { commit, server, trader } = yield* openedArena()
      const total = Effect.map(server.get("/api/arena/yield/total", trader.id), ({ json }) => json)
      const vault = Effect.map(server.get("/api/arena/yield/vault-stats", trader.id), ({ json }) => json)
      yield* commit({ quantity: 1_000 })
      const locked = 41.7195
      expect(yield* total).toEqual({
        success: true,
        total_yield_generated: 0,
        total_collateral_deployed: locked,
        average_apy: 0.059,
        active_commitments: 1,
        strategies: {
          treasury_bills: { tvl: 25.0317, apy: 0.045 },
          stablecoin_lending: { tvl: 16.6878, apy: 0.08 }
        }
      })
      expect(yield* vault).toEqual({
        success: true,
        vault: {
          total_value_locked: locked,
          total_yield_generated: 0,
          active_strategies: 2,
          current_strategy: "treasury_bills",
          allocation: { treasury_bills: 0.6, stablecoin_lending: 0.4 }
        }
      })
      yield* server.tick(90_000)
      yield* server.tick(60_000)
      expect(yield* total).toMatchObject({
        total_yield_generated: 0.000011,
        total_collateral_deployed: 0,
        active_commitments: 0
      })
    })
  )
})
