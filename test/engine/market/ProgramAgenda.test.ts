import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { MarketFrame } from "../../../engine/market/MarketFrame.ts"
import { MAX_AGENDA, ProgramAgenda } from "../../../engine/market/ProgramAgenda.ts"
import { timeText } from "../../../engine/wire/WireValue.ts"
import { property } from "../../lib/Property.ts"

const priced = (at: number): MarketFrame => ({
  type: "price_update",
  data: { asset_type: null, asset: `${at}`, price: 1, safe: true },
  timestamp: timeText(at)
})

const names = ({ at, events }: { readonly at: number; readonly events: ReadonlyArray<MarketFrame> }) =>
  `${at}: ${events.map(({ type }) => type).join()}`

const all = (agenda: ProgramAgenda, now: number): ReadonlyArray<string> => {
  const told: Array<string> = []
  for (let moment = agenda.next(now); moment !== undefined; moment = agenda.next(now)) told.push(names(moment))
  return told
}

describe("a program's agenda", () => {
  it("tells by time, and what happened at a time before the waking at it", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 50 })),
        fc.uniqueArray(fc.integer({ min: 0, max: 50 })),
        (happened, woken) => {
          const agenda = new ProgramAgenda()
          for (const at of woken) agenda.wake(at)
          for (const at of happened.toSorted((one, other) => one - other)) agenda.add({ at, events: [priced(at)] })
          const expected = [...happened.map((at) => [at, 0] as const), ...woken.map((at) => [at, 1] as const)]
            .toSorted(([at, rank], [other, otherRank]) => at - other || rank - otherRank)
            .map(([at, rank]) => `${at}: ${rank === 0 ? "price_update" : "woken"}`)
          expect(all(agenda, 50)).toEqual(expected)
        }
      ),
      property()
    )
  })

  it("wakes when it is time, as often at once as it was asked for, and never before what was told", () => {
    const agenda = new ProgramAgenda()
    for (const at of [30, 20, 20]) agenda.wake(at)
    expect([agenda.wakesAt, all(agenda, 19)]).toEqual([20, []])
    expect(all(agenda, 20)).toEqual(["20: woken,woken"])
    agenda.add({ at: 40, events: [priced(40)] })
    expect(all(agenda, 41)).toEqual(["30: woken", "40: price_update"])
    agenda.wake(5)
    agenda.add({ at: 35, events: [priced(35)] })
    expect(all(agenda, 41)).toEqual(["40: price_update", "40: woken"])
  })

  it("has an end", () => {
    const agenda = new ProgramAgenda()
    const took = Array.from({ length: MAX_AGENDA + 1 }, (_, at) => [agenda.wake(at), agenda.add({ at, events: [] })])
    expect(took.at(-2)).toEqual([true, true])
    expect(took.at(-1)).toEqual([false, false])
  })
})
