/** What repeated measurements of one thing gave. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
  readonly rounds: number
}

/** The value below which so large a share of the values lies: the nearest rank of the ascending values. */
export const percentile = (ascending: ArrayLike<number>, share: number): number => {
  const rank = Math.min(ascending.length, Math.max(1, Math.ceil(share * ascending.length)))
  return ascending[rank - 1] ?? Number.NaN
}

const middle = (ascending: ReadonlyArray<number>): number => {
  const half = ascending.length / 2
  const upper = ascending[Math.floor(half)] ?? Number.NaN
  return Number.isInteger(half) ? ((ascending[half - 1] ?? upper) + upper) / 2 : upper
}

export const spreadOf = (values: ReadonlyArray<number>): Spread => {
  const ascending = values.toSorted((a, b) => a - b)
  return {
    median: middle(ascending),
    min: ascending[0] ?? Number.NaN,
    max: ascending.at(-1) ?? Number.NaN,
    rounds: ascending.length
  }
}

/**
 * The ratio of two things that were measured in turns: the median over the rounds of each round's own ratio, so that
 * what slows the machine for a while slows both.
 */
export const ratioOf = (ours: ReadonlyArray<number>, theirs: ReadonlyArray<number>): Spread =>
  spreadOf(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))
