import { describe, expect, it } from "bun:test"
import type { MarketFrame } from "../../../../engine/market/MarketFrame.ts"
import { takeTurn } from "../../../../src/bots/programs/ProgramTurn.ts"
import type { TradingProgram } from "../../../../engine/market/TradingProgram.ts"

const WOKEN: MarketFrame = { type: "woken", data: {}, timestamp: "2026-01-01T00:00:00.000Z" }

const request = (quantity: number) => ({
  order_id: "ord_1",
  proposed_entry_price: 1,
  expected_exit_price: 2,
  quantity
})

const turn = (onEvent: TradingProgram["onEvent"], events = [WOKEN, WOKEN]) =>
  takeTurn({ onEvent }, events, "2026-01-01T00:00:01.000Z", 12.5)

describe("a program's turn", () => {
  it("hears one event after the other, the next one once a promise is kept", async () => {
    const heard: Array<string> = []
    await turn(async ({ type }, { free, now }) => {
      heard.push(`begins ${type} ${now} ${free}`)
      await Promise.resolve()
      heard.push("ends")
    })
    const begins = "begins woken 2026-01-01T00:00:01.000Z 12.5"
    expect(heard).toEqual([begins, "ends", begins, "ends"])
  })

  it("answers all bids as they came, and the last time to be woken at", async () => {
    let quantity = 0
    const answer = await turn((_, market) => {
      quantity += 1
      market.commit(request(quantity))
      market.wakeAt(`2026-01-01T00:00:0${quantity}Z`)
    })
    expect(answer).toEqual({
      commitments: [request(1), request(2)],
      wakeAt: Date.parse("2026-01-01T00:00:02Z")
    })
    expect(await turn(() => {})).toEqual({ commitments: [], wakeAt: undefined })
  })

  it("rejects with what the program throws, at once, later, or for a time that is none", async () => {
    const fail = (): never => {
      throw new Error("broken")
    }
    expect(turn(fail)).rejects.toThrow("broken")
    expect(turn(() => Promise.resolve().then(fail))).rejects.toThrow("broken")
    expect(turn((_, { wakeAt }) => wakeAt("soon"))).rejects.toThrow("wakeAt: expected an ISO 8601 time")
  })
})
