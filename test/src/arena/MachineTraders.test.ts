import { describe, expect, it } from "bun:test"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { ArenaEvent } from "../../../engine/arena/ArenaEvent.ts"
import type { Commitment, Trader } from "../../../engine/arena/Commitment.ts"
import { orderStream } from "../../../engine/arena/Order.ts"
import { lossAllowanceOf } from "../../../engine/ledger/LossLimit.ts"
import { type Amount, fromUnits, ZERO } from "../../../engine/money/Amount.ts"
import { type MachineTraderScore, MachineTraderRepository } from "../../../src/arena/MachineTraderRepository.ts"
import { type MachineTraderRegistration, MachineTraders, statsOf } from "../../../src/arena/MachineTraders.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { commitment, human, machine, terms, usd } from "../../lib/ArenaArbitraries.ts"
import { withLayer } from "../../lib/Effects.ts"
import { accountOf, layerOf } from "../../lib/TestFunds.ts"

const machines = MachineTraders.layer.pipe(
  Layer.provideMerge(MachineTraderRepository.layer),
  Layer.provideMerge(layerOf())
)
const itKnows = withLayer(machines)
const itCounts = withLayer(machines)

let agents = 0

const registration = (change: Partial<MachineTraderRegistration> = {}): MachineTraderRegistration => {
  agents += 1
  return {
    agentId: `agent-${agents}`,
    agentUri: "https://agent.example/1",
    walletAddress: `0x${String(agents).padStart(40, "0")}`,
    capabilities: ["fx", "commodity"],
    collateralAllocated: usd("500"),
    model: "mean-reversion",
    riskTolerance: "balanced",
    ...change
  }
}

const register = (change: Partial<MachineTraderRegistration> = {}) =>
  Effect.flatMap(MachineTraders, (service) => service.register(registration(change)))

describe("registration", () => {
  itKnows("makes an active machine trader with its allowance, and no money", () =>
    Effect.gen(function* () {
      const service = yield* MachineTraders
      const trader = yield* register({ agentId: "first", capabilities: ["fx", "fx", "gpu"] })
      expect(trader).toMatchObject({ status: "active", capabilities: ["fx", "gpu"] })
      expect(trader.id).toMatch(/^mtr_[0-9a-f]{24}$/)
      expect(yield* accountOf(lossAllowanceOf(trader.id))).toEqual({ balance: usd("500"), held: 0n })
      expect(yield* accountOf(`${trader.userId}/USD/wallet`)).toEqual({ balance: 0n, held: 0n })
      expect(yield* service.find(trader.id)).toEqual(trader)
      expect((yield* service.findByAgent("first"))?.id).toBe(trader.id)
      expect(yield* service.find("mtr_none")).toBeUndefined()
    })
  )

  itKnows("gives it to whoever has the wallet, and two of one wallet to one owner", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const walletAddress = "0x52908400098527886E0F7030069857D2E4169EE7"
      const user = yield* users.createHouse({ companyName: "Acme", label: "acme", kind: "house", walletAddress })
      const first = yield* register({ walletAddress: walletAddress.toLowerCase() })
      expect(first).toMatchObject({ owner: user.companyId, userId: user.id, address: walletAddress })
      const unlinked = `0x${"b".repeat(40)}`
      const [one, other] = [yield* register({ walletAddress: unlinked }), yield* register({ walletAddress: unlinked })]
      expect(other.owner).toBe(one.owner)
      expect(other.owner).not.toBe(first.owner)
    })
  )

  itKnows("follows its wallet to the user who links it first", () =>
    Effect.gen(function* () {
      const [service, users] = [yield* MachineTraders, yield* Users]
      const walletAddress = `0x${"1".repeat(40)}`
      const [one, other] = [yield* register({ walletAddress }), yield* register({ walletAddress })]
      const foreign = yield* register()
      const people = yield* Effect.forEach(["first", "second"], (name) =>
        users.createHouse({ companyName: name, label: name, kind: "house" })
      )
      expect((yield* users.findByWallet(walletAddress))?.id).toBe(one.userId)
      const linked = yield* Effect.forEach(people, ({ id }) => Effect.result(users.update(id, { walletAddress })), {
        concurrency: "unbounded"
      })
      expect(linked.map(({ _tag }) => _tag).toSorted()).toEqual(["Failure", "Success"])
      const holder = yield* users.findByWallet(walletAddress)
      expect(people.map(({ id }) => id)).toContain(holder?.id ?? "")
      for (const trader of [one, other]) {
        const has = { owner: holder?.companyId, userId: holder?.id, address: walletAddress }
        expect(yield* service.find(trader.id)).toMatchObject(has)
      }
      expect(yield* service.find(foreign.id)).toEqual(foreign)
      expect(yield* register({ walletAddress })).toMatchObject({ userId: holder?.id })
    })
  )

  itKnows("takes each agent once, also at the same time", () =>
    Effect.gen(function* () {
      const results = yield* Effect.all(
        Array.from({ length: 6 }, () =>
          Effect.result(register({ agentId: "twin", walletAddress: `0x${"c".repeat(40)}` }))
        ),
        { concurrency: "unbounded" }
      )
      expect(results.filter(({ _tag }) => _tag === "Success")).toHaveLength(1)
      for (const result of results) {
        if (result._tag === "Failure") expect(result.failure._tag).toBe("AgentIdTaken")
      }
    })
  )

  itKnows("keeps what bots' ids begin with for bots", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(register({ agentId: "bot_1" }))
      expect(refused).toMatchObject({ _tag: "InvalidRegistration", field: "agent_id" })
      expect(yield* (yield* MachineTraders).findByAgent("bot_1")).toBeUndefined()
    })
  )

  itKnows("refuses a wrong checksum and an allocation of nothing", () =>
    Effect.gen(function* () {
      const wrong = yield* Effect.flip(register({ walletAddress: "0x52908400098527886e0F7030069857D2E4169EE7" }))
      expect(wrong).toMatchObject({ _tag: "InvalidRegistration", field: "wallet_address" })
      const nothing = yield* Effect.flip(register({ collateralAllocated: ZERO }))
      expect(nothing).toMatchObject({ _tag: "InvalidRegistration", field: "collateral_allocated" })
    })
  )
})

const HOUR = 3_600_000

/** The events of one order: these bids, and the one that won with its profit, or a void. */
const play = Effect.fnUntraced(function* (
  ordinal: number,
  openedAt: number,
  bids: ReadonlyArray<Trader>,
  end: { readonly winner: number; readonly profit: Amount } | "void"
) {
  const journal = yield* UnitOfWork
  const orderId = `ord_${String(ordinal).padStart(24, "0")}`
  const times = { openedAt, expiryAt: openedAt + 900_000, settlementAt: openedAt + 1_800_000 }
  const committed = bids.map((trader, index): Commitment => ({
    ...commitment(index + 1),
    commitmentId: `com_${orderId.slice(4)}_${index}`,
    orderId,
    trader
  }))
  const common = { at: times.settlementAt, orderId, assetType: "fx", yieldDistributed: ZERO, yields: [] } as const
  const tieKey = "5".repeat(64)
  const winner = end === "void" ? undefined : committed[end.winner]
  const ranking = committed.map(({ commitmentId, trader }) => ({
    commitmentId,
    owner: trader.owner,
    score: 1n,
    reason: commitmentId === winner?.commitmentId ? null : ("outbid" as const)
  }))
  const ending: ReadonlyArray<ArenaEvent> =
    end === "void" || winner === undefined
      ? [{ _tag: "OrderVoided", ...common, reason: "no_reference_price", tieKey }]
      : [
          {
            _tag: "WinnerChosen",
            at: times.expiryAt,
            orderId,
            yields: [],
            choice: {
              reference: usd("100"),
              referenceAt: times.expiryAt,
              winner: winner.commitmentId,
              clearingPrice: usd("100"),
              ranking,
              fairness: { rule: "weighted", machines: 1n, total: 1n, machineOwners: [] }
            }
          },
          {
            _tag: "OrderSettled",
            ...common,
            winner: { commitmentId: winner.commitmentId, address: winner.trader.address },
            price: usd("101"),
            takeProfit: false,
            profit: end.profit,
            tieKey
          }
        ]
  const events: ReadonlyArray<ArenaEvent> = [
    { _tag: "OrderOpened", at: openedAt, terms: terms({ orderId, ...times }) },
    ...committed.map((each): ArenaEvent => ({ _tag: "CommitmentSubmitted", at: openedAt, commitment: each })),
    { _tag: "OrderClosed", at: times.expiryAt, orderId },
    ...ending
  ]
  yield* journal.append({
    stream: orderStream(orderId),
    version: 0,
    entries: events.map((event) => ({ commands: [], event }))
  })
})

describe("what machine traders did", () => {
  itCounts("is counted by machine and owner", () =>
    Effect.gen(function* () {
      const service = yield* MachineTraders
      const sql = yield* SqlClient
      const now = yield* Clock.currentTimeMillis
      const [one, two] = [yield* register(), yield* register({ capabilities: ["fx"] })]
      const bot = (of: typeof one) => machine(of.owner, { userId: of.userId, botId: of.id })
      yield* play(1, now + HOUR, [bot(one), bot(two), human("h")], { winner: 0, profit: usd("3") })
      yield* play(2, now + 2 * HOUR, [bot(one), bot(one), human("h")], { winner: 2, profit: usd("2") })
      yield* play(3, now + 3 * HOUR, [bot(one), bot(two)], { winner: 1, profit: fromUnits(-1_000_001n) })
      yield* play(4, now + 4 * HOUR, [bot(one)], "void")

      const all = yield* service.stats()
      expect(all).toMatchObject({ totalTraders: 2, activeTraders: 2, totalCommitments: 7, winRate: 2 / 6 })
      expect(all.averageProfit).toBe(fromUnits(999_999n))
      const alone = yield* service.stats(two.id)
      expect(alone.traders).toMatchObject([
        { traderId: two.id, totalCommitments: 2, commitmentsWon: 1, winRate: 0.5, totalProfit: fromUnits(-1_000_001n) }
      ])
      expect((yield* service.stats("mtr_none")).traders).toEqual([])
      expect(yield* service.turnout("fx", now + 5 * HOUR)).toEqual(
        new Map([
          [one.owner, { orders: 4, committed: 4 }],
          [two.owner, { orders: 4, committed: 2 }]
        ])
      )
      expect((yield* service.turnout("fx", now + 4 * HOUR)).get(two.owner)).toEqual({ orders: 3, committed: 2 })
      expect(yield* service.turnout("gpu", now + 5 * HOUR)).toEqual(new Map())

      expect(yield* service.capableCount("fx")).toBe(2)
      expect(yield* service.capableCount("commodity")).toBe(1)
      expect(yield* service.activeOwners("commodity", now, now + 10_000)).toEqual(new Set([one.owner]))
      yield* sql`UPDATE machine_traders SET active_from = 1000, active_until = 2000, status = 'terminated' WHERE id = ${one.id}`
      const during = (from: number, to: number) =>
        Effect.map(service.activeOwners("commodity", from, to), (owners) => owners.size)
      expect(yield* during(0, 1_000)).toBe(0)
      expect(yield* during(0, 1_001)).toBe(1)
      expect(yield* during(1_999, 3_000)).toBe(1)
      expect(yield* during(2_000, 3_000)).toBe(0)
      expect(yield* service.capableCount("commodity")).toBe(0)
    })
  )
})

describe("a report", () => {
  const score = (change: Partial<MachineTraderScore>): MachineTraderScore => ({
    traderId: "mtr_1",
    agentId: "a",
    status: "active",
    totalCommitments: 0,
    commitmentsWon: 0,
    decided: 0,
    settled: 0,
    totalProfit: ZERO,
    totalYield: ZERO,
    ...change
  })

  it("divides by nothing only to nothing", () => {
    expect(statsOf([])).toEqual({
      totalTraders: 0,
      activeTraders: 0,
      totalCommitments: 0,
      winRate: 0,
      averageProfit: ZERO,
      traders: []
    })
    expect(statsOf([score({ totalCommitments: 3 })]).traders[0]?.winRate).toBe(0)
  })

  it("rounds the average toward zero", () => {
    expect(statsOf([score({ settled: 3, totalProfit: fromUnits(-10n) })]).averageProfit).toBe(fromUnits(-3n))
    expect(statsOf([score({ settled: 3, totalProfit: fromUnits(10n) })]).averageProfit).toBe(fromUnits(3n))
  })

  it("lists a thousand and counts all", () => {
    const stats = statsOf(Array.from({ length: 1_500 }, () => score({ totalCommitments: 2 })))
    expect([stats.traders.length, stats.totalTraders, stats.totalCommitments]).toEqual([1_000, 1_500, 3_000])
  })
})
