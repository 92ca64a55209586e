import { randomInt } from "node:crypto"

/** Slots of a table that holds nothing yet. A power of two. */
const FIRST_SLOTS = 1_024

/** Random, so that nobody can choose keys that meet in one slot. */
const SEED = randomInt(0x1_0000_0000)

const mixed = (high: number, low: number): number => {
  let hash = Math.imul(high ^ SEED, 0x85eb_ca6b) ^ Math.imul(low ^ (SEED >>> 7), 0xc2b2_ae35)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb_352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846c_a68b)
  return (hash ^ (hash >>> 16)) >>> 0
}

/**
 * Counts by 64-bit keys without an object for each. A slot takes twelve bytes, and at most half of the slots are used.
 * Keys are given as their two halves, unsigned; a count is below 2^32 - 1.
 */
export class CountTable {
  #high = new Uint32Array(FIRST_SLOTS)
  #low = new Uint32Array(FIRST_SLOTS)
  /** One more than the count; 0 where the slot is free. */
  #counts = new Uint32Array(FIRST_SLOTS)
  #size = 0

  /** Keys that are held. */
  get size(): number {
    return this.#size
  }

  has(high: number, low: number): boolean {
    return this.#counts[this.#slotOf(high, low)] !== 0
  }

  /** The count of a key; 0 if it is not held. */
  get(high: number, low: number): number {
    return Math.max(0, (this.#counts[this.#slotOf(high, low)] ?? 0) - 1)
  }

  /** Sets the count of a key, which is held from here on. */
  set(high: number, low: number, count: number): void {
    const slot = this.#slotOf(high, low)
    const isNew = this.#counts[slot] === 0
    this.#high[slot] = high
    this.#low[slot] = low
    this.#counts[slot] = count + 1
    if (!isNew) return
    this.#size += 1
    if (this.#size * 2 > this.#counts.length) this.#grow()
  }

  /** Forgets every key. Keeps the slots for those that come next. */
  clear(): void {
    this.#counts.fill(0)
    this.#size = 0
  }

  /** The slot of a key, or the one to put it in. */
  #slotOf(high: number, low: number): number {
    const last = this.#counts.length - 1
    let slot = mixed(high, low) & last
    while (this.#counts[slot] !== 0 && (this.#high[slot] !== high || this.#low[slot] !== low)) slot = (slot + 1) & last
    return slot
  }

  #grow(): void {
    const [highs, lows, counts] = [this.#high, this.#low, this.#counts]
    const slots = counts.length * 2
    this.#high = new Uint32Array(slots)
    this.#low = new Uint32Array(slots)
    this.#counts = new Uint32Array(slots)
    for (const [old, count] of counts.entries()) {
      if (count === 0) continue
      const high = highs[old] ?? 0
      const low = lows[old] ?? 0
      const slot = this.#slotOf(high, low)
      this.#high[slot] = high
      this.#low[slot] = low
      this.#counts[slot] = count
    }
  }
}
