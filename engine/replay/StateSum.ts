import { toHex } from "../actor/EventChain.ts"
import { isNothing, keyOf, STATE_TABLES, type StateRow, type StateTable } from "./StateTable.ts"

/** SHA-256 of a text's UTF-8. */
export type TextHash = (text: string) => Uint8Array

/** Rows of a table are summed in so many parts, so that a difference is found again without keeping all rows. */
export const BUCKETS = 1_024

const MODULUS = (1n << 256n) - 1n

const OFFSET = 0x811c9dc5
const PRIME = 0x01000193

/** The part of its table that a row belongs to, from its key (FNV-1a, 32 bits). */
export const bucketOf = (row: StateRow): number => {
  let hash = OFFSET
  for (const character of keyOf(row)) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), PRIME)
  return (hash >>> 0) % BUCKETS
}

/**
 * The hash of a whole state, whatever order its rows come in and however many they are: in each part of each table the
 * SHA-256 of the rows are added up, modulo 2²⁵⁶.
 */
export class StateSum {
  readonly #hash: TextHash
  readonly #sums = new Map<StateTable, Array<bigint>>(STATE_TABLES.map((table) => [table, []]))
  readonly #counts = new Map<StateTable, number>()

  constructor(hash: TextHash) {
    this.#hash = hash
  }

  add(row: StateRow): void {
    if (isNothing(row)) return
    const bucket = bucketOf(row)
    const sums = this.#sums.get(row.table) ?? []
    const hashed = BigInt(`0x${toHex(this.#hash(JSON.stringify([row.table, ...row.values])))}`)
    sums[bucket] = ((sums[bucket] ?? 0n) + hashed) & MODULUS
    this.#counts.set(row.table, this.count(row.table) + 1)
  }

  /** Rows of a table so far. */
  count(table: StateTable): number {
    return this.#counts.get(table) ?? 0
  }

  /** The state's hash, in hex. */
  get hash(): string {
    const parts = STATE_TABLES.map((table) => [table, this.count(table), ...this.#parts(table)])
    return toHex(
      this.#hash(JSON.stringify(parts, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value)))
    )
  }

  /** The parts of each table in which two states differ; nothing where they are the same. */
  differences(other: StateSum): ReadonlyMap<StateTable, ReadonlySet<number>> {
    const found = new Map<StateTable, ReadonlySet<number>>()
    for (const table of STATE_TABLES) {
      const theirs = other.#parts(table)
      const buckets = this.#parts(table).flatMap((sum, bucket) => (sum === theirs[bucket] ? [] : [bucket]))
      if (buckets.length > 0) found.set(table, new Set(buckets))
    }
    return found
  }

  #parts(table: StateTable): ReadonlyArray<bigint> {
    const sums = this.#sums.get(table) ?? []
    return Array.from({ length: BUCKETS }, (_, bucket) => sums[bucket] ?? 0n)
  }
}
