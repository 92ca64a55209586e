import { toHex } from "../actor/EventChain.ts"
import {
  HASHED_TABLES,
  hashedRow,
  isNothing,
  keyOf,
  STATE_TABLES,
  type StateRow,
  type StateTable
} from "./StateTable.ts"

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

/** The rows of one table. */
interface TableSum {
  count: number
  /** In each part the SHA-256 of the rows, added up modulo 2²⁵⁶. */
  readonly parts: Array<bigint>
}

const emptySums = (tables: ReadonlyArray<StateTable>): ReadonlyMap<StateTable, TableSum> =>
  new Map(tables.map((table) => [table, { count: 0, parts: Array.from({ length: BUCKETS }, () => 0n) }]))

const addTo = (sum: TableSum | undefined, bucket: number, hashed: bigint): void => {
  if (sum === undefined) return
  sum.count += 1
  sum.parts[bucket] = ((sum.parts[bucket] ?? 0n) + hashed) & MODULUS
}

/**
 * Sums up a whole state, whatever order its rows come in and however many they are, so that two of them are compared in
 * every column; and its hash, in which what {@link hashedRow} leaves out has no part.
 */
export class StateSum {
  readonly #hash: TextHash
  readonly #sums = emptySums(STATE_TABLES)
  readonly #hashed = emptySums(HASHED_TABLES)

  constructor(hash: TextHash) {
    this.#hash = hash
  }

  add(row: StateRow): void {
    const bucket = bucketOf(row)
    const hashed = hashedRow(row)
    const whole = isNothing(row) ? 0n : this.#hashOf(row)
    if (!isNothing(row)) addTo(this.#sums.get(row.table), bucket, whole)
    if (hashed === undefined || isNothing(hashed)) return
    addTo(this.#hashed.get(row.table), bucket, hashed === row ? whole : this.#hashOf(hashed))
  }

  /** Rows of a table so far. */
  count(table: StateTable): number {
    return this.#sums.get(table)?.count ?? 0
  }

  /** The state's hash, in hex. */
  get hash(): string {
    const parts = [...this.#hashed].map(([table, sum]) => [table, sum.count, ...sum.parts])
    return toHex(
      this.#hash(JSON.stringify(parts, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value)))
    )
  }

  /** The parts of each table in which two states differ in any column; nothing where they are the same. */
  differences(other: StateSum): ReadonlyMap<StateTable, ReadonlySet<number>> {
    const found = new Map<StateTable, ReadonlySet<number>>()
    for (const [table, { parts }] of this.#sums) {
      const theirs = other.#sums.get(table)?.parts
      const buckets = parts.flatMap((sum, bucket) => (sum === theirs?.[bucket] ? [] : [bucket]))
      if (buckets.length > 0) found.set(table, new Set(buckets))
    }
    return found
  }

  #hashOf({ table, values }: StateRow): bigint {
    return BigInt(`0x${toHex(this.#hash(JSON.stringify([table, ...values])))}`)
  }
}
