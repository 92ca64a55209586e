import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { AddressMap } from "../../../src/http/AddressMap.ts"
import { countedAs, networksAround } from "../../../src/http/ClientAddress.ts"
import { property } from "../../lib/Property.ts"

const SIZES = [3, 2, 2]

/** What an address shares, told from the list of all that came before it. */
class NaiveMap {
  readonly #keys: Array<Array<string>> = [[], [], [], []]

  keyOf(address: string): string {
    const names = [address, ...networksAround(address)]
    for (const [level, keys] of this.#keys.entries()) {
      const name = names[level] ?? "unknown"
      if (keys.includes(name)) return name
      if (level < SIZES.length && keys.length >= (SIZES[level] ?? 0)) continue
      keys.push(name)
      return name
    }
    return ""
  }
}

const octet = fc.constantFrom(1, 2, 200)
const v4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join("."))
const group = fc.constantFrom("1", "2", "a")
const v6 = fc.tuple(group, group, group, group).map((groups) => countedAs(`${groups.join(":")}::9`))

describe("AddressMap", () => {
  it("shares values as a list of all who came before says, IPv4 and IPv6 apart", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(v4, v6, fc.constantFrom("", "unix")), { maxLength: 60 }), (addresses) => {
        const map = new AddressMap<{ readonly of: string }>(SIZES)
        const [naive4, naive6] = [new NaiveMap(), new NaiveMap()]
        const values = new Map<string, object>()
        for (const address of addresses) {
          const isWide = address.includes(":")
          const key = `${isWide} ${(isWide ? naive6 : naive4).keyOf(address)}`
          const value = map.of(address, () => ({ of: address }))
          expect(value).toBe((values.get(key) ?? value) as typeof value)
          values.set(key, value)
        }
        expect(new Set(values.values()).size).toBe(values.size)
        expect(map.size).toBe(values.size)
      }),
      property()
    )
  })

  it("stays bounded, whatever comes, and lets who was there keep what it had", () => {
    const map = new AddressMap<object>([10, 5, 4])
    const first = map.of("198.51.100.1", () => ({}))
    for (let n = 0; n < 10_000; n++) map.of(`${n % 250}.${n % 17}.${n % 251}.${n % 13}`, () => ({}))
    expect(map.size).toBeLessThanOrEqual(10 + 5 + 4 + 256)
    expect(map.of("198.51.100.1", () => ({}))).toBe(first)
  })
})
