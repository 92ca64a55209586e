import type { CreditModel } from "../../engine/credit/CreditModel.ts"
import { PURPOSES } from "../../engine/credit/Purpose.ts"

type Row = ReadonlyArray<number>

const isRising = (row: Row): boolean => row.every((one, step) => step === 0 || one >= row[step - 1]!)
const isFalling = (row: Row): boolean => isRising(row.toReversed())
const isAbove = (row: Row, other: Row): boolean => row.every((one, step) => one >= other[step]!)

const isTable = (cuts: Row, points: Row): boolean =>
  points.length === cuts.length + 1 &&
  [...cuts, ...points].every(Number.isInteger) &&
  cuts.every((cut, index) => index === 0 || cut > cuts[index - 1]!)

/** What is wrong with a card's tables: nothing, when every one is whole and monotone. */
export const faultsOf = ({
  annualIncome,
  homeOwnership,
  empLength,
  loanAmt,
  loanToIncome
}: Omit<CreditModel, "version" | "trainedOn" | "evidence">): ReadonlyArray<string> => {
  const ratio = loanToIncome.points
  const rules: ReadonlyArray<readonly [string, boolean]> = [
    ["empLength", isTable(empLength.cuts, empLength.points) && isRising(empLength.points)],
    ["loanAmt", isTable(loanAmt.cuts, loanAmt.points) && isFalling(loanAmt.points)],
    ["loanToIncome of tenants", isTable(loanToIncome.cuts, ratio.tenant) && isFalling(ratio.tenant)],
    ["loanToIncome of owners", isTable(loanToIncome.cuts, ratio.owner) && isFalling(ratio.owner)],
    ["loanToIncome by home", isAbove(ratio.owner, ratio.tenant)],
    ...PURPOSES.flatMap((purpose) => {
      const { tenant, owner } = annualIncome.points[purpose]
      return [
        [`annualIncome of tenants, ${purpose}`, isTable(annualIncome.cuts, tenant) && isRising(tenant)],
        [`annualIncome of owners, ${purpose}`, isTable(annualIncome.cuts, owner) && isRising(owner)],
        [`annualIncome by home, ${purpose}`, isAbove(owner, tenant)],
        [`homeOwnership, ${purpose}`, homeOwnership.owner[purpose] >= homeOwnership.tenant[purpose]]
      ] as const
    })
  ]
  return rules.filter(([, kept]) => !kept).map(([name]) => name)
}
