import { fromUnits } from "../money/Amount.ts"
import type { AccountId } from "./Account.ts"
import type { MultiHoldPart } from "./Command.ts"

/** What is reserved of several accounts at once, and what became of it. */
export interface MultiHoldRecord {
  readonly id: string
  readonly parts: ReadonlyArray<MultiHoldPart>
  readonly state: "Pending" | "Released" | "Taken"
}

/** The parts as one text, `account amount` parted by commas: an account's id has neither commas nor spaces. */
export const partsText = (parts: ReadonlyArray<MultiHoldPart>): string => {
  let text = ""
  for (const { account, amount } of parts) text += `${text === "" ? "" : ","}${account} ${amount}`
  return text
}

/** The parts of a text that {@link partsText} wrote. */
export const partsOf = (text: string): ReadonlyArray<MultiHoldPart> =>
  text.split(",").map((part) => {
    const space = part.lastIndexOf(" ")
    return { account: part.slice(0, space) as AccountId, amount: fromUnits(BigInt(part.slice(space + 1))) }
  })
