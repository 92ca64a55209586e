/** Slots at first: a power of two, of which at most half are taken. */
const SLOTS = 1_024

/** Two hashes of a name's UTF-16 code units, 32 bits each. */
interface NameHash {
  low: number
  high: number
}

const rehash = (name: string, into: NameHash): void => {
  let low = 0x9e37_79b9
  let high = 0x85eb_ca6b ^ name.length
  const even = name.length & ~1
  for (let index = 0; index < even; index += 2) {
    const units = name.charCodeAt(index) | (name.charCodeAt(index + 1) << 16)
    low = Math.imul(low ^ units, 0x9e37_79b1)
    low ^= low >>> 15
    high = Math.imul(high ^ units, 0x5f35_6495)
    high ^= high >>> 13
  }
  if (even < name.length) {
    const unit = name.charCodeAt(even)
    low = Math.imul(low ^ unit, 0x9e37_79b1)
    low ^= low >>> 15
    high = Math.imul(high ^ unit, 0x5f35_6495)
    high ^= high >>> 13
  }
  low = Math.imul(low ^ (low >>> 16) ^ Math.imul(high, 0x7feb_352d), 0x85eb_ca6b)
  high = Math.imul(high ^ (high >>> 16) ^ Math.imul(low, 0x846c_a68b), 0xc2b2_ae35)
  into.low = (low ^ (low >>> 13)) >>> 0
  // Zero is a free slot.
  into.high = (high ^ (high >>> 16)) >>> 0 || 1
}

/**
 * Names that are never taken out again, in sixteen to thirty-two bytes each however long they are: millions of ids that
 * must not come twice. It keeps 64 bits of each. A name that was added is always found; one of ten million that was not
 * is taken for another with a chance of one in a million million.
 */
export class NameSet {
  #slots = new Uint32Array(2 * SLOTS)
  #size = 0
  readonly #hash: NameHash = { low: 0, high: 0 }

  get size(): number {
    return this.#size
  }

  has(name: string): boolean {
    rehash(name, this.#hash)
    return this.#slots[this.#slotOf(this.#hash) + 1] !== 0
  }

  /** Adds a name; false where it is there already. */
  add(name: string): boolean {
    rehash(name, this.#hash)
    const slot = this.#slotOf(this.#hash)
    if (this.#slots[slot + 1] !== 0) return false
    this.#put(slot, this.#hash)
    this.#size += 1
    if (4 * this.#size > this.#slots.length) this.#grow()
    return true
  }

  /** Where a hash is, or the free slot where it would be. */
  #slotOf({ high, low }: NameHash): number {
    const slots = this.#slots
    const last = slots.length - 2
    let slot = (2 * low) & last
    while (slots[slot + 1] !== 0 && (slots[slot] !== low || slots[slot + 1] !== high)) slot = (slot + 2) & last
    return slot
  }

  #put(slot: number, { high, low }: NameHash): void {
    this.#slots[slot] = low
    this.#slots[slot + 1] = high
  }

  #grow(): void {
    const before = this.#slots
    const hash = this.#hash
    this.#slots = new Uint32Array(2 * before.length)
    for (let slot = 0; slot < before.length; slot += 2) {
      hash.low = before[slot] ?? 0
      hash.high = before[slot + 1] ?? 0
      if (hash.high !== 0) this.#put(this.#slotOf(hash), hash)
    }
  }
}
