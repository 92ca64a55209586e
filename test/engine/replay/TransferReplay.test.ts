import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import type { StateRow } from "../../../engine/replay/StateTable.ts"
import { TransferReplay } from "../../../engine/replay/TransferReplay.ts"
import type { TransferEvent } from "../../../engine/transfers/TransferEvent.ts"
import { quoted, transferred, withdrawn } from "../../lib/TransferEvents.ts"

const stored = (event: TransferEvent, stream: string, seq = 1) => ({
  seq,
  stream,
  version: 1,
  type: event._tag,
  data: encodeEvent(event),
  hash: ""
})

const replay = (history = false) => {
  const rows: Array<StateRow> = []
  return { rows, replay: new TransferReplay({ history, put: (row) => rows.push(row) }) }
}

const STREAM = "transfer/ada/rent"

describe("TransferReplay", () => {
  it("decides again what is recorded", () => {
    const machine = replay().replay
    for (const [event, stream, commands] of [
      [transferred(), STREAM, 2],
      [transferred(), "transfers/ada", 2],
      [withdrawn, "withdrawals/ada", 1],
      [quoted(), "fx-quote/fxq_1", 1]
    ] as const) {
      const decided = machine.decide(event, stored(event, stream))
      expect(Result.getOrThrow(decided)).toHaveLength(commands)
    }
  })

  it("refuses what is decided otherwise, or stands elsewhere", () => {
    const wrong: ReadonlyArray<readonly [TransferEvent, string]> = [
      [transferred(), "transfers/bob"],
      [transferred(), "transfer/ada/other"],
      [transferred({ received: fromUnits(11_000_001n) }), STREAM],
      [transferred({ taken: fromUnits(1n) }), STREAM],
      [transferred({ mode: "local", rate: null }), STREAM],
      [transferred({ quoteId: "fxq_1" }), STREAM],
      [withdrawn, "withdrawals/bob"],
      [quoted(), "fx-quote/fxq_2"],
      [quoted({ value: fromUnits(1n) }), "fx-quote/fxq_1"],
      [quoted({ expiresAt: 60_005 }), "fx-quote/fxq_1"]
    ]
    for (const [event, stream] of wrong) {
      expect(Result.isFailure(replay().replay.decide(event, stored(event, stream)))).toBe(true)
    }
  })

  it("lets a held rate serve its owner once, at what it was held at", () => {
    const after = (...events: ReadonlyArray<TransferEvent>) => {
      const { replay: machine } = replay()
      for (const event of events) machine.evolve(event, stored(event, "s"))
      return (event: TransferEvent) => Result.isSuccess(machine.decide(event, stored(event, STREAM)))
    }
    const using = transferred({ quoteId: "fxq_1" })
    expect(after(quoted())(using)).toBe(true)
    expect(after(quoted(), using)(using)).toBe(false)
    expect(after(quoted({ owner: "bob" }))(using)).toBe(false)
    expect(after(quoted({ quantity: fromUnits(1n) }))(using)).toBe(false)
    expect(after(quoted({ expiresAt: 5 }))(using)).toBe(false)
    expect(after(quoted({ rate: quoted().rate, side: "Buy" }))(using)).toBe(false)
  })

  it("puts a row of each, and a quote's when nothing changes it any more", () => {
    const using = transferred({ quoteId: "fxq_1" })
    const put = (history: boolean) => {
      const { replay: machine, rows } = replay(history)
      machine.evolve(quoted(), stored(quoted(), "s"))
      machine.evolve(quoted({ quoteId: "fxq_2" }), stored(quoted(), "s"))
      machine.evolve(using, stored(using, "s", 2))
      machine.evolve(withdrawn, stored(withdrawn, "s", 3))
      machine.finish()
      return rows.map(({ table, values }) => [table, values[0], values.at(table === "transfers" ? -2 : -1)])
    }
    const last = [
      ["fx_quotes", "fxq_1", "ada/rent"],
      ["transfers", "ada/rent", "2"],
      ["withdrawals", "wdr_1", "3"],
      ["fx_quotes", "fxq_2", null]
    ]
    expect(put(false)).toEqual(last)
    expect(put(true)).toEqual([["fx_quotes", "fxq_1", null], ["fx_quotes", "fxq_2", null], ...last])
  })
})
