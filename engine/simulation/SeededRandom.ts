import type { Random } from "effect"

type RandomService = typeof Random.Random.Service

/**
 * A stream of random numbers from a seed and a label: the same numbers on every runtime, by 32-bit integers alone
 * (Chris Doty-Humphrey's sfc32, seeded by FNV-1a). Streams of different labels have nothing to do with each other, so
 * one draw more in one of them changes no other. Not for secrets.
 */
export class SeededRandom implements RandomService {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: number, label: string) {
    const hash = fnv(`${seed}/${label}`)
    this.#a = hash
    this.#b = Math.imul(hash ^ 0x9e37_79b9, 0x85eb_ca6b)
    this.#c = Math.trunc(seed) | 0
    for (let round = 0; round < WARM_UP; round++) this.next()
  }

  /** A uniform integer in [0, 2³²). */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** A uniform integer in [0, bound) for 0 < bound ≤ 2³². */
  below(bound: number): number {
    return Math.floor((this.next() * bound) / TWO_TO_32)
  }

  /** A uniform integer in [low, high). */
  between(low: number, high: number): number {
    return low + this.below(high - low)
  }

  /** True `permille` times in a thousand. */
  chance(permille: number): boolean {
    return this.below(1_000) < permille
  }

  /** One of some; never called with none. */
  pick<T>(some: readonly [T, ...ReadonlyArray<T>]): T {
    return some[this.below(some.length)] ?? some[0]
  }

  nextIntUnsafe(): number {
    return (this.next() >>> 11) * TWO_TO_32 + this.next()
  }

  nextDoubleUnsafe(): number {
    return this.next() / TWO_TO_32
  }
}

const TWO_TO_32 = 4_294_967_296
const WARM_UP = 12

const fnv = (text: string): number => {
  let hash = 0x811c_9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193)
  return hash
}
