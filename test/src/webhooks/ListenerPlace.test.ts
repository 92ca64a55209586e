import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { ListenerPlace } from "../../../src/webhooks/ListenerPlace.ts"
import { property } from "../../lib/Property.ts"

const begun = (after: number | undefined, head: number): ListenerPlace => {
  const place = new ListenerPlace()
  place.begin(after, head)
  return place
}

describe("ListenerPlace", () => {
  it("begins at the end, where nothing is to be looked through", () => {
    const place = begun(undefined, 7)
    expect(place.news.isOpen()).toBe(false)
    expect(place.next()).toEqual({ after: 7, upTo: 7 })
  })

  it("begins after a place, and looks through all that it does not know", () => {
    const place = begun(3, 30)
    expect(place.news.isOpen()).toBe(true)
    expect(place.next()).toEqual({ after: 3, upTo: 30 })
    place.reached(20)
    place.told(35, 40)
    expect(place.next()).toEqual({ after: 20, upTo: 40 })
    place.reached(40)
    expect(place.news.isOpen()).toBe(false)
    expect(begun(99, 30).next()).toEqual({ after: 30, upTo: 30 })
  })

  it("leaves out what it knows to be nothing for it", () => {
    const place = begun(undefined, 7)
    place.told(undefined, 1_000)
    expect(place.news.isOpen()).toBe(false)
    place.told(2_000, 3_000)
    place.told(2_500, 4_000)
    expect(place.news.isOpen()).toBe(true)
    expect(place.next()).toEqual({ after: 1_999, upTo: 4_000 })
    place.reached(4_000)
    place.told(undefined, 5_000)
    expect(place.next()).toEqual({ after: 5_000, upTo: 5_000 })
  })

  it("misses nothing that is for it, and sees nothing twice, however commits and looks alternate", () => {
    const act = fc.oneof(
      fc.record({ commit: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }) }),
      fc.record({ look: fc.integer({ min: 1, max: 4 }) })
    )
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 9 }), fc.nat({ max: 9 }), fc.array(act), (log, from, acts) => {
        const journal = [...log]
        const after = Math.min(from, journal.length)
        const place = begun(after, journal.length)
        const seen: Array<number> = []
        const look = (most: number) => {
          const { after: start, upTo } = place.next()
          if (start === upTo) return
          const to = Math.min(upTo, start + most)
          for (let seq = start + 1; seq <= to; seq += 1) if (journal[seq - 1] === true) seen.push(seq)
          place.reached(to)
        }
        for (const one of acts) {
          if ("look" in one) {
            look(one.look)
            continue
          }
          const first = one.commit.indexOf(true)
          const before = journal.length
          journal.push(...one.commit)
          place.told(first < 0 ? undefined : before + first + 1, journal.length)
        }
        while (place.news.isOpen()) look(3)
        expect(seen).toEqual(journal.flatMap((isMine, index) => (isMine && index >= after ? [index + 1] : [])))
      }),
      property()
    )
  })
})
