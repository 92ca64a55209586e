import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { ArenaCommand } from "../../lib/ArenaCommands.ts"
import { commit, run, tick, wait } from "../../lib/ArenaScenario.ts"
import { play, playMany } from "../../lib/ArenaModelRun.ts"
import { itLive } from "../../lib/Effects.ts"

/** Random sequences, each of which starts a server and takes a second of processor time. */
const RUNS = 2

const register = (dollars: number): ArenaCommand => ({
  _tag: "Register",
  agent: 1,
  trader: "cyd",
  capability: "gpu",
  dollars
})

/** Orders are counted from the newest: gpu 0, options 1, fx 2, commodity 3. */
const FIRST_ORDERS: ReadonlyArray<ArenaCommand> = [
  tick,
  register(0),
  register(300),
  register(300),
  commit(0, { key: 1, copies: 3 }),
  commit(0, { key: 1, quantity: 500 }),
  commit(0, { trader: "bob", price: 1_020, quantity: 333 }),
  commit(0, { trader: "cyd", price: 1_060, quantity: 50, machine: 0 }),
  commit(0, { trader: "cyd", machine: 0 }),
  commit(0, { trader: "ada", machine: 0 }),
  commit(0, { trader: "poor", copies: 4 }),
  commit(0, { trader: "maker" }),
  commit(0, { trader: "suspended" }),
  commit(0, { trader: "broke" }),
  commit(0, { price: 1_101 }),
  commit(1, { trader: "client", price: 1_090 }),
  commit(1, { trader: "ada", price: 1_010, quantity: 50 }),
  commit(2, { price: 1_000, exit: 1_010 }),
  commit(3, { price: 1_030, exit: 1_010 }),
  commit(3, { trader: "bob", price: 1_000 }),
  commit(9),
  { _tag: "Mint", trader: "poor", dollars: 1_000_000_001, key: null },
  { _tag: "Mint", trader: "poor", dollars: 100, key: 1 },
  { _tag: "Mint", trader: "poor", dollars: 100, key: 1 }
]

/** The choice with prices that moved, a restart, take-profit and the settlements. */
const FIRST_ENDINGS: ReadonlyArray<ArenaCommand> = [
  wait(89_999),
  commit(3),
  { _tag: "Quote", type: "commodity", permille: 1_005 },
  wait(1),
  commit(3),
  tick,
  { _tag: "Restart" },
  { _tag: "Quote", type: "fx", permille: 1_015 },
  { _tag: "Quote", type: "commodity", permille: 1_005 },
  run(2, 30_000),
  run(1, 30_000),
  commit(15)
]

/** Orders that end void: without a price at their choice, and under an open breaker. */
const VOID_ENDINGS: ReadonlyArray<ArenaCommand> = [
  commit(0),
  commit(2),
  commit(7),
  { _tag: "Quote", type: "fx", permille: 1_070 },
  tick,
  commit(2),
  wait(200_000),
  tick,
  run(3, 30_000),
  commit(0),
  wait(87_000_000),
  tick
]

describe("Arena", () => {
  itLive(
    "meets every refusal and every ending as its model does",
    () =>
      Effect.gen(function* () {
        const { answers, model } = yield* play("weighted", [...FIRST_ORDERS, ...FIRST_ENDINGS, ...VOID_ENDINGS])
        expect([...answers.keys()].toSorted()).toEqual(
          expect.arrayContaining([
            "200",
            "ARENA_001",
            "ARENA_002",
            "ARENA_003",
            "ARENA_004",
            "ARENA_005",
            "ARENA_006",
            "ARENA_009",
            "access_denied",
            "loss_limit",
            "unprocessable"
          ])
        )
        const commitments = [...model.orders.values()].flatMap((order) => [...order.commitments.values()])
        expect(new Set(commitments.map(({ reason, status }) => reason ?? status))).toEqual(
          new Set(["settled", "outbid", "below_reference", "ARENA_007", "void"])
        )
        const last = [...model.orders.keys()].map((orderId) => model.events(orderId).at(-1))
        const endings = last.map((event) =>
          event?._tag === "OrderVoided" ? event.reason : event?._tag === "OrderSettled" ? event.takeProfit : undefined
        )
        expect(new Set(endings)).toEqual(
          new Set([true, false, "breaker_open_at_expiry", "no_reference_price", undefined])
        )
      }),
    60_000
  )

  itLive(
    "lets a machine win by its turnout as its model does, and bars it without",
    () =>
      Effect.gen(function* () {
        const bids = (machine: boolean): ReadonlyArray<ArenaCommand> => [
          ...(machine ? [commit(0, { trader: "cyd", price: 1_030, quantity: 50, machine: 0 })] : []),
          commit(0, { trader: "ada", price: 1_020, quantity: 50 })
        ]
        const played = [true, true, false, false, true].flatMap((machine) => [...bids(machine), run(1, 60_000)])
        const { model } = yield* play("turnout", [tick, register(100_000), ...played, run(3, 60_000)])
        const gpu = [...model.orders.values()].filter(({ terms }) => terms.assetType === "gpu")
        const winners = gpu.flatMap(
          ({ choice, commitments }) => commitments.get(choice?.winner ?? "")?.trader.type ?? []
        )
        expect(winners).toEqual(["machine", "machine", "human", "human", "human"])
      }),
    60_000
  )

  itLive("does what its model does, whatever is asked in whatever order", () => playMany(RUNS), 120_000)
})
