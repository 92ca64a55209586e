import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { CommitmentSubmitted } from "../../../engine/arena/ArenaEvent.ts"
import type { Commitment } from "../../../engine/arena/Commitment.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { ZERO } from "../../../engine/money/Amount.ts"
import { Replay } from "../../../engine/replay/Replay.ts"
import { type ExportedWorld, worldText } from "../../../engine/simulation/ExportedWorld.ts"
import { decodeArenaEvent } from "../../../engine/arena/ArenaEvent.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { hashing } from "../../../src/cli/ReplayHashes.ts"
import { simulatedExport, surveyed, turned } from "../../lib/SimulatedExport.ts"

const spec = (seed: number, bots = 0) => ({
  seed,
  orders: 12,
  traders: 6,
  faults: seed % 2 === 0,
  ...(bots > 0 && { bots })
})

const commitmentsIn = (events: ReadonlyArray<StoredEvent>): ReadonlyArray<Commitment> =>
  events
    .filter(({ type }) => type === "CommitmentSubmitted")
    .map(({ data }) => (decodeArenaEvent(data) as CommitmentSubmitted).commitment)

const botOf = ({ data }: StoredEvent): string => JSON.parse(data).botId

/** The bots that are there at the end. */
const livingIn = (events: ReadonlyArray<StoredEvent>): ReadonlySet<string> => {
  const ended = events.filter(({ type }) => type === "BotTerminated").map(botOf)
  return new Set(events.filter(({ type }) => type === "BotCreated").map(botOf)).difference(new Set(ended))
}

/** Neither what bots decided, nor what their company bid as them. */
const bidsIn = (events: ReadonlyArray<StoredEvent>): ReadonlyArray<Commitment> => {
  const bots = livingIn(events)
  return commitmentsIn(events).filter(({ decisionId, trader }) => {
    return decisionId === undefined && !bots.has(trader.botId ?? "")
  })
}

/** What each account has at the end, by a replay of its own. */
const balancesIn = (events: ReadonlyArray<StoredEvent>): ReadonlyMap<string, bigint> => {
  const balances = new Map<string, bigint>()
  const replay = new Replay(hashing, {
    history: false,
    put: ({ table, values: [id, balance] }) => {
      if (table === "ledger_accounts" && typeof id === "string") balances.set(id, BigInt(balance ?? 0))
    }
  })
  for (const event of events) replay.step(event)
  replay.finish()
  return balances
}

const counted = (values: ReadonlyArray<string | number>): ReadonlyArray<number> => {
  const counts = new Map<string | number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts.values()].toSorted((one, other) => one - other)
}

const bidsOf = ({ auctions }: ExportedWorld) => auctions.flatMap(({ bids }) => bids)

describe("The world of a simulated run", () => {
  it("has its traders, each with its bids, and what every auction was bid", () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.constantFrom(0, 3), (seed, bots) => {
        const { events } = simulatedExport(spec(seed, bots))
        const bids = bidsIn(events)
        // A clock that jumps far may pass every slot.
        fc.pre(bids.length > 0)
        const world = surveyed(events)
        const traders = new Map(bids.map(({ trader }) => [`${trader.userId}/${trader.botId}`, trader]))
        expect(counted(world.traders.map(({ type }) => type))).toEqual(
          counted(Array.from(traders.values(), ({ type }) => type))
        )
        expect(counted(bidsOf(world).map(([trader]) => trader))).toEqual(
          counted(bids.map(({ trader }) => `${trader.userId}/${trader.botId}`))
        )
        const perAuction = world.auctions.map((auction) => auction.bids.length).filter((count) => count > 0)
        expect<ReadonlyArray<number>>(perAuction.toSorted((one, other) => one - other)).toEqual(
          counted(bids.map(({ orderId }) => orderId))
        )
        if (seed % 2 === 1) expect(world.timing).toEqual({ slot: 120_000, window: 120_000, delay: 60_000 })
        expect(world.bots.length).toBe(livingIn(events).size)
      }),
      { numRuns: 12 }
    )
  })

  it("has the money of each wallet once, whoever draws on it: its traders and the company whose bots it funds", () => {
    let [shared, asked] = [0, 0]
    for (const seed of [1, 3, 5]) {
      // The user who funds the first company's bots bids as well.
      const { events, result } = simulatedExport({ ...spec(seed, 4), orders: 24 }, undefined, (scenario) => {
        const [first, ...rest] = scenario.traders
        const { userId } = scenario.bots[0]!.company
        return {
          ...scenario,
          traders: [{ ...first!, id: userId, type: "human", balance: ZERO, allowance: null, barred: null }, ...rest]
        }
      })
      expect(result.violation).toBeNull()
      const [world, balances] = [surveyed(events), balancesIn(events)]
      const bots = livingIn(events)
      const owners = events
        .filter((event) => event.type === "BotCreated" && bots.has(botOf(event)))
        .map(({ data }): string => JSON.parse(data).userId)
      const bidders = bidsIn(events).map(({ trader }): string => trader.account)
      const funding = [...owners, ...bots].map((owner): string => walletOf(owner, "USD"))
      const wallets = [...new Set([...bidders, ...funding])]
      const all = wallets.reduce((sum, account) => sum + (balances.get(account) ?? 0n), 0n)
      const given = [...world.traders, ...world.companies].reduce((sum, { balance }) => sum + balance, 0n)
      expect(given).toBeLessThanOrEqual(all)
      expect(given).toBeGreaterThan(all - BigInt(world.traders.length + world.companies.length))
      shared += new Set(bidders).intersection(new Set(funding)).size
      asked += commitmentsIn(events).filter(
        ({ decisionId, trader }) => decisionId === undefined && bots.has(trader.botId ?? "")
      ).length
    }
    expect(shared).toBeGreaterThan(0)
    expect(asked).toBeGreaterThan(0)
  })

  it("is the same in whatever sequence events of one time stand", () => {
    let changed = 0
    for (const seed of [1, 3, 5]) {
      const { events } = simulatedExport(spec(seed))
      const other = turned(events)
      changed += other.filter(({ stream }, index) => stream !== events[index]?.stream).length
      expect(worldText(surveyed(other))).toBe(worldText(surveyed(events)))
    }
    expect(changed).toBeGreaterThan(10)
  })

  it("is none where nothing can begin", () => {
    const { events } = simulatedExport({ seed: 6, orders: 4, traders: 3, faults: false })
    const opened = events.findIndex(({ type }) => type === "OrderOpened")
    expect(() => surveyed(events.slice(0, opened))).toThrow("has no order of the arena")
    expect(() => surveyed(events.slice(0, opened + 1))).toThrow("has no order that has closed")
    const [first, ...rest] = events
    expect(() => surveyed([{ ...first!, data: first!.data.replace("USD", "EUR") }, ...rest])).toThrow("1 CapitalFunded")
  })
})
