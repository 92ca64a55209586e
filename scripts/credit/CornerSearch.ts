/** How the points of a table may move along an axis. */
export type Order = "rising" | "falling"

export interface Axis {
  readonly size: number
  readonly order: Order
}

/** A table's shape: cells of `first` × `second`, row by row. */
export interface GridShape {
  readonly first: Axis
  readonly second: Axis
}

/** Gradients and curvatures of the loss, by cell. */
export interface Slopes {
  readonly gradient: Float64Array
  readonly curvature: Float64Array
}

export interface Shrinkage {
  /** Added to the curvature of each part, which pulls its value toward 0. */
  readonly ridge: number
  /** The least curvature that a part may have. */
  readonly least: number
}

/** A division of a table into at most four parts, each with a value: by the rows and by the columns from some on. */
export interface Corner {
  readonly gain: number
  readonly row: number
  readonly column: number
  /** In both, in the rows only, in the columns only, in neither. */
  readonly values: readonly [number, number, number, number]
}

/**
 * Which quarters share one value, in the order of {@link Corner.values}: all apart, or one apart from the three others;
 * where there is one line only, its two sides; where there is none, all.
 */
const CROSSED: ReadonlyArray<ReadonlyArray<number>> = [
  [0, 1, 2, 3],
  [0, 1, 1, 1],
  [1, 0, 1, 1],
  [1, 1, 0, 1],
  [1, 1, 1, 0]
]
const ROWS_ONLY = [[0, 0, 1, 1]]
const COLUMNS_ONLY = [[0, 1, 0, 1]]
const UNDIVIDED = [[0, 0, 0, 0]]

/** Sums over all cells above and left, so that any rectangle's sum takes four look-ups. */
const prefixSums = (cells: Float64Array, rows: number, columns: number): Float64Array => {
  const width = columns + 1
  const sums = new Float64Array((rows + 1) * width)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = (row + 1) * width + column + 1
      sums[at] = sums[at - 1]! + sums[at - width]! - sums[at - width - 1]! + cells[row * columns + column]!
    }
  }
  return sums
}

const rightWay = (order: Order, low: number, high: number): boolean => (order === "rising" ? high >= low : high <= low)

/** Parts are numbered from 0, without a gap. */
const lastOf = ([both = 0, rowsOnly = 0, columnsOnly = 0, neither = 0]: ReadonlyArray<number>): number =>
  Math.max(both, rowsOnly, columnsOnly, neither)

/** The values of the parts, and what they gain; undefined where a part is too small or a value stands the wrong way. */
const valued = (
  { first, second }: GridShape,
  { ridge, least }: Shrinkage,
  gradients: ReadonlyArray<number>,
  curvatures: ReadonlyArray<number>,
  parts: ReadonlyArray<number>
): Pick<Corner, "gain" | "values"> | undefined => {
  const gradient = [0, 0, 0, 0]
  const curvature = [0, 0, 0, 0]
  for (let quarter = 0; quarter < parts.length; quarter++) {
    gradient[parts[quarter]!]! += gradients[quarter]!
    curvature[parts[quarter]!]! += curvatures[quarter]!
  }
  for (let part = 0; part <= lastOf(parts); part++) if (curvature[part]! < least) return undefined
  const value = (quarter: number): number => gradient[parts[quarter]!]! / (curvature[parts[quarter]!]! + ridge)
  const values = [value(0), value(1), value(2), value(3)] as const
  const [both, rowsOnly, columnsOnly, neither] = values
  const isMonotone =
    rightWay(first.order, columnsOnly, both) &&
    rightWay(first.order, neither, rowsOnly) &&
    rightWay(second.order, rowsOnly, both) &&
    rightWay(second.order, neither, columnsOnly)
  if (!isMonotone) return undefined
  let gain = 0
  for (let part = 0; part < gradient.length; part++) gain += gradient[part]! ** 2 / (curvature[part]! + ridge)
  return { gain, values }
}

/** The sums of the four quarters that a row and a column make, in the order of {@link Corner.values}. */
const quarters = (
  sums: Float64Array,
  { first, second }: GridShape,
  row: number,
  column: number
): ReadonlyArray<number> => {
  const width = second.size + 1
  const [above, aboveLeft] = [sums[row * width + second.size]!, sums[row * width + column]!]
  const [all, left] = [sums[first.size * width + second.size]!, sums[first.size * width + column]!]
  return [all - above - left + aboveLeft, left - aboveLeft, above - aboveLeft, aboveLeft]
}

const divisionsOf = (row: number, column: number): ReadonlyArray<ReadonlyArray<number>> => {
  if (row === 0) return column === 0 ? UNDIVIDED : COLUMNS_ONLY
  return column === 0 ? ROWS_ONLY : CROSSED
}

/** The division of a table that lowers the loss most without breaking an order; undefined where none does. */
export const bestCorner = (shape: GridShape, slopes: Slopes, shrinkage: Shrinkage): Corner | undefined => {
  const [rows, columns] = [shape.first.size, shape.second.size]
  const gradientSums = prefixSums(slopes.gradient, rows, columns)
  const curvatureSums = prefixSums(slopes.curvature, rows, columns)
  let best: Corner | undefined
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const gradients = quarters(gradientSums, shape, row, column)
      const curvatures = quarters(curvatureSums, shape, row, column)
      for (const parts of divisionsOf(row, column)) {
        const found = valued(shape, shrinkage, gradients, curvatures, parts)
        if (found !== undefined && found.gain > (best?.gain ?? 0)) best = { ...found, row, column }
      }
    }
  }
  return best
}
