/** A process that scores credit applications, and says how many a second of its core. */
import type { CreditApplication } from "../../engine/credit/CreditApplication.ts"
import { PURPOSES } from "../../engine/credit/Purpose.ts"
import { assess } from "../../engine/credit/ScoreCard.ts"
import { trainedModel } from "../../engine/credit/TrainedModel.ts"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { serve } from "./Worker.ts"

const AT = 1_800_000_000_000

/** Of every purpose and home, and from poor to rich. */
const applications = Array.from({ length: 1_200 }, (_, index): CreditApplication => ({
  annualIncome: fromUnits(BigInt(10_000 + 97 * index) * ONE),
  homeOwnership: index % 2 === 0,
  empLength: index % 11,
  loanAmt: 500 + 29 * ((index * 7) % 1_200),
  purpose: PURPOSES[index % PURPOSES.length] ?? null
}))

/** Whole cards for each second of processor time, helper threads of the runtime included. */
const measure = (cards: number): number => {
  const before = process.cpuUsage()
  let sum = 0
  for (let card = 0; card < cards; card++) {
    sum += assess(trainedModel, applications[card % applications.length] as CreditApplication, AT).score
  }
  const { user, system } = process.cpuUsage(before)
  if (sum < 300 * cards) throw new Error("a score is below the scale")
  return (cards * 1e6) / (user + system)
}

serve(measure)
