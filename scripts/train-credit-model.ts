/**
 * Trains the credit model on past applications and writes it to engine/credit/TrainedModel.ts:
 * `bun scripts/train-credit-model.ts --data credit-applications.csv [--date 2026-11-21] [--out file.ts]`.
 *
 * The data is not part of this project. It is a public set of 26,064 consumer loan applications that is widely used to
 * teach credit risk; its licence is unchecked, so it is neither committed nor passed on. A file has the columns
 * `annual_income,home_ownership,emp_length_years,purpose,loan_amount,defaulted`.
 *
 * Without a date the model bears that of the one it replaces, so that the same data gives the same file.
 */
import { relative } from "node:path"
import { parseArgs } from "node:util"
import { trainedModel } from "../engine/credit/TrainedModel.ts"
import { SEED, SETTINGS, train } from "./credit/CreditTraining.ts"
import { readLoanData, UnreadableData } from "./credit/LoanRecords.ts"
import { MODEL_FILE, writeModel } from "./credit/ModelFile.ts"
import { describeModel } from "./credit/ModelReport.ts"

const USAGE = "bun scripts/train-credit-model.ts --data credit-applications.csv [--date YYYY-MM-DD] [--out file.ts]"
const SOURCE =
  "The data is a public set of loan applications; its licence is unchecked, so it is not part of this project."

const refuse = (message: string): never => {
  console.error(`${message}\n${USAGE}`)
  process.exit(2)
}

const options = () => {
  try {
    return parseArgs({ options: { data: { type: "string" }, date: { type: "string" }, out: { type: "string" } } })
      .values
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true

const { data = refuse(`--data is missing. ${SOURCE}`), date = trainedModel.trainedOn, out = MODEL_FILE } = options()
if (!isDate(date)) refuse(`--date must be a day such as 2026-11-21, not ${date}`)

try {
  const model = train(readLoanData(data), { date, seed: SEED, settings: SETTINGS })
  const written = writeModel(out, model)
  console.log(describeModel(model))
  console.log(`${relative(".", out)}: ${written ? "written" : "unchanged"}`)
} catch (error) {
  if (!(error instanceof UnreadableData)) throw error
  console.error(`${error.message}. ${SOURCE}`)
  process.exit(1)
}
