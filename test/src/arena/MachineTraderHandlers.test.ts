import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { itLive } from "../../lib/Effects.ts"
import { fieldsOf, openedArena, refusal, registration } from "../../lib/OpenedArena.ts"

const PATH = "/api/arena/machine-traders"

describe("POST /api/arena/machine-traders", () => {
  itLive("registers a machine trader for an administrator", () =>
    Effect.gen(function* () {
      const { server } = yield* openedArena()
      const as = yield* server.admin
      const { json } = yield* server.post<{ readonly trader_id: string }>(PATH, registration(), { as })
      expect(json as unknown).toEqual({
        success: true,
        message: expect.any(String),
        trader_id: expect.stringMatching(/^mtr_[0-9a-z]{24}$/),
        status: "active"
      })
      expect(refusal(yield* server.post(PATH, registration(), { as }))).toEqual([409, "conflict", "at once"])
    })
  )

  itLive("refuses anybody else, and what it cannot take", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const as = yield* server.admin
      expect(refusal(yield* server.post(PATH, registration(), { as: trader.id }))).toEqual([
        403,
        "access_denied",
        "at once"
      ])
      const tried = (change: object) => Effect.map(server.post(PATH, registration(change), { as }), refusal)
      expect(yield* tried({ collateral_allocated: 0 })).toEqual([422, "unprocessable", "at once"])
      expect(yield* tried({ wallet_address: "0xAbababababababababababababababababababab" })).toEqual([
        422,
        "unprocessable",
        "at once"
      ])
      for (const wrong of [
        { capabilities: [] },
        { capabilities: ["stocks"] },
        { agent_uri: "nowhere" },
        { agent_id: "" },
        { specs: {} },
        { wallet_address: "0x1" }
      ]) {
        expect(yield* tried(wrong)).toEqual([400, "invalid_request", "at once"])
      }
    })
  )
})

describe("GET /api/arena/machine-traders/stats", () => {
  itLive("tells what machine traders did", () =>
    Effect.gen(function* () {
      const { commit, server, trader } = yield* openedArena()
      const as = yield* server.admin
      const { json } = yield* server.post<{ readonly trader_id: string }>(PATH, registration(), { as })
      yield* commit({ bot_id: json.trader_id })
      yield* server.tick(90_000)
      yield* server.tick(60_000)
      const all = yield* server.get<{ readonly stats: { readonly traders: ReadonlyArray<unknown> } }>(
        `${PATH}/stats`,
        trader.id
      )
      expect(all.json as unknown).toEqual({
        success: true,
        stats: {
          total_traders: 1,
          active_traders: 1,
          total_commitments: 1,
          win_rate: 1,
          avg_profit_per_trade: 5.3059,
          traders: [
            {
              trader_id: json.trader_id,
              agent_id: "agent-1",
              status: "active",
              total_commitments: 1,
              commitments_won: 1,
              win_rate: 1,
              total_profit: 5.3059
            }
          ]
        }
      })
      const one = yield* server.get(`${PATH}/stats?trader_id=${json.trader_id}`, trader.id)
      expect(one.json).toEqual(all.json)
      expect(refusal(yield* server.get(`${PATH}/stats?trader_id=mtr_none`, trader.id))).toEqual([
        404,
        "not_found",
        "at once"
      ])
    })
  )

  itLive("has every field before the first registration", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const { json } = yield* server.get<{ readonly stats: object }>(`${PATH}/stats`, trader.id)
      expect(fieldsOf(json)).toEqual(["stats", "success"])
      expect(json.stats as unknown).toEqual({
        total_traders: 0,
        active_traders: 0,
        total_commitments: 0,
        win_rate: 0,
        avg_profit_per_trade: 0,
        traders: []
      })
    })
  )
})
