import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { GatheredSending } from "../../../src/cluster/GatheredSending.ts"
import { property } from "../../lib/Property.ts"

/** What goes out when so many items of so many characters come in each of some turns. */
const sentOf = (turns: ReadonlyArray<ReadonlyArray<number>>) => {
  const sent: Array<ReadonlyArray<{ readonly body: string; readonly id: number }>> = []
  let ends: Array<() => void> = []
  let id = 0
  const gathered = new GatheredSending<{ readonly body: string; readonly id: number }>(
    (items) => sent.push(items),
    (run) => ends.push(run)
  )
  const sizes = turns.map((turn) => {
    for (const size of turn) gathered.add({ id: (id += 1), body: " ".repeat(size) })
    for (const end of ends) end()
    ends = []
    return sent.length
  })
  return { sent, sizes, count: id, left: gathered.take().length }
}

describe("GatheredSending", () => {
  it("sends everything once, in order, by the end of its turn, and at most 100 at once", () => {
    const turn = fc.array(fc.nat(400_000), { maxLength: 6 })
    const many = fc.nat(250).map((count) => Array.from({ length: count }, () => 1))
    fc.assert(
      fc.property(fc.array(fc.oneof(turn, many), { maxLength: 5 }), (turns) => {
        const { count, left, sent } = sentOf(turns)
        expect(sent.flat().map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
        expect(left).toBe(0)
        for (const items of sent) {
          expect(items.length).toBeGreaterThan(0)
          expect(items.length).toBeLessThanOrEqual(100)
          const before = items.slice(0, -1).reduce((sum, { body }) => sum + body.length, 0)
          expect(before).toBeLessThan(262_144)
        }
      }),
      property()
    )
  })

  it("sends what comes in one turn together, and what comes later for itself", () => {
    expect(sentOf([[1, 1, 1], [], [1]]).sent.map(({ length }) => length)).toEqual([3, 1])
  })

  it("counts outlines as well", () => {
    const sent: Array<number> = []
    const gathered = new GatheredSending<{ readonly body: string; readonly outline: string }>(
      (items) => sent.push(items.length),
      () => undefined
    )
    for (let at = 0; at < 4; at += 1) gathered.add({ body: "", outline: "a".repeat(100_000) })
    expect(sent).toEqual([3])
  })

  it("counts the values of headers as well", () => {
    const sent: Array<number> = []
    const gathered = new GatheredSending<{ readonly body: string; readonly values: ReadonlyArray<string> }>(
      (items) => sent.push(items.length),
      () => undefined
    )
    for (let at = 0; at < 4; at += 1) gathered.add({ body: "", values: ["a".repeat(50_000), "b".repeat(50_000)] })
    expect(sent).toEqual([3])
  })

  it("gives back what was not sent, which then does not go out", () => {
    const sent: Array<unknown> = []
    let end = (): void => undefined
    const gathered = new GatheredSending<{ readonly body: string }>(
      (items) => sent.push(items),
      (run) => (end = run)
    )
    gathered.add({ body: "a" })
    expect(gathered.take()).toEqual([{ body: "a" }])
    end()
    expect(sent).toEqual([])
  })
})
