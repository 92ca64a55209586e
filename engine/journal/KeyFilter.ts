/** Keys of a retention that the filter is made for by default: 231 a second, day and night. 63 MB once all are in use. */
export const KEY_CAPACITY = 20_000_000

/** How long a key is alive, in milliseconds: 24 hours. */
export const KEY_RETENTION = 86_400_000

/** Generations that hold the keys of one retention, each full. */
const FULL = 4

/**
 * With so many, one is free whenever another is full, as long as no retention has more keys than the capacity: a
 * generation takes keys for at most one retention.
 */
const GENERATIONS = FULL + 1

const BITS_A_KEY = 20
const WORDS_A_BLOCK = 8
const BITS_A_BLOCK = 32 * WORDS_A_BLOCK

/** Odd numbers that choose a key's bit in each word of its block. */
const SALTS = Uint32Array.of(
  0x47b6_137b,
  0x4497_4d91,
  0x8824_ad5b,
  0xa2b7_289d,
  0x7054_95c7,
  0x2df1_424b,
  0x9efc_4947,
  0x5c6b_fb31
)

/** Two hashes of a key's UTF-16 code units, 32 bits each. */
interface KeyHash {
  block: number
  bits: number
}

const rehash = (key: string, into: KeyHash): void => {
  let one = 0x9e37_79b9
  let other = 0x85eb_ca6b ^ key.length
  for (let index = 0; index < key.length; index++) {
    const unit = key.charCodeAt(index)
    one = Math.imul(one ^ unit, 0x9e37_79b1)
    one ^= one >>> 15
    other = Math.imul(other ^ unit, 0x5f35_6495)
    other ^= other >>> 13
  }
  one = Math.imul(one ^ (one >>> 16) ^ Math.imul(other, 0x7feb_352d), 0x85eb_ca6b)
  other = Math.imul(other ^ (other >>> 16) ^ Math.imul(one, 0x846c_a68b), 0xc2b2_ae35)
  into.block = (one ^ (one >>> 13)) >>> 0
  into.bits = other ^ (other >>> 16)
}

/** The keys that were added in some hours: a split-block Bloom filter, in which a key has one bit in each word of a block. */
class Generation {
  readonly #words: Uint32Array
  readonly #blocks: number
  #keys = 0
  openedAt = 0
  lastAt = 0

  constructor(capacity: number) {
    this.#blocks = Math.ceil((capacity * BITS_A_KEY) / BITS_A_BLOCK)
    this.#words = new Uint32Array(this.#blocks * WORDS_A_BLOCK)
  }

  get keys(): number {
    return this.#keys
  }

  open(at: number): void {
    if (this.#keys > 0) this.#words.fill(0)
    this.#keys = 0
    this.openedAt = at
    this.lastAt = at
  }

  add({ bits, block }: KeyHash, at: number): void {
    const first = this.#firstWord(block)
    for (let word = 0; word < WORDS_A_BLOCK; word++) {
      this.#words[first + word] = (this.#words[first + word] ?? 0) | bitIn(word, bits)
    }
    this.#keys += 1
    this.lastAt = at
  }

  mayHave({ bits, block }: KeyHash): boolean {
    const first = this.#firstWord(block)
    for (let word = 0; word < WORDS_A_BLOCK; word++) {
      if (((this.#words[first + word] ?? 0) & bitIn(word, bits)) === 0) return false
    }
    return true
  }

  #firstWord(block: number): number {
    return Math.floor((block / 0x1_0000_0000) * this.#blocks) * WORDS_A_BLOCK
  }
}

const bitIn = (word: number, bits: number): number => 1 << (Math.imul(bits, SALTS[word] ?? 0) >>> 27)

/** The capacity of a filter, and its retention. */
export interface KeyFilterOptions {
  /** Keys of one retention at which the rates of {@link KeyFilter} hold. */
  readonly capacity?: number
  /** In milliseconds. */
  readonly retention?: number
}

/**
 * Says in memory which idempotency keys are certainly new: never added within the retention. The filter remembers a key
 * for at least one retention since it was last added, and for less than two. While no retention has more keys than the
 * capacity, it fails to recognize up to 3 in 1,000 new keys as new. Beyond the capacity that rate grows (at twice the
 * capacity to about a fifth, then towards one), and the filter remembers keys for longer, until fewer come. It never
 * calls a remembered key new.
 *
 * Its memory is bounded: 25 bits a key of the capacity, taken a quarter of the capacity at a time as keys come. Time
 * never goes back: an earlier `at` counts as the latest one given.
 */
export class KeyFilter {
  readonly #retention: number
  readonly #capacity: number
  /** The oldest first. The last one takes keys. */
  readonly #generations: Array<Generation> = []
  readonly #hash: KeyHash = { block: 0, bits: 0 }
  #now = 0
  #isTrusted = false

  constructor({ capacity = KEY_CAPACITY, retention = KEY_RETENTION }: KeyFilterOptions = {}) {
    this.#retention = retention
    this.#capacity = Math.ceil(capacity / FULL)
  }

  /** Whether all keys of the last retention were added. */
  get isTrusted(): boolean {
    return this.#isTrusted
  }

  /** Says that all keys of the last retention were added, in any order. Until then no key is certainly new. */
  rebuilt(): void {
    this.#isTrusted = true
  }

  /** Adds a key at a time in milliseconds since 1970. */
  add(key: string, at: number): void {
    this.#pass(at)
    rehash(key, this.#hash)
    this.#open().add(this.#hash, this.#now)
  }

  /** Whether a key was certainly never added within the retention before a time in milliseconds since 1970. */
  isSurelyNew(key: string, at: number): boolean {
    if (!this.#isTrusted) return false
    this.#pass(at)
    rehash(key, this.#hash)
    for (const generation of this.#generations) {
      if (this.#isAlive(generation) && generation.mayHave(this.#hash)) return false
    }
    return true
  }

  #pass(at: number): void {
    if (at > this.#now) this.#now = at
  }

  #isAlive({ lastAt }: Generation): boolean {
    return this.#now <= lastAt + this.#retention
  }

  /** The generation that takes the next key. One that is full or old goes on while no other is free. */
  #open(): Generation {
    const last = this.#generations.at(-1)
    const isOver = last !== undefined && (last.keys >= this.#capacity || this.#now >= last.openedAt + this.#retention)
    if (last !== undefined && (!isOver || !this.#hasFree())) return last
    const next = this.#generations.length < GENERATIONS ? undefined : this.#generations.shift()
    const opened = next ?? new Generation(this.#capacity)
    opened.open(this.#now)
    this.#generations.push(opened)
    return opened
  }

  #hasFree(): boolean {
    const [oldest] = this.#generations
    return this.#generations.length < GENERATIONS || oldest === undefined || !this.#isAlive(oldest)
  }
}
