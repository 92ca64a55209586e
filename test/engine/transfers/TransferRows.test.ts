import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import type { TableRow } from "../../../engine/journal/TableRow.ts"
import { keyOf, type StateRow } from "../../../engine/replay/StateTable.ts"
import { TransferReplay } from "../../../engine/replay/TransferReplay.ts"
import type { TransferEvent } from "../../../engine/transfers/TransferEvent.ts"
import { quotedRows, transferredRows, withdrawnRows } from "../../../engine/transfers/TransferRows.ts"
import { property } from "../../lib/Property.ts"
import { RowStore } from "../../lib/RowStore.ts"
import { quoted, transferred, withdrawn } from "../../lib/TransferEvents.ts"

const ids = ["a", "b", "c", "d", "e"]

/** A history in which each rate is quoted once, and used by at most one transfer, later. */
const history: fc.Arbitrary<ReadonlyArray<TransferEvent>> = fc
  .record({
    held: fc.subarray(ids),
    used: fc.subarray(ids),
    plain: fc.subarray(ids),
    out: fc.subarray(ids)
  })
  .map(({ held, out, plain, used }) => [
    ...held.map((quoteId) => quoted({ quoteId })),
    ...plain.map((transferId) => transferred({ transferId, mode: "local", rate: null })),
    ...out.map((withdrawalId) => ({ ...withdrawn, withdrawalId })),
    ...held.filter((id) => used.includes(id)).map((quoteId) => transferred({ transferId: `by-${quoteId}`, quoteId }))
  ])

const rowsOf = (event: TransferEvent, seq: number): ReadonlyArray<TableRow> => {
  const place = { seq, stream: "s", version: 1, hash: "" }
  switch (event._tag) {
    case "RateQuoted":
      return quotedRows({ ...place, event })
    case "MoneyTransferred":
      return transferredRows({ ...place, event })
    case "MoneyWithdrawn":
      return withdrawnRows({ ...place, event })
  }
}

describe("the rows of transfers", () => {
  it("leave what a replay derives", () => {
    fc.assert(
      fc.property(history, (events) => {
        const store = new RowStore()
        const derived = new Map<string, StateRow>()
        const put = (row: StateRow) => derived.set(`${row.table}/${keyOf(row)}`, row)
        const replay = new TransferReplay({ history: false, put })
        for (const [index, event] of events.entries()) {
          const seq = index + 1
          for (const row of rowsOf(event, seq)) store.apply(row)
          replay.evolve(event, { seq, stream: "s", version: 1, type: event._tag, data: "", hash: "" })
        }
        replay.finish()
        expect(store.rows).toEqual(derived)
      }),
      property()
    )
  })
})
