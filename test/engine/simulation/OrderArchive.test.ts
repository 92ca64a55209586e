import { describe, expect, it } from "bun:test"
import type { ChainedEvent } from "../../../engine/actor/CommitGroup.ts"
import { collateralHold } from "../../../engine/arena/Commitment.ts"
import { type OrderState, orderStream } from "../../../engine/arena/Order.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { HistoryTables } from "../../../engine/simulation/HistoryTables.ts"
import { OrderArchive } from "../../../engine/simulation/OrderArchive.ts"
import { OrderProjection } from "../../../engine/simulation/OrderProjection.ts"
import { orderRow } from "../../../engine/simulation/SimulationRows.ts"
import { compression } from "../../../scripts/SimulationPlatform.ts"
import { commitment, machine, terms, usd } from "../../lib/ArenaArbitraries.ts"

const ORDERS = [11, 10, 12]
const orderId = (order: number) => `ord_${order}`
const commitmentId = (order: number, ordinal: number) => `com_${order}_${ordinal}`

/** Three orders with three commitments each; the first two are void. */
const events: ReadonlyArray<PlatformEvent> = [
  ...ORDERS.flatMap((order): ReadonlyArray<PlatformEvent> => [
    { _tag: "OrderOpened", at: 0, terms: terms({ orderId: orderId(order) }) },
    ...[1, 2, 10].map((ordinal): PlatformEvent => {
      const named = { commitmentId: commitmentId(order, ordinal), orderId: orderId(order) }
      const change = ordinal === 2 ? { ...named, trader: machine("bob") } : named
      return { _tag: "CommitmentSubmitted", at: 1, commitment: commitment(ordinal, change) }
    })
  ]),
  ...ORDERS.slice(0, 2).map((order): PlatformEvent => ({
    _tag: "OrderVoided",
    at: 4,
    orderId: orderId(order),
    assetType: "fx",
    reason: "no_reference_price",
    yieldDistributed: usd("0.5"),
    yields: [],
    tieKey: ""
  }))
]

const recorded = (event: PlatformEvent): ChainedEvent<PlatformEvent> =>
  ({ event, version: 1 }) as ChainedEvent<PlatformEvent>

const archived = (actors = new Map<string, OrderState>()) => {
  const projection = new OrderProjection()
  const tables = new HistoryTables()
  const retired: Array<string> = []
  const archive = new OrderArchive({
    projection,
    tables: () => tables,
    compression,
    actors,
    rowOf: (state, end) => orderRow(state, end, ORDERS.length, undefined),
    onRetired: (id) => void retired.push(id)
  })
  projection.apply(events.map(recorded))
  for (const event of events) archive.apply(event, "orderId" in event && event.orderId === orderId(10) ? 20 : 10)
  for (const { terms, version } of projection.orders.values()) {
    tables.heads.set(orderStream(terms.orderId), { version, hash: new Uint8Array(32) })
  }
  for (const order of ORDERS) {
    for (const ordinal of [1, 2, 10]) {
      const id = collateralHold(commitmentId(order, ordinal))
      const held = { account: "a/USD/wallet", into: "v/USD/vault", amount: usd("1") } as const
      tables.holds.set(id, { value: { id, ...held, state: { _tag: "Released" } }, placedBy: 1, resolvedBy: 2 })
    }
  }
  const told = () => ({
    rows: archive.rows(),
    text: [...archive.stateText()].join(""),
    tallies: [archive.byTrader.of("usr_alice"), archive.byTrader.of("usr_bob"), archive.byBot.of("mtr_bob")]
  })
  return { archive, projection, tables, retired, told }
}

describe("OrderArchive", () => {
  it("tells the same of orders that are put away as of those that are not", () => {
    const { archive, projection, retired, tables, told } = archived()
    const kept = archived()
    archive.retire(10)
    expect(retired).toEqual([orderId(11)])
    archive.retire(20)
    expect(retired).toEqual([orderId(11), orderId(10)])
    expect(projection.orders.get(orderId(10))?.commitments.size).toBe(0)
    expect(tables.holds.size).toBe(3)
    const { rows, tallies, text } = told()
    expect({ rows, tallies, text }).toEqual(kept.told())
    expect(tallies.map(({ commitments }) => commitments)).toEqual([6, 3, 3])
    expect(text.split("\n").length).toBe(9 + 12 + 1)
  })

  it("leaves an order whose actor knows less than what is recorded", () => {
    const { archive, projection, retired } = archived(new Map([[orderId(11), { status: "competing" } as OrderState]]))
    archive.retire(20)
    expect(retired).toEqual([orderId(10)])
    expect(projection.orders.get(orderId(11))?.commitments.size).toBe(3)
  })
})
