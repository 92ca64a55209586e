import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { AddressCounts } from "../../../src/http/AddressCounts.ts"
import { countedAs } from "../../../src/http/ClientAddress.ts"
import { property } from "../../lib/Property.ts"

const SIZES = [3, 2, 2]

/** The names of an address and of the networks around it, each wider than the one before. */
const namesOf = (counted: string): ReadonlyArray<string> => {
  const isWide = counted.includes(":")
  const parts = counted.replace("::/64", "").split(isWide ? ":" : ".")
  const widths = parts.length === 4 ? [4, 3, 2, 1] : []
  return widths.map((kept) => `${isWide ? "v6" : "v4"} ${parts.slice(0, kept).join(".")}/${kept}`)
}

/** Counts told from lists of all that came before. */
class NaiveCounts {
  readonly #held: ReadonlyArray<Map<string, number>> = [new Map(), new Map(), new Map(), new Map()]

  add(counted: string, count: number): number {
    for (const [level, name] of namesOf(counted).entries()) {
      const held = this.#held[level] ?? new Map()
      if (!held.has(name) && level < SIZES.length && held.size >= (SIZES[level] ?? 0)) continue
      held.set(name, (held.get(name) ?? 0) + count)
      return held.get(name) ?? 0
    }
    return 0
  }
}

const octet = fc.constantFrom(1, 2, 200)
const v4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join("."))
const group = fc.constantFrom("1", "2", "fffa")
const v6 = fc.tuple(group, group, group, group).map((groups) => countedAs(`${groups.join(":")}::9`))

describe("AddressCounts", () => {
  it("counts as lists of all who came before say, IPv4 and IPv6 apart", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.oneof(v4, v6), fc.nat(500)), { maxLength: 60 }), (added) => {
        const counts = new AddressCounts(SIZES)
        const [naive4, naive6] = [new NaiveCounts(), new NaiveCounts()]
        for (const [address, count] of added) {
          counts.add(address, count)
          const expected = (address.includes(":") ? naive6 : naive4).add(address, count)
          expect(counts.get(address)).toBe(expected)
        }
        counts.clear()
        expect([counts.size, ...added.map(([address]) => counts.get(address))]).toEqual([0, ...added.map(() => 0)])
      }),
      property()
    )
  })

  it("stays bounded, whatever comes, and lets who was there keep what it had", () => {
    const counts = new AddressCounts([10, 5, 4])
    counts.add("198.51.100.1", 7)
    for (let n = 0; n < 10_000; n++) counts.add(`${n % 250}.${n % 17}.${n % 251}.${n % 13}`, 1)
    expect(counts.size).toBeLessThanOrEqual(10 + 5 + 4 + 256)
    expect(counts.get("198.51.100.1")).toBe(7)
  })

  it("counts all that is no address together", () => {
    const counts = new AddressCounts()
    for (const name of ["", "unix"]) counts.add(name, 1)
    expect([counts.get("unknown"), counts.get("127.0.0.1")]).toEqual([2, 0])
  })
})
