/** Scores of many applications, on any runtime that has `node:crypto`: `<runtime> creditPortable.js` prints their hash. */
import { createHash } from "node:crypto"
import { PURPOSES } from "../engine/credit/Purpose.ts"
import { assess } from "../engine/credit/ScoreCard.ts"
import { trainedModel } from "../engine/credit/TrainedModel.ts"
import { fromUnits } from "../engine/money/Amount.ts"

const APPLICATIONS = 5_000

const hash = createHash("sha256")
for (let index = 0; index < APPLICATIONS; index++) {
  const card = assess(
    trainedModel,
    {
      annualIncome: fromUnits(BigInt(index) ** 3n * 1_234_567n),
      homeOwnership: index % 3 === 0,
      empLength: index % 13,
      loanAmt: 1 + ((index * 7_919) % 40_000),
      purpose: PURPOSES[index % (PURPOSES.length + 1)] ?? null
    },
    index
  )
  hash.update(JSON.stringify(card, (_, value) => (typeof value === "bigint" ? value.toString() : value)))
}
console.log(hash.digest("hex"))
