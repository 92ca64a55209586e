import type { ProfileChange } from "../bots/ProfileChange.ts"
import type { Amount } from "../money/Amount.ts"

/** What is asked of a bot, by its owner but for one. Amounts are in 10⁻⁶. */
export type BotRequest =
  | { readonly act: "start" | "pause" | "resume" | "terminate" }
  /** The platform suspends it, as where its plan has no more room. */
  | { readonly act: "suspend" }
  | { readonly act: "fund" | "withdraw"; readonly amount: Amount }
  | { readonly act: "topup"; readonly amount: Amount }
  /** Which of the orders that take commitments then: counted round. Of a bot that was never made where it says so. */
  | { readonly act: "evaluate"; readonly order: number; readonly isUnknown?: boolean }
  /** What its module asks for; `premium`, `margin` and `quantity` as in a submission. */
  | {
      readonly act: "bid"
      /** Whether it is the module that decides for the bot then, or another one. */
      readonly module: "own" | "other"
      readonly order: number
      readonly premium: number
      readonly margin: number
      readonly quantity: number
      readonly tolerance: number
    }
  /** Its module fails, which suspends it. */
  | { readonly act: "failModule" }
  | { readonly act: "change"; readonly change: ProfileChange }
