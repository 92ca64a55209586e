import type { Spread } from "./Sample.ts"

/** A bound that a row is to keep. `goal` is what is hoped for beyond it. */
export interface Target {
  readonly bound: number
  readonly at: "least" | "most"
  readonly goal?: number
}

/** One line of the table. */
export interface Row {
  /** The letter of its case. */
  readonly key: string
  readonly what: string
  readonly unit: string
  readonly ours: Spread
  /** What it is measured against, under the same unit. */
  readonly peer?: Spread
  readonly peerName?: string
  /** The figure that the target is about, where it is not `ours`: ours ÷ peer unless it says more. */
  readonly ratio?: Spread
  /** Undefined for a line that only informs. */
  readonly target?: Target
}

/** The figure that a row's target is about. */
export const judged = (row: Row): number => (row.ratio ?? row.ours).median

/** Whether a row keeps its target; undefined where it has none. */
export const isMet = (row: Row): boolean | undefined => {
  if (row.target === undefined) return undefined
  const { bound, at } = row.target
  return at === "least" ? judged(row) >= bound : judged(row) <= bound
}
