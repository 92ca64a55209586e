import { networksAround } from "./ClientAddress.ts"

/** Entries of addresses, and of the two sizes of networks around them that come next. The widest ones are few by nature. */
const LEVEL_SIZES: ReadonlyArray<number> = [100_000, 50_000, 65_536]

/** Stands for the network of what is no address. */
const UNKNOWN = "unknown"

type Levels<Value> = ReadonlyArray<Map<string, Value>>

/**
 * Values by address in bounded memory. Where no more addresses fit, a new one shares the value of its network, and of
 * wider ones where no more of those fit; addresses that are there keep their own. IPv4 and IPv6 have room of their own.
 */
export class AddressMap<Value> {
  readonly #sizes: ReadonlyArray<number>
  readonly #v4: Levels<Value>
  readonly #v6: Levels<Value>

  /** `sizes`: entries of addresses and of each but the widest size of networks around them. */
  constructor(sizes = LEVEL_SIZES) {
    const levels = () => Array.from({ length: sizes.length + 1 }, () => new Map<string, Value>())
    this.#sizes = sizes
    this.#v4 = levels()
    this.#v6 = levels()
  }

  /** The value that counts for an address, as `countedAs` answers it. Made where there is none. */
  of(address: string, make: () => Value): Value {
    const levels = address.includes(":") ? this.#v6 : this.#v4
    const own = levels[0]?.get(address)
    if (own !== undefined) return own
    const keys = [address, ...networksAround(address)]
    for (const [level, values] of levels.entries()) {
      const key = keys[level] ?? UNKNOWN
      const known = values.get(key)
      if (known !== undefined) return known
      if (values.size >= (this.#sizes[level] ?? Number.POSITIVE_INFINITY)) continue
      const made = make()
      values.set(key, made)
      return made
    }
    return make()
  }

  /** Entries in all. */
  get size(): number {
    return [...this.#v4, ...this.#v6].reduce((sum, { size }) => sum + size, 0)
  }
}
