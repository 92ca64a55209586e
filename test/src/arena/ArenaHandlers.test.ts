import { describe, expect } from "bun:test"
import { parse } from "csv-parse/sync"
import { Effect } from "effect"
import { Breakers } from "../../../src/arena/Breakers.ts"
import { MarketMaker } from "../../../src/arena/MarketMaker.ts"
import { UserRepository } from "../../../src/identity/users/UserRepository.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { itLive } from "../../lib/Effects.ts"
import {
  fieldsOf,
  openedArena,
  type ArenaOrderJson,
  refusal,
  registration,
  SHORT_SLOTS
} from "../../lib/OpenedArena.ts"

describe("GET /api/arena/agent/status", () => {
  itLive("tells of the agent and its oracles", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const { json } = yield* server.get("/api/arena/agent/status", trader.id)
      expect(json).toEqual({
        success: true,
        status: "stopped",
        oracles: {
          price_oracle: { available: true, sample_price: "4000", source: "test" },
          fx_api: { available: true },
          gpu_marketplaces: { available: true }
        },
        supported_asset_types: ["commodity", "fx", "options", "gpu"],
        open_orders_count: { commodity: 1, fx: 1, options: 1, gpu: 1 },
        generation_interval_minutes: 1,
        generation_interval_seconds: 60,
        circuit_breakers: { global: "closed", commodity: "closed", fx: "closed", options: "closed", gpu: "closed" },
        skipped_orders: 0
      })
    })
  )
})

describe("GET /api/arena/orders", () => {
  itLive("lists orders with exactly their fields, and details as text", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const { json } = yield* server.get<{ readonly orders: ReadonlyArray<Record<string, unknown>> }>(
        "/api/arena/orders",
        trader.id
      )
      expect(fieldsOf(json)).toEqual(["limit", "offset", "orders", "success", "total"])
      expect(json).toMatchObject({ total: 4, offset: 0, limit: 20 })
      const fx = json.orders.find((order) => order["asset_type"] === "fx")
      expect(fieldsOf(fx)).toEqual([
        "asset_details",
        "asset_type",
        "entry_price",
        "expiry_date",
        "market_maker",
        "onchain_order_id",
        "order_id",
        "quantity",
        "settlement_date",
        "status"
      ])
      expect(fx).toMatchObject({
        expiry_date: "2026-09-30T12:01:30.000",
        settlement_date: "2026-09-30T12:02:30.000",
        status: "open",
        entry_price: 1.095,
        onchain_order_id: `order/${String(fx?.["order_id"])}:1`
      })
      expect(fieldsOf(JSON.parse(String(fx?.["asset_details"])))).toEqual(["pair"])
    })
  )

  itLive("filters by asset type and status, and pages", () =>
    Effect.gen(function* () {
      const { commit, server, trader } = yield* openedArena()
      yield* commit({})
      yield* server.tick(60_000)
      const list = (query: string) =>
        server.get<{ readonly total: number; readonly orders: ReadonlyArray<ArenaOrderJson> }>(
          `/api/arena/orders?${query}`,
          trader.id
        )
      const fx = (yield* list("asset_type=fx")).json
      expect({ total: fx.total, types: new Set(fx.orders.map((order) => order.asset_type)) }).toEqual({
        total: 2,
        types: new Set(["fx"])
      })
      expect((yield* list("status=competing")).json.orders).toMatchObject([{ asset_type: "fx", status: "competing" }])
      expect((yield* list("asset_type=gpu&status=competing")).json).toMatchObject({ total: 0, orders: [] })
      const pages = yield* Effect.forEach([0, 3, 6, 9], (offset) => list(`limit=3&offset=${offset}`))
      expect(pages.map(({ json }) => json.orders.length)).toEqual([3, 3, 2, 0])
      expect(new Set(pages.flatMap(({ json }) => json.orders.map((order) => order.order_id))).size).toBe(8)
      expect((yield* list("limit=100")).status).toBe(200)
      for (const wrong of ["limit=0", "limit=101", "offset=-1", "asset_type=stocks", "status=void"]) {
        expect(refusal(yield* list(wrong))).toEqual([400, "invalid_request", "at once"])
      }
    })
  )
})

describe("GET /api/arena/orders/{order_id}", () => {
  itLive("shows an order with its commitments, and names owners after the choice", () =>
    Effect.gen(function* () {
      const { commit, order, server, trader } = yield* openedArena()
      yield* commit({})
      const path = `/api/arena/orders/${order.order_id}`
      const before = yield* server.get<{ readonly order: { readonly commitments: ReadonlyArray<unknown> } }>(
        path,
        trader.id
      )
      expect(before.json.order).toMatchObject({ status: "competing", asset_details: { pair: expect.any(String) } })
      expect(fieldsOf(before.json.order.commitments[0])).toEqual([
        "accepted_at",
        "collateral",
        "commitment_id",
        "expected_exit_price",
        "loss_reason",
        "owner_id",
        "proposed_entry_price",
        "quantity",
        "rank",
        "score",
        "slippage_tolerance",
        "status",
        "trader_address",
        "trader_type"
      ])
      expect(before.json.order.commitments[0]).toMatchObject({
        owner_id: null,
        slippage_tolerance: null,
        accepted_at: null,
        rank: null,
        status: "active"
      })
      yield* server.tick(90_000)
      const chosen = yield* server.get(path, trader.id)
      expect(chosen.json).toMatchObject({
        order: {
          status: "settling",
          reference_price: 1.095,
          maker_discount: 0.0005,
          reserve_price: 1.094453,
          clearing_price: 1.094453,
          tie_key: null,
          commitments: [{ status: "won", rank: 1, owner_id: trader.companyId, loss_reason: null }]
        }
      })
      yield* server.tick(60_000)
      const settled = yield* server.get(path, trader.id)
      expect(settled.json).toMatchObject({
        order: { status: "settled", tie_key: expect.stringMatching(/^[0-9a-f]{64}$/), settlement_price: 1.095 }
      })
      expect(refusal(yield* server.get("/api/arena/orders/ord_none", trader.id))).toEqual([404, "ARENA_001", "at once"])
    })
  )
})

describe("POST /api/arena/commitments", () => {
  itLive("locks 3.81 % of the order's value and answers a receipt", () =>
    Effect.gen(function* () {
      const { commit, order, server, trader } = yield* openedArena()
      const { json } = yield* commit({ swap_executor: "0xabc", slippage_tolerance: 0.01, expected_exit_price: 1.2 })
      const collateral = Math.ceil(order.entry_price * order.quantity * 38_100 - 1e-6) / 1e6
      expect(json as unknown).toEqual({
        success: true,
        message: "Commitment accepted",
        data: {
          commitment_id: `com_${order.order_id.slice("ord_".length)}_1`,
          onchain_commitment_id: `order/${order.order_id}:2`,
          transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          collateral_required: collateral,
          status: "active"
        }
      })
      const { json: funds } = yield* server.get("/v1/funds", trader.id)
      expect(funds).toMatchObject([{ type: "USD", symbol: "10000", held: String(collateral) }])
    })
  )

  itLive("refuses in the order of checking, each with its status and code", () =>
    Effect.gen(function* () {
      const { commit, order, server, terms } = yield* openedArena()
      const poor = (yield* server.user()).id
      const suspended = (yield* server.user()).id
      yield* server.run(Effect.flatMap(Users, (users) => users.setStatus(suspended, "suspended")))
      const { owner } = server.service(MarketMaker)
      const maker = yield* server.run(Effect.flatMap(UserRepository, (users) => users.findFirstOf(owner, "buyer")))
      const low = { proposed_entry_price: 1 }
      const bot = { bot_id: "mtr_none" }
      expect(refusal(yield* commit({ ...low }, poor))).toEqual([422, "ARENA_005", "at once"])
      expect(refusal(yield* commit({}, poor))).toEqual([422, "ARENA_002", "at once"])
      expect(refusal(yield* commit(low, suspended))).toEqual([403, "access_denied", "at once"])
      expect(refusal(yield* commit(low, maker?.id))).toEqual([403, "access_denied", "at once"])
      expect(refusal(yield* commit({ ...low, ...bot }, maker?.id))).toEqual([403, "ARENA_006", "at once"])
      expect(refusal(yield* commit({ order_id: "ord_none", ...low, ...bot }))).toEqual([404, "ARENA_001", "at once"])

      server.world.pass(90_000)
      expect(refusal(yield* commit(bot, poor))).toEqual([410, "ARENA_004", "at once"])
      yield* server.tick()
      expect(refusal(yield* commit(bot, poor))).toEqual([409, "ARENA_003", "at once"])

      server.world.move(1_200n, ({ asset }) => asset === "EUR/USD")
      yield* server.tick(60_000)
      expect(refusal(yield* commit(bot, poor))).toEqual([503, "ARENA_009", "later"])
      expect(refusal(yield* commit({ order_id: "ord_none" }))).toEqual([404, "ARENA_001", "at once"])

      const breakers = server.service(Breakers)
      yield* Effect.orDie(breakers.trip([{ scope: "global", reason: "ledger_imbalance" }], server.world.now))
      expect(refusal(yield* commit({ order_id: "ord_none" }))).toEqual([503, "ARENA_009", "later"])
      expect([terms.order_id, order.status]).toEqual([order.order_id, "open"])
    })
  )

  itLive("refuses terms outside of their ranges", () =>
    Effect.gen(function* () {
      const { commit, order } = yield* openedArena()
      const entry = order.entry_price
      const wrong = [
        { proposed_entry_price: 1.204501, expected_exit_price: 2 },
        { proposed_entry_price: entry - 0.000001 },
        { proposed_entry_price: 0.985499, slippage_tolerance: 0.05 },
        { expected_exit_price: entry },
        { slippage_tolerance: 0.050001, expected_exit_price: 2 },
        { quantity: 0 },
        { quantity: order.quantity + 1 }
      ]
      for (const terms of wrong) expect(refusal(yield* commit(terms))).toEqual([422, "ARENA_005", "at once"])
      expect((yield* commit({ proposed_entry_price: 1.2045, expected_exit_price: 2, quantity: 1 })).status).toBe(200)
    })
  )

  itLive("refuses what goes beyond a machine's limit, and before that a machine of somebody else", () =>
    Effect.gen(function* () {
      const { commit, server } = yield* openedArena()
      const admin = yield* server.admin
      const { json } = yield* server.post<{ readonly trader_id: string }>(
        "/api/arena/machine-traders",
        registration({ collateral_allocated: 100 }),
        { as: admin }
      )
      const other = (yield* server.user()).id
      const bot = { bot_id: json.trader_id }
      expect(refusal(yield* commit(bot, other))).toEqual([403, "ARENA_006", "at once"])
      expect(refusal(yield* commit(bot))).toEqual([422, "loss_limit", "at once"])
      expect((yield* commit({ ...bot, quantity: 10 })).status).toBe(200)
      yield* server.restart({ ...SHORT_SLOTS, ARENA_VAULT_DEPOSITS: "closed" })
      expect(refusal(yield* commit(bot))).toEqual([422, "loss_limit", "at once"])
      expect(refusal(yield* commit({ quantity: 1 }))).toEqual([503, "ARENA_008", "later"])
      expect(refusal(yield* commit({}, other))).toEqual([503, "ARENA_008", "later"])
    })
  )

  itLive("lets one owner hold 1,000 commitments on an order", () =>
    Effect.gen(function* () {
      const { commit } = yield* openedArena()
      const one = commit({ quantity: 0.01 })
      const first = yield* Effect.forEach(Array.from({ length: 1_000 }), () => one, { concurrency: 50 })
      expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200]))
      expect(refusal(yield* one)).toEqual([429, "rate_limited", "later"])
    })
  )
})

describe("GET /api/arena/commitments/my", () => {
  itLive("lists the caller's own alone, newest first, by status and page", () =>
    Effect.gen(function* () {
      const { commit, server, trader } = yield* openedArena()
      const other = (yield* server.user()).id
      yield* commit({ quantity: 1 })
      yield* commit({ quantity: 2 })
      yield* commit({ quantity: 3 })
      const mine = (query = "", as = trader.id) =>
        Effect.map(
          server.get<{ readonly commitments: ReadonlyArray<Record<string, unknown>> }>(
            `/api/arena/commitments/my${query}`,
            as
          ),
          ({ json }) => json.commitments
        )
      const listed = yield* mine()
      expect(listed.map((one) => one["quantity"])).toEqual([3, 2, 1])
      expect(fieldsOf(listed[0])).toEqual([
        "asset_type",
        "bot_id",
        "collateral",
        "commitment_id",
        "created_at",
        "expected_exit_price",
        "loss_reason",
        "order_id",
        "profit",
        "proposed_entry_price",
        "quantity",
        "status",
        "trader_type",
        "yield_earned"
      ])
      expect(listed[0]).toMatchObject({ trader_type: "human", profit: 0, created_at: "2026-09-30T12:00:00.000Z" })
      expect(yield* mine("", other)).toEqual([])
      expect((yield* mine("?limit=1&offset=1")).map((one) => one["quantity"])).toEqual([2])
      yield* server.tick(90_000)
      expect((yield* mine("?status=won")).map((one) => one["quantity"])).toEqual([3])
      expect((yield* mine("?status=lost")).map((one) => one["loss_reason"])).toEqual(["outbid", "outbid"])
      expect(yield* mine("?status=active")).toEqual([])
      expect(refusal(yield* server.get("/api/arena/commitments/my?status=void", trader.id))).toEqual([
        400,
        "invalid_request",
        "at once"
      ])
    })
  )
})

describe("GET /api/arena/commitments/my.csv", () => {
  itLive("has what the list has, with what each earned", () =>
    Effect.gen(function* () {
      const { commit, server, trader } = yield* openedArena()
      for (const quantity of [1, 2, 3]) yield* commit({ quantity })
      yield* server.tick(90_000)
      const { json } = yield* server.get<{ readonly commitments: ReadonlyArray<Record<string, unknown>> }>(
        "/api/arena/commitments/my",
        trader.id
      )
      const file = (query = "") =>
        Effect.map(server.get(`/api/arena/commitments/my.csv${query}`, trader.id), ({ text }) => text)
      const rows = parse(yield* file(), { columns: true }) as ReadonlyArray<Record<string, string>>
      const shown = (value: unknown): string => (value === null ? "" : String(value))
      expect(rows.length).toBe(3)
      for (const [at, { rank, result, ...row }] of rows.entries()) {
        const listed = json.commitments[at] ?? {}
        expect(row).toEqual(Object.fromEntries(Object.keys(row).map((name) => [name, shown(listed[name])])))
        expect([Number(rank), Number(result)]).toEqual([
          at + 1,
          Number(listed["profit"]) + Number(listed["yield_earned"])
        ])
      }
      const won = parse(yield* file("?status=won"), { columns: true }) as ReadonlyArray<Record<string, string>>
      expect(won.map(({ status }) => status)).toEqual(["won"])
      const last = json.commitments.at(-1)?.["commitment_id"]
      expect(yield* file(`?after=${String(last)}`)).toBe(`${(yield* file()).split("\r\n")[0]}\r\n`)
    })
  )
})

describe("The arena", () => {
  itLive("is closed to callers without a token", () =>
    Effect.gen(function* () {
      const { server } = yield* openedArena()
      for (const path of ["agent/status", "orders", "commitments/my", "yield/total", "machine-traders/stats"]) {
        expect(refusal(yield* server.get(`/api/arena/${path}`))).toEqual([401, "unauthorized", "at once"])
      }
      expect(refusal(yield* server.post("/api/arena/commitments", {}))).toEqual([401, "unauthorized", "at once"])
    })
  )
})
