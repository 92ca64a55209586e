import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { LookPace } from "../../../src/cluster/LookPace.ts"
import { property } from "../../lib/Property.ts"

/** Milliseconds from one chance for a look to the next. */
const TICK = 50

/** Looks as they become due, one chance after another, until a time; answers when they were made. */
const looksUntil = (pace: LookPace, until: number, each: (now: number) => { readonly isCalm: boolean }) => {
  const looks: Array<number> = []
  for (let now = 0; now <= until; now += TICK) {
    const { isCalm } = each(now)
    if (!pace.isDue(now)) continue
    looks.push(now)
    pace.looked(now, isCalm)
  }
  return looks
}

const every = (step: number, until: number) => Array.from({ length: until / step + 1 }, (_, index) => index * step)

describe("Looks at the nodes", () => {
  it("are made at every chance while nothing is heard, and seldom while rows come", () => {
    expect(looksUntil(new LookPace(), 1_000, () => ({ isCalm: true }))).toEqual(every(TICK, 1_000))
    const heard = new LookPace()
    const looks = looksUntil(heard, 1_000, (now) => {
      heard.heard(now)
      return { isCalm: true }
    })
    expect(looks).toEqual(every(250, 1_000))
  })

  it("are made at every chance where a node came or went, or the connection has ended", () => {
    const changing = new LookPace()
    const restless = looksUntil(changing, 500, (now) => {
      changing.heard(now)
      return { isCalm: false }
    })
    expect(restless).toEqual(every(TICK, 500))
    const cut = new LookPace()
    const alert = looksUntil(cut, 1_500, (now) => {
      if (now === 0) cut.silent(now)
      cut.heard(now)
      return { isCalm: true }
    })
    expect(alert).toEqual(every(TICK, 1_500))
  })

  it("are never made later than a quarter of a second after one, and soon after the last row", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(400), { maxLength: 40 }), (gaps) => {
        const pace = new LookPace()
        let at = 0
        const rows = gaps.map((gap) => (at += gap))
        const last = at
        const looks = looksUntil(pace, last + 500, (now) => {
          while (rows.length > 0 && (rows[0] ?? 0) <= now) pace.heard(rows.shift() ?? 0)
          return { isCalm: true }
        })
        for (const [index, look] of looks.slice(1).entries())
          expect(look - (looks[index] ?? 0)).toBeLessThanOrEqual(250)
        const alert = every(TICK, last + 500).filter((now) => now > last + 2 * TICK + 10)
        expect(looks).toEqual(expect.arrayContaining(alert))
      }),
      property()
    )
  })

  it("use what was read for a quarter of a second, unless it is outdated", () => {
    const pace = new LookPace()
    pace.looked(0, true)
    expect(pace.isKnown(0)).toBe(false)
    pace.read(0)
    expect([pace.isKnown(0), pace.isKnown(249), pace.isKnown(250)]).toEqual([true, true, false])
    pace.outdate()
    expect(pace.isKnown(0)).toBe(false)
    pace.read(300)
    expect(pace.isKnown(300)).toBe(true)
    pace.looked(300, false)
    expect(pace.isKnown(300)).toBe(false)
    pace.looked(300, true)
    pace.silent(300)
    expect([pace.isKnown(300), pace.isKnown(549)]).toEqual([false, false])
  })
})
