import { stepOf } from "../../engine/credit/CreditModel.ts"
import { type Purpose, PURPOSES } from "../../engine/credit/Purpose.ts"
import type { LoanRecord } from "./LoanRecords.ts"
import type { Axis, Order } from "./CornerSearch.ts"
import { type Grid, OUTSIDE } from "./MonotoneBoosting.ts"

/** Where the numbers of an application are divided into steps: the units of the model's tables. */
export interface Cuts {
  readonly annualIncome: ReadonlyArray<number>
  readonly empLength: ReadonlyArray<number>
  readonly loanAmt: ReadonlyArray<number>
  readonly loanToIncome: ReadonlyArray<number>
}

const RATIO_ONE = 10_000

/** Quantiles of the values, rounded up to numbers a person can read. The lowest value is below every cut. */
export const roundCuts = (values: ReadonlyArray<number>, parts: number, unit: number): ReadonlyArray<number> => {
  const ascending = values.toSorted((a, b) => a - b)
  const quantiles = Array.from(
    { length: parts - 1 },
    (_, part) => Math.ceil(ascending[Math.floor(((part + 1) * ascending.length) / parts)]! / unit) * unit
  )
  return [...new Set(quantiles)].filter((cut) => cut > ascending[0]! && cut <= ascending.at(-1)!)
}

export const cutsOf = (records: ReadonlyArray<LoanRecord>): Cuts => ({
  annualIncome: roundCuts(
    records.map(({ annualIncome }) => annualIncome),
    120,
    1_000
  ),
  empLength: roundCuts(
    records.map(({ empLength }) => empLength),
    30,
    1
  ),
  loanAmt: roundCuts(
    records.map(({ loanAmt }) => loanAmt),
    30,
    500
  ),
  loanToIncome: roundCuts(
    records.map(({ loanAmt, annualIncome }) => (loanAmt * RATIO_ONE) / Math.max(1, annualIncome)),
    60,
    100
  )
})

/** The steps of one record, compared as scoring compares. */
const stepsOf = (cuts: Cuts, { annualIncome, empLength, loanAmt }: LoanRecord) => ({
  annualIncome: stepOf(cuts.annualIncome, (cut) => annualIncome >= cut),
  empLength: stepOf(cuts.empLength, (cut) => empLength >= cut),
  loanAmt: stepOf(cuts.loanAmt, (cut) => loanAmt >= cut),
  loanToIncome: stepOf(cuts.loanToIncome, (cut) => loanAmt * RATIO_ONE >= cut * annualIncome)
})

/**
 * The tables of the model. A home is 0 for a tenant and 1 for an owner.
 *
 * Income counts differently by purpose and home together: in the data tenants of little income who improve their home
 * default far beyond what purpose, home and income each explain.
 */
export interface CreditGrids {
  readonly loanToIncomeByHome: Grid
  readonly loanAmt: Grid
  readonly empLength: Grid
  /** What holds for every purpose, and what is added for each. */
  readonly homeByIncome: Grid
  readonly homeByIncomeOf: Readonly<Record<Purpose, Grid>>
}

/** A value for each purpose. */
export const byPurpose = <A>(value: (purpose: Purpose) => A): Readonly<Record<Purpose, A>> =>
  Object.fromEntries(PURPOSES.map((purpose) => [purpose, value(purpose)])) as Record<Purpose, A>

const home = { size: 2, order: "rising" } as const

/** The cells of all records in every table. */
export const gridsOf = (cuts: Cuts, records: ReadonlyArray<LoanRecord>): CreditGrids => {
  const steps = records.map((record) => stepsOf(cuts, record))
  const homes = records.map(({ homeOwnership }) => (homeOwnership ? 1 : 0))
  const cells = (cell: (record: number) => number): Int16Array => Int16Array.from(records, (_, record) => cell(record))
  const along = (name: keyof Cuts, order: Order): Axis => ({ size: cuts[name].length + 1, order })
  const over = (name: keyof Cuts, order: Order): Grid => ({
    shape: { first: along(name, order), second: { size: 1, order } },
    cells: cells((record) => steps[record]![name])
  })
  const incomes = along("annualIncome", "rising")
  const homeByIncome = (isMeant: (purpose: Purpose) => boolean): Grid => ({
    shape: { first: home, second: incomes },
    cells: cells((record) =>
      isMeant(records[record]!.purpose) ? homes[record]! * incomes.size + steps[record]!.annualIncome : OUTSIDE
    )
  })
  return {
    loanToIncomeByHome: {
      shape: { first: along("loanToIncome", "falling"), second: home },
      cells: cells((record) => steps[record]!.loanToIncome * home.size + homes[record]!)
    },
    loanAmt: over("loanAmt", "falling"),
    empLength: over("empLength", "rising"),
    homeByIncome: homeByIncome(() => true),
    homeByIncomeOf: byPurpose((purpose) => homeByIncome((one) => one === purpose))
  }
}
