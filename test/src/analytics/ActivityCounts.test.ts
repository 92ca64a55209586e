import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { fromUnits } from "../../../engine/money/Amount.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { ActivityCounts, type Folded, MAX_CELLS } from "../../../src/analytics/ActivityCounts.ts"
import { runs } from "../../lib/Property.ts"

const DAY = 86_400_000

const withdrawn = (owner: string, day: number, units: bigint): PlatformEvent => ({
  _tag: "MoneyWithdrawn",
  at: day * DAY,
  withdrawalId: "w",
  owner,
  fundId: "f",
  asset: "USD",
  quantity: fromUnits(units)
})

const minted: PlatformEvent = { _tag: "AllowanceGranted", at: 1, traderId: "t", amount: fromUnits(1n) }

const anyEvent: fc.Arbitrary<PlatformEvent> = fc.oneof(
  fc.constant(minted),
  fc
    .tuple(fc.constantFrom("a", "b"), fc.nat(1), fc.nat(99))
    .map(([owner, day, units]) => withdrawn(owner, day, BigInt(units)))
)

const recorded = (event: PlatformEvent, index: number) => ({
  seq: index + 1,
  stream: "s",
  version: index + 1,
  event,
  hash: ""
})

/** What the counts were in all, and that they follow each other. */
const summed = (parts: ReadonlyArray<Folded>) => {
  const sums = new Map<string, [number, bigint]>()
  let position = 0
  for (const { cells, from, to } of parts) {
    expect(from).toBe(position)
    position = to
    for (const { by, day, name, times, volume } of cells) {
      const key = JSON.stringify([by, day, name])
      const [count, moved] = sums.get(key) ?? [0, 0n]
      sums.set(key, [count + times, moved + volume])
    }
  }
  return { position, sums }
}

describe("ActivityCounts", () => {
  it("counts each event once, heard or read, whatever was missed and whatever could not be written", () => {
    const turns = fc.array(
      fc.record({ hears: fc.boolean(), reads: fc.boolean(), writes: fc.constantFrom("yes", "no", "fails") }),
      { minLength: 1 }
    )
    fc.assert(
      fc.property(fc.array(anyEvent), turns, (events, turns) => {
        const log = events.map(recorded)
        const counts = new ActivityCounts(0)
        const written: Array<Folded> = []
        const read = () => {
          counts.caughtUp()
          for (const { event, seq } of log.slice(0, told)) counts.take(seq, event)
        }
        let told = 0
        for (const { hears, reads, writes } of turns) {
          const next = log.slice(told, told + 3)
          told += next.length
          if (hears) counts.listen(next)
          if (reads) read()
          if (writes === "no") continue
          const part = counts.folded()
          if (writes === "yes") written.push(part)
          else counts.restart(part.from)
        }
        told = log.length
        read()
        written.push(counts.folded())
        const plain = new ActivityCounts(0)
        plain.listen(log)
        expect(summed(written)).toEqual(summed([plain.folded()]))
        expect(counts.isBehind).toBe(false)
      }),
      { numRuns: runs() }
    )
  })

  it("takes what was told of while it read, so that reading ends", () => {
    const log = Array.from({ length: 30 }, (_, index) => recorded(withdrawn("a", 0, 1n), index))
    const read = (counts: ActivityCounts, from: number, to: number) => {
      for (const { event, seq } of log.slice(from, to)) counts.take(seq, event)
    }
    const counts = new ActivityCounts(0)
    counts.listen(log.slice(12, 20))
    read(counts, 0, 10)
    expect(counts.position).toBe(10)
    counts.listen(log.slice(20, 30))
    counts.caughtUp()
    read(counts, 10, 14)
    expect([counts.position, counts.isBehind, counts.folded().cells[0]?.times]).toEqual([30, false, 30])
  })

  it("leaves to be read what there is no room for", () => {
    const log = Array.from({ length: MAX_CELLS + 10 }, (_, index) => recorded(withdrawn(`u${index}`, 0, 1n), index))
    const counts = new ActivityCounts(0)
    counts.caughtUp()
    counts.listen(log)
    expect([counts.position, counts.isBehind]).toEqual([MAX_CELLS, true])
    counts.folded()
    counts.listen(log.slice(MAX_CELLS))
    expect(counts.folded().cells.length).toBe(10)
  })
})
