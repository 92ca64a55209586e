import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { decideHalt, type HaltAsk, NOT_HALTED } from "../../../engine/arena/CommitmentHalt.ts"
import { haltRows } from "../../../engine/arena/CommitmentHaltRows.ts"
import { CommitmentHaltReplay } from "../../../engine/replay/CommitmentHaltReplay.ts"
import { keyOf, type StateRow } from "../../../engine/replay/StateTable.ts"
import { property } from "../../lib/Property.ts"
import { RowStore } from "../../lib/RowStore.ts"

const ask = fc.constantFrom<HaltAsk>(
  { act: "arm", armed: true },
  { act: "arm", armed: false },
  { act: "halt", cause: "asked" },
  { act: "halt", cause: "disconnected" },
  { act: "resume" }
)

const asks = fc.array(fc.record({ companyId: fc.constantFrom("cmp_1", "cmp_2"), asked: ask }), { maxLength: 12 })

describe("the rows of halts", () => {
  it("leave what a replay derives", () => {
    fc.assert(
      fc.property(asks, (asked) => {
        const store = new RowStore()
        const derived = new Map<string, StateRow>()
        const put = (row: StateRow) => void derived.set(`${row.table}/${keyOf(row)}`, row)
        const replay = new CommitmentHaltReplay({ history: false, put })
        const states = new Map<string, typeof NOT_HALTED>()
        for (const [index, one] of asked.entries()) {
          const { companyId } = one
          const at = index + 1
          const { event } = decideHalt(states.get(companyId) ?? NOT_HALTED, one.asked, { companyId, at, by: "usr_1" })
          const place = { seq: at, stream: `commitment-halt/${companyId}`, version: 1, hash: "" }
          for (const row of haltRows({ ...place, event })) store.apply(row)
          replay.evolve(event, { ...place, type: event._tag, data: encodeEvent(event) })
          states.set(companyId, event)
        }
        replay.finish()
        expect(store.rows).toEqual(derived)
      }),
      property()
    )
  })
})
