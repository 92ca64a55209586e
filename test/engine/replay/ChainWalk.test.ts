import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import { ChainWalk } from "../../../engine/replay/ChainWalk.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { property } from "../../lib/Property.ts"
import { sampleLog } from "../../lib/ReplayLog.ts"

const events = sampleLog()

const walk = (log: ReadonlyArray<StoredEvent>) => {
  const chain = new ChainWalk(link)
  for (const event of log) {
    const finding = chain.step(event)
    if (finding !== undefined) return { chain, finding }
  }
  return { chain, finding: undefined }
}

const without = (index: number): ReadonlyArray<StoredEvent> => events.filter((_, at) => at !== index)

const changed = (index: number, change: Partial<StoredEvent>): ReadonlyArray<StoredEvent> =>
  events.map((event, at) => (at === index ? { ...event, ...change } : event))

describe("ChainWalk", () => {
  it("walks a log to its end", () => {
    const { chain, finding } = walk(events)
    const last = events.at(-1)!
    expect(finding).toBeUndefined()
    expect([chain.events, chain.streams]).toEqual([events.length, new Set(events.map(({ stream }) => stream)).size])
    expect(chain.end(last.stream)).toMatchObject({ version: last.version, hash: last.hash })
    expect(chain.end("order/none")).toBeUndefined()
  })

  it("makes the event of what follows in its stream, which it takes then", () => {
    const chain = new ChainWalk(link)
    for (const event of events) {
      const { data, seq, stream } = event
      expect(chain.following({ seq, stream, data })).toEqual(event)
      expect(chain.step(chain.following({ seq, stream, data }))).toBeUndefined()
    }
    const unnamed = chain.following({ seq: events.length + 1, stream: "order/none", data: "{}" })
    expect(unnamed).toMatchObject({ version: 1, type: "" })
    expect(chain.step(unnamed)?.problem).toContain("has a type that its data does not name")
  })

  it("names the event with an altered character in its data or its hash", () => {
    fc.assert(
      fc.property(fc.nat(events.length - 1), fc.constantFrom("data", "hash"), fc.nat(), (index, field, at) => {
        const text = events[index]![field]
        const place = at % text.length
        const other = text[place] === "0" ? "1" : "0"
        const altered = changed(index, { [field]: text.slice(0, place) + other + text.slice(place + 1) })
        expect(walk(altered).finding?.seq).toBe(events[index]!.seq)
      }),
      property()
    )
  })

  it("walks a part as it walks the whole, but for what the part cannot say", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: events.length - 1 }), fc.nat(), (from, at) => {
        const part = events.slice(from)
        const index = at % part.length
        const event = part[index]!
        const found = (change: Partial<StoredEvent>) => {
          const chain = new ChainWalk(link, from)
          for (const [place, one] of part.entries()) {
            const finding = chain.step(place === index ? { ...one, ...change } : one)
            if (finding !== undefined) return finding.seq
          }
          return undefined
        }
        expect(found({})).toBeUndefined()
        expect(found({ type: `${event.type}s` })).toBe(event.seq)
        expect(found({ seq: event.seq + 1 })).toBe(event.seq + 1)
        const isFirst = part.findIndex(({ stream }) => stream === event.stream) === index
        const next = part.find(({ seq, stream }) => seq > event.seq && stream === event.stream)
        expect(found({ version: event.version + 1 })).toBe(isFirst ? next?.seq : event.seq)
        if (!isFirst || event.version === 1) expect(found({ data: `${event.data} ` })).toBe(event.seq)
      }),
      property()
    )
  })

  it("names an event out of its place", () => {
    const middle = 10
    const { seq, version, type } = events[middle]!
    expect(walk(without(middle)).finding?.seq).toBe(seq + 1)
    expect(walk(changed(middle, { version: version + 1 })).finding).toMatchObject({ seq })
    expect(walk(changed(middle, { type: `${type}s` })).finding).toMatchObject({ seq })
    expect(walk(changed(middle, { stream: "order/other" })).finding).toMatchObject({ seq })
    expect(walk(changed(middle, { seq: seq + 1 })).finding).toMatchObject({ seq: seq + 1 })
  })

  it("sums up everything of every event", () => {
    const sum = (log: ReadonlyArray<StoredEvent>) => walk(log).chain.sum
    expect(sum(events)).toMatch(/^[0-9a-f]{64}$/)
    expect(sum(events)).toBe(sum(sampleLog()))
    expect(new Set(events.map((_, length) => sum(events.slice(0, length)))).size).toBe(events.length)
    const [first] = events
    expect(walk([{ ...first!, stream: "elsewhere" }]).finding).toBeUndefined()
    expect(sum([{ ...first!, stream: "elsewhere" }])).not.toBe(sum([first!]))
  })
})
