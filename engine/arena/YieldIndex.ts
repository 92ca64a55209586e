import type { Brand } from "effect"
import { type Amount, fromUnits } from "../money/Amount.ts"
import * as Power from "../money/Power.ts"
import * as Rate from "../money/Rate.ts"
import { floorDivide } from "../money/Rounding.ts"

/** What one unit of collateral, locked when the vault began, has grown to, in 10⁻²⁷. */
export type Index = bigint & Brand.Brand<"YieldIndex">

/** The index when the vault begins: 1. */
export const INDEX_ONE = 1_000_000_000_000_000_000_000_000_000n as Index

/** The year of yields: 365 days, in milliseconds. */
export const YEAR_MILLIS = 31_536_000_000

/** From `at` on, in milliseconds since 1970, the index grows from `index` by `apy` a year, compounding. */
export interface Segment {
  readonly at: number
  readonly index: Index
  readonly apy: Rate.Rate
}

/**
 * The vault's history of yields, oldest first and never empty. Each segment begins with the index that the one before
 * reached, so a new rate bends the index and never breaks it, and reading it costs one power however long the history.
 */
export type Segments = readonly [Segment, ...ReadonlyArray<Segment>]

/** Begins a vault. The yield is at least 0. */
export const begin = (at: number, apy: Rate.Rate): Segments => [{ at, index: INDEX_ONE, apy: growing(apy) }]

/** Another yield, of at least 0, from `at` on. Dies by `RangeError` when a segment already begins later. */
export const changeYield = (segments: Segments, at: number, apy: Rate.Rate): Segments => {
  if (segments.some((segment) => segment.at > at)) throw new RangeError("yields are changed in the order of time")
  return [...segments, { at, index: indexAt(segments, at), apy: growing(apy) }]
}

/** The index at a time: index × (1 + apy)^(elapsed ÷ 365 days), rounded down; 1 before the vault began. It never falls. */
export const indexAt = (segments: Segments, at: number): Index => indexReader(segments)(at)

/** {@link indexAt} for many times, with the logarithm of each segment's growth computed once. */
const indexReader = (segments: Segments): ((at: number) => Index) => {
  const growths = new Map<Segment, ReturnType<typeof Power.powers>>()
  return (at) => {
    const segment = segments.findLast((candidate) => candidate.at <= at)
    if (segment === undefined) return INDEX_ONE
    const growth = growths.get(segment) ?? Power.powers(yearOf(segment.apy))
    growths.set(segment, growth)
    return floorDivide(segment.index * growth(BigInt(at - segment.at), BigInt(YEAR_MILLIS)), Power.ONE) as Index
  }
}

const yearOf = (apy: Rate.Rate): Power.Fixed => Power.ratio(Rate.ONE + apy, Rate.ONE)

/** (1 + apy)^(elapsed ÷ year), for integers in one unit of time. */
export const yearlyGrowth = (apy: Rate.Rate, elapsed: number, year: number): Power.Fixed =>
  Power.pow(yearOf(apy), BigInt(elapsed), BigInt(year))

/**
 * What collateral earned between two readings of the index: collateral × (to − from) ÷ from, rounded down.
 *
 * Splitting a deposit never gains, nor does withdrawing and depositing it again with what it earned.
 */
export const earned = (collateral: Amount, from: Index, to: Index): Amount =>
  fromUnits(floorDivide(collateral * (to - from), from))

/**
 * {@link earned} between two times, remembering the index at each time it meets. Make one for each settlement: its
 * memory grows with the distinct times and is dropped with it.
 */
export const accrual = (segments: Segments): ((collateral: Amount, from: number, to: number) => Amount) => {
  const known = new Map<number, Index>()
  const read = indexReader(segments)
  const at = (time: number): Index => {
    const before = known.get(time)
    if (before !== undefined) return before
    const index = read(time)
    known.set(time, index)
    return index
  }
  return (collateral, from, to) => earned(collateral, at(from), at(to))
}

const growing = (apy: Rate.Rate): Rate.Rate => {
  if (apy < 0n) throw new RangeError("a yield is at least 0")
  return apy
}
