import { Result } from "effect"
import { describe, expect, it } from "bun:test"
import { decodeArenaEvent } from "../../../engine/arena/ArenaEvent.ts"
import { OrderReplay } from "../../../engine/replay/OrderReplay.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import type { StateRow } from "../../../engine/replay/StateTable.ts"
import { accrued } from "../../lib/ArenaWorld.ts"
import { byKey, sampleLog } from "../../lib/ReplayLog.ts"

const log = sampleLog().filter(({ stream }) => stream.startsWith("order/"))

const replayed = (history = false) => {
  const rows: Array<StateRow> = []
  let submitted = 0
  const put = (row: StateRow, { type }: StoredEvent) => {
    rows.push(row)
    if (type === "CommitmentSubmitted" && row.table === "arena_commitments") submitted += 1
  }
  const orders = new OrderReplay({ history, put }, accrued)
  for (const stored of log) {
    const event = decodeArenaEvent(stored.data)
    Result.getOrThrow(orders.decide(event, stored))
    orders.evolve(event, stored)
  }
  return { rows, orders, submitted }
}

describe("OrderReplay", () => {
  it("puts an order away with its commitments when it is settled, and the rest at the end", () => {
    const { rows, orders } = replayed()
    expect(rows.filter(({ table }) => table === "arena_orders").length).toBe(5)
    orders.finish()
    expect(rows.filter(({ table }) => table === "arena_orders").length).toBe(9)
    expect(rows.length).toBe(byKey(rows).size)
    const locked = rows.filter(
      ({ table, values }) => table === "arena_commitments" && /active|won/.test(values[15] ?? "")
    )
    const total = locked.reduce((sum, { values }) => sum + BigInt(values[13] ?? 0), 0n)
    expect(rows.at(-1)).toMatchObject({
      table: "arena_vault_totals",
      values: ["true", expect.any(String), `${total}`, `${locked.length}`]
    })
  })

  it("puts one row of a commitment with its event where the history is wanted, and ends with the same rows", () => {
    const [last, all] = [replayed(), replayed(true)]
    last.orders.finish()
    all.orders.finish()
    expect(byKey(all.rows)).toEqual(byKey(last.rows))
    expect(all.submitted).toBe(log.filter(({ type }) => type === "CommitmentSubmitted").length)
  })

  it("takes no event in another order's stream, twice, or after the settlement", () => {
    const { orders } = replayed()
    const problems = [log[0]!, log.at(-1)!].map((stored) => {
      const event = decodeArenaEvent(stored.data)
      const elsewhere = orders.decide(event, { ...stored, stream: "order/other" })
      return [Result.isFailure(elsewhere), Result.isFailure(orders.decide(event, stored))]
    })
    const ended = log.find(({ type }) => type === "OrderSettled")!
    expect(problems[0]).toEqual([true, false])
    expect(problems[1]).toEqual([true, true])
    expect(Result.isFailure(orders.decide(decodeArenaEvent(ended.data), ended))).toBe(true)
  })
})
