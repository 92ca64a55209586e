import { CountTable } from "./CountTable.ts"

/** Entries of addresses, and of the two sizes of networks around them that come next. The widest ones are few by nature. */
const LEVEL_SIZES: ReadonlyArray<number> = [100_000, 50_000, 65_536]

/** An address as two numbers of 32 bits, or a network around it, whose other bits are 0. */
type Halves = readonly [high: number, low: number]

/** How many bits of each half an address has, and the networks around it: the /24, /16 and /8 of IPv4. */
const V4_BITS: ReadonlyArray<Halves> = [
  [0, 32],
  [0, 24],
  [0, 16],
  [0, 8]
]

/** The /64 of IPv6, which one host owns, and the /48, /32 and /16 around it. */
const V6_BITS: ReadonlyArray<Halves> = [
  [32, 32],
  [32, 16],
  [32, 0],
  [16, 0]
]

const first = (half: number, bits: number): number => (bits === 0 ? 0 : ((half >>> (32 - bits)) << (32 - bits)) >>> 0)

const V6_END = "::/64"

/** The result of `countedAs` as numbers; all 0 for a text that is not an address. */
const halvesOf = (counted: string): Halves => {
  if (counted.endsWith(V6_END)) {
    const [a = 0, b = 0, c = 0, d = 0] = counted.split(":").map((group) => Number.parseInt(group, 16))
    return [((a << 16) | b) >>> 0, ((c << 16) | d) >>> 0]
  }
  const octets = counted.split(".").map(Number)
  if (octets.length !== 4) return [0, 0]
  return [0, octets.reduce((address, octet) => ((address << 8) | octet) >>> 0, 0)]
}

/** One size of addresses or networks. */
interface Level {
  readonly bits: Halves
  readonly most: number
  readonly counts: CountTable
}

/** The place of an address's count. */
interface Place {
  readonly counts: CountTable
  readonly high: number
  readonly low: number
}

/**
 * Counts by address, as {@link countedAs} answers it, in bounded memory. When no more addresses fit, a new one shares
 * the count of its network, and when no more networks fit, that of a wider one. Addresses that are there keep their
 * own. IPv4 and IPv6 have separate room. A text that is not an address counts as 0.0.0.0, which is none either.
 */
export class AddressCounts {
  readonly #v4: ReadonlyArray<Level>
  readonly #v6: ReadonlyArray<Level>

  /** `sizes`: entries of addresses and of each but the widest size of networks around them. */
  constructor(sizes = LEVEL_SIZES) {
    const levels = (widths: ReadonlyArray<Halves>): ReadonlyArray<Level> =>
      widths.map((bits, level) => ({
        bits,
        most: sizes[level] ?? Number.POSITIVE_INFINITY,
        counts: new CountTable()
      }))
    this.#v4 = levels(V4_BITS)
    this.#v6 = levels(V6_BITS)
  }

  get(address: string): number {
    const { counts, high, low } = this.#placeOf(address)
    return counts.get(high, low)
  }

  add(address: string, count: number): void {
    const { counts, high, low } = this.#placeOf(address)
    counts.set(high, low, counts.get(high, low) + count)
  }

  /** Forgets every address. */
  clear(): void {
    for (const { counts } of [...this.#v4, ...this.#v6]) counts.clear()
  }

  /** Entries in all. */
  get size(): number {
    return [...this.#v4, ...this.#v6].reduce((sum, { counts }) => sum + counts.size, 0)
  }

  /** The narrowest network that has its count, or room for one. */
  #placeOf(address: string): Place {
    const [high, low] = halvesOf(address)
    const levels = address.includes(":") ? this.#v6 : this.#v4
    let place: Place | undefined
    for (const { bits, counts, most } of levels) {
      place = { counts, high: first(high, bits[0]), low: first(low, bits[1]) }
      if (counts.has(place.high, place.low) || counts.size < most) return place
    }
    return place ?? { counts: new CountTable(), high, low }
  }
}
