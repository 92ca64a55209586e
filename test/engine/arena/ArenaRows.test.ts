import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import type { ArenaEvent } from "../../../engine/arena/ArenaEvent.ts"
import { decodeArenaEvent } from "../../../engine/arena/ArenaEvent.ts"
import { ArenaRows, totalsRow, freeingOrders, type LockedCommitment } from "../../../engine/arena/ArenaRows.ts"
import { merged, type ProjectedRow } from "../../../engine/journal/TableRow.ts"
import { OrderReplay } from "../../../engine/replay/OrderReplay.ts"
import { STATE_COLUMNS, type StateRow } from "../../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { accrued } from "../../lib/ArenaWorld.ts"
import { property } from "../../lib/Property.ts"
import { sampleLog } from "../../lib/ReplayLog.ts"
import { RowStore } from "../../lib/RowStore.ts"

const events = sampleLog()
  .filter(({ stream }) => stream.startsWith("order/"))
  .map((stored) => ({ stored, event: decodeArenaEvent(stored.data) }))

type Event = (typeof events)[number]

const column = (row: ProjectedRow, name: string): string => {
  const columns: ReadonlyArray<string> = STATE_COLUMNS[row.table as StateRow["table"]]
  return row.values[columns.indexOf(name)] ?? ""
}

/** What a cycle begins with, read from the tables. */
const rowsFrom = ({ rows }: RowStore, cycle: ReadonlyArray<ArenaEvent>): ArenaRows => {
  const total = rows.get("arena_vault_totals/true")!
  const freeing = freeingOrders(cycle)
  const locked = new Map<string, Map<string, LockedCommitment>>([...freeing].map((id) => [id, new Map()]))
  for (const row of rows.values()) {
    if (row.table !== "arena_commitments" || !["active", "won"].includes(column(row, "status"))) continue
    const commitment = { collateral: BigInt(column(row, "collateral")), hasWon: column(row, "status") === "won" }
    locked.get(column(row, "order_id"))?.set(column(row, "id"), commitment)
  }
  const [generated, held, commitments] = total.values.slice(1).map((value) => BigInt(value ?? 0))
  return new ArenaRows({ generated: generated!, locked: held!, commitments: commitments! }, locked)
}

const empty = () =>
  new RowStore([["arena_vault_totals/true", { table: "arena_vault_totals", values: ["true", "0", "0", "0"] }]])

const derivedBy = (): { readonly rows: Map<string, ProjectedRow>; readonly take: (event: Event) => void } => {
  const rows = new Map(empty().rows)
  const sink = { history: true, put: (row: StateRow) => void rows.set(`${row.table}/${row.values[0]}`, row) }
  const replay = new OrderReplay(sink, accrued)
  return { rows, take: ({ event, stored }) => replay.evolve(event, stored) }
}

const place = ({ hash, seq, stream, version }: StoredEvent) => ({ hash, seq, stream, version })

describe("the rows of the arena", () => {
  it("leave what a replay derives, however events come together", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (sizes) => {
        const store = empty()
        const derived = derivedBy()
        for (let from = 0, turn = 0; from < events.length; turn++) {
          const cycle = events.slice(from, from + sizes[turn % sizes.length]!)
          from += cycle.length
          const rows = rowsFrom(
            store,
            cycle.map(({ event }) => event)
          )
          const made = cycle.flatMap(({ event, stored }) => rows.take({ ...place(stored), event }))
          for (const row of merged([...made, totalsRow(rows.totals)])) store.apply(row)
          for (const one of cycle) derived.take(one)
          expect(store.rows).toEqual(derived.rows)
        }
      }),
      property()
    )
  })

  it("refuse to free what is not locked", () => {
    const settled = events.find(({ event }) => event._tag === "OrderSettled" && event.winner !== null)!
    const rows = new ArenaRows({ generated: 0n, locked: 0n, commitments: 0n }, new Map())
    expect(() => rows.take({ ...place(settled.stored), event: settled.event })).toThrow(/is not locked/)
  })
})
