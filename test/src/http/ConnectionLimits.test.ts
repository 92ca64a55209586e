import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { ConnectionLimits, MAX_PIPELINED, MAX_REFUSALS } from "../../../src/http/ConnectionLimits.ts"
import { property } from "../../lib/Property.ts"

const ADDRESS = "198.51.100.1"

/** Limits whose turns of the event loop end by hand. */
const inTurns = () => {
  let waiting: Array<() => void> = []
  const limits = new ConnectionLimits((then) => void waiting.push(then))
  const endTurn = (): void => {
    const now = waiting
    waiting = []
    for (const then of now) then()
  }
  return { limits, endTurn, waits: () => waiting.length }
}

describe("ConnectionLimits", () => {
  it("closes a connection that sends more at once than may be answered before others", () => {
    const { endTurn, limits, waits } = inTurns()
    const peer = () => ({ address: ADDRESS, port: 1 })
    for (let turn = 0; turn < 3; turn++) {
      for (let sent = 0; sent < MAX_PIPELINED; sent++) expect(limits.begin(peer())).toBe(false)
      expect(waits()).toBe(1)
      endTurn()
    }
    for (let sent = 0; sent < MAX_PIPELINED; sent++) limits.begin(peer())
    expect(limits.begin({ address: "198.51.100.2", port: 1 })).toBe(false)
    for (let sent = 0; sent < MAX_PIPELINED; sent++) expect(limits.begin(peer())).toBe(false)
    expect(limits.begin(peer())).toBe(true)
  })

  it("closes each connection with the twentieth refusal in a row, as a list of its answers says", () => {
    const answer = fc.tuple(fc.constantFrom(1, 2), fc.constantFrom(200, 401, 404, 429, 429, 429, 500, 503))
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 200 }), (answers) => {
        const { limits } = inTurns()
        const rows = new Map<number, number>()
        for (const [port, status] of answers) {
          const row = status >= 400 && status < 500 ? (rows.get(port) ?? 0) + 1 : 0
          expect(limits.end({ address: ADDRESS, port }, status)).toBe(row === MAX_REFUSALS)
          rows.set(port, row % MAX_REFUSALS)
        }
        expect(limits.size).toBe([...rows.values()].filter((row) => row > 0).length)
      }),
      property()
    )
  })

  it("remembers so many connections and no more", () => {
    const { limits } = inTurns()
    for (let port = 1; port <= 60_000; port++) limits.end({ address: ADDRESS, port }, 429)
    expect(limits.size).toBe(10_000)
  })
})
