import { bestCorner, type Corner, type GridShape, type Shrinkage, type Slopes } from "./CornerSearch.ts"

/** A table to be fitted, and the cell of each record in it: {@link OUTSIDE} for a record it is not about. */
export interface Grid {
  readonly shape: GridShape
  readonly cells: Int16Array
}

export const OUTSIDE = -1

export interface BoostingSettings extends Shrinkage {
  readonly rounds: number
  /** The share of each step that is taken. */
  readonly rate: number
}

/** Log odds of being paid back: `base` plus each table's value of the record's cell. */
export interface Fitted {
  readonly base: number
  readonly tables: ReadonlyArray<Float64Array>
}

const probabilityOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))

const valuesOf = ({ first, second }: GridShape, corner: Corner, rate: number): Float64Array => {
  const values = new Float64Array(first.size * second.size)
  for (let row = 0; row < first.size; row++) {
    for (let column = 0; column < second.size; column++) {
      const quarter = (row >= corner.row ? 0 : 2) + (column >= corner.column ? 0 : 1)
      values[row * second.size + column] = rate * corner.values[quarter]!
    }
  }
  return values
}

/** Adds up the records' slopes by cell. */
const slopesOf = ({ shape, cells }: Grid, gradient: Float64Array, curvature: Float64Array): Slopes => {
  const size = shape.first.size * shape.second.size
  const slopes = { gradient: new Float64Array(size), curvature: new Float64Array(size) }
  for (let record = 0; record < cells.length; record++) {
    const cell = cells[record]!
    if (cell === OUTSIDE) continue
    slopes.gradient[cell]! += gradient[record]!
    slopes.curvature[cell]! += curvature[record]!
  }
  return slopes
}

/**
 * Fits the sum of some tables to the logistic loss by gradient boosting (Friedman, 2001): each round takes a small step
 * in the table and along the division that lower the loss most. Every step keeps each table's orders, so the sum does.
 *
 * Same records in the same order, same tables: nothing is drawn at random.
 */
export const boost = (
  grids: ReadonlyArray<Grid>,
  paidBack: ReadonlyArray<boolean>,
  settings: BoostingSettings
): Fitted => {
  const good = paidBack.filter((paid) => paid).length
  const base = Math.log(good / (paidBack.length - good))
  const logOdds = new Float64Array(paidBack.length).fill(base)
  const [gradient, curvature] = [new Float64Array(paidBack.length), new Float64Array(paidBack.length)]
  const tables = grids.map(({ shape }) => new Float64Array(shape.first.size * shape.second.size))
  for (let round = 0; round < settings.rounds; round++) {
    for (let record = 0; record < paidBack.length; record++) {
      const probability = probabilityOf(logOdds[record]!)
      gradient[record] = (paidBack[record] ? 1 : 0) - probability
      curvature[record] = probability * (1 - probability)
    }
    const corners = grids.map((grid) => bestCorner(grid.shape, slopesOf(grid, gradient, curvature), settings))
    const chosen = corners.reduce(
      (best, corner, index) => ((corner?.gain ?? 0) > (corners[best]?.gain ?? 0) ? index : best),
      0
    )
    const corner = corners[chosen]
    if (corner === undefined) break
    const { shape, cells } = grids[chosen]!
    const step = valuesOf(shape, corner, settings.rate)
    for (const [cell, value] of step.entries()) tables[chosen]![cell]! += value
    for (let record = 0; record < cells.length; record++) logOdds[record]! += step[cells[record]!] ?? 0
  }
  return { base, tables }
}
