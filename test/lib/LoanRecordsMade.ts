import { COLUMNS } from "../../scripts/credit/LoanRecords.ts"

const HOMES = ["RENT", "MORTGAGE", "OWN", "OTHER"]
const PURPOSES = ["DEBTCONSOLIDATION", "EDUCATION", "HOMEIMPROVEMENT", "MEDICAL", "PERSONAL", "VENTURE"]

/** A file of made-up applications in which the ratio, the home and chance decide; equal for equal counts. */
export const madeLoans = (count: number): string => {
  let state = 20_261_121
  const draw = (end: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * end)
  }
  const lines = Array.from({ length: count }, (_, index) => {
    const income = 10_000 + 500 * draw(200)
    const loan = 500 + 500 * draw(60)
    const home = HOMES[draw(HOMES.length)]!
    const years = index % 40 === 0 ? "" : `${draw(20)}.0`
    const risk = (100 * loan) / income + (home === "RENT" ? 20 : 0)
    const defaulted = draw(100) < Math.min(95, risk) ? 1 : 0
    return [income, home, years, PURPOSES[draw(PURPOSES.length)], loan, defaulted].join(",")
  })
  return `${[COLUMNS, ...lines].join("\n")}\n`
}
