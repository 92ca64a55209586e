import type { CreditModel } from "../../engine/credit/CreditModel.ts"
import { ANCHOR_ODDS, ANCHOR_SCORE, POINTS_TO_DOUBLE } from "../../engine/credit/DefaultProbability.ts"
import { type Purpose, PURPOSES } from "../../engine/credit/Purpose.ts"
import { byPurpose, type CreditGrids, type Cuts } from "./CreditGrids.ts"
import { type Grid, OUTSIDE } from "./MonotoneBoosting.ts"

/** What scores: a model without its name and evidence. */
export type PointsCard = Omit<CreditModel, "version" | "trainedOn" | "evidence">

/** The log odds of being paid back: `base`, and a value for each cell of each grid. */
export interface LogOdds {
  readonly base: number
  readonly valuesOf: (grid: Grid) => ArrayLike<number>
}

type Row = ReadonlyArray<number>

const PER_LOG_ODDS = POINTS_TO_DOUBLE / Math.LN2

const whole = (logOdds: ArrayLike<number>): Row => Array.from(logOdds, (value) => Math.round(value * PER_LOG_ODDS))

const mean = (values: Row): number =>
  values.length === 0 ? 0 : Math.round(values.reduce((sum, one) => sum + one, 0) / values.length)

const less = (row: Row, by: number): Row => row.map((points) => points - by)

const sum = (row: Row, other: Row): Row => row.map((points, step) => points + other[step]!)

/** By how much the one row is above the other at every step. */
const aboveEverywhere = (row: Row, other: Row): number =>
  row.reduce((least, points, step) => Math.min(least, points - other[step]!), Number.POSITIVE_INFINITY)

/** Leaves out the cuts on whose two sides every row has the same points. */
export const merged = (
  cuts: Row,
  rows: ReadonlyArray<Row>
): { readonly cuts: Row; readonly rows: ReadonlyArray<Row> } => {
  const kept = cuts.flatMap((_, cut) => (rows.some((row) => row[cut] !== row[cut + 1]) ? [cut] : []))
  return {
    cuts: kept.map((cut) => cuts[cut]!),
    rows: rows.map((row) => [row[0]!, ...kept.map((cut) => row[cut + 1]!)])
  }
}

/** The mean of a grid's points over the records that it is about. */
const meanOver = ({ cells }: Grid, points: (cell: number) => number): number =>
  mean(
    Array.from(
      cells.filter((cell) => cell !== OUTSIDE),
      points
    )
  )

/** Of one purpose: its own points, what an owner has more at every income, and what is left to the income. */
const purposeParts = (grid: Grid, points: Row) => {
  const incomes = grid.shape.second.size
  const [tenant, owner] = [points.slice(0, incomes), points.slice(incomes)]
  const everywhere = aboveEverywhere(owner, tenant)
  const rest = [...tenant, ...less(owner, everywhere)]
  const own = meanOver(grid, (cell) => rest[cell]!)
  return { own, everywhere, tenant: less(rest.slice(0, incomes), own), owner: less(rest.slice(incomes), own) }
}

/** Of the ratio: a tenant's row, an owner's, and what an owner has more at every ratio. */
const ratioParts = (points: Row) => {
  const tenant = points.filter((_, cell) => cell % 2 === 0)
  const owner = points.filter((_, cell) => cell % 2 === 1)
  const everywhere = aboveEverywhere(owner, tenant)
  return { tenant, owner: less(owner, everywhere), everywhere }
}

/** A table over one number, its mean taken out. */
const centred = (cuts: Row, grid: Grid, points: Row) => {
  const centre = meanOver(grid, (cell) => points[cell]!)
  const { cuts: kept, rows } = merged(cuts, [less(points, centre)])
  return { centre, steps: { cuts: kept, points: rows[0]! } }
}

/**
 * Turns the fitted log odds into a card of whole points, and moves points between its attributes until each tells its
 * own part and 0 is the mean of the records. Rounding a table keeps its orders, and moving points changes no sum.
 */
export const pointsCard = (grids: CreditGrids, cuts: Cuts, { base, valuesOf }: LogOdds): PointsCard => {
  const pointsOf = (grid: Grid): Row => whole(valuesOf(grid))
  const shared = pointsOf(grids.homeByIncome)
  const parts = byPurpose((purpose) => {
    const grid = grids.homeByIncomeOf[purpose]
    return purposeParts(grid, sum(shared, pointsOf(grid)))
  })
  const ratio = ratioParts(pointsOf(grids.loanToIncomeByHome))
  const loan = centred(cuts.loanAmt, grids.loanAmt, pointsOf(grids.loanAmt))
  const employment = centred(cuts.empLength, grids.empLength, pointsOf(grids.empLength))
  const ownerOf = (purpose: Purpose): number => parts[purpose].everywhere + ratio.everywhere
  const kinds = PURPOSES.flatMap((purpose) => {
    const { cells, shape } = grids.homeByIncomeOf[purpose]
    return Array.from(cells.filter((cell) => cell !== OUTSIDE)).map((cell) => ({
      purpose,
      owns: cell >= shape.second.size
    }))
  })
  const ratioCentre = meanOver(
    grids.loanToIncomeByHome,
    (cell) => (cell % 2 === 1 ? ratio.owner : ratio.tenant)[cell >> 1]!
  )
  const homeCentre = mean(kinds.map(({ purpose, owns }) => (owns ? ownerOf(purpose) : 0)))
  const purposeCentre = mean(kinds.map(({ purpose }) => parts[purpose].own))
  const anchored = ANCHOR_SCORE + Math.round((base - Math.log(Number(ANCHOR_ODDS))) * PER_LOG_ODDS)
  const income = merged(
    cuts.annualIncome,
    PURPOSES.flatMap((purpose) => [parts[purpose].tenant, parts[purpose].owner])
  )
  const ratios = merged(cuts.loanToIncome, [less(ratio.tenant, ratioCentre), less(ratio.owner, ratioCentre)])
  const incomeRow = (purpose: Purpose, home: number): Row => income.rows[PURPOSES.indexOf(purpose) * 2 + home]!
  const card = {
    base: anchored + ratioCentre + homeCentre + purposeCentre + loan.centre + employment.centre,
    annualIncome: {
      cuts: income.cuts,
      points: byPurpose((purpose) => ({ tenant: incomeRow(purpose, 0), owner: incomeRow(purpose, 1) }))
    },
    homeOwnership: {
      tenant: byPurpose(() => -homeCentre),
      owner: byPurpose((purpose) => ownerOf(purpose) - homeCentre)
    },
    empLength: employment.steps,
    loanAmt: loan.steps,
    purpose: byPurpose((purpose) => parts[purpose].own - purposeCentre),
    loanToIncome: { cuts: ratios.cuts, points: { tenant: ratios.rows[0]!, owner: ratios.rows[1]! } }
  }
  const risk = (purpose: Purpose): number => card.purpose[purpose] * 2 + card.homeOwnership.owner[purpose]
  return { ...card, unknownPurpose: PURPOSES.reduce((worst, one) => (risk(one) < risk(worst) ? one : worst)) }
}
