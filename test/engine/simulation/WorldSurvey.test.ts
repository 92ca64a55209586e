import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { CommitmentSubmitted } from "../../../engine/arena/ArenaEvent.ts"
import { type ExportedWorld, worldText } from "../../../engine/simulation/ExportedWorld.ts"
import { decodeArenaEvent } from "../../../engine/arena/ArenaEvent.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { simulatedExport, surveyed, turned } from "../../lib/SimulatedExport.ts"

const spec = (seed: number, bots = 0) => ({
  seed,
  orders: 12,
  traders: 6,
  faults: seed % 2 === 0,
  ...(bots > 0 && { bots })
})

const bidsIn = (events: ReadonlyArray<StoredEvent>): ReadonlyArray<CommitmentSubmitted["commitment"]> =>
  events
    .filter(({ type }) => type === "CommitmentSubmitted")
    .map(({ data }) => (decodeArenaEvent(data) as CommitmentSubmitted).commitment)
    .filter(({ decisionId }) => decisionId === undefined)

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
        const ended = new Set(events.filter(({ type }) => type === "BotTerminated").map(({ stream }) => stream))
        expect(world.bots.length).toBe(bots - ended.size)
      }),
      { numRuns: 12 }
    )
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
