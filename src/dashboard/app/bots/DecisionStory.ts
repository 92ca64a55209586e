import { Option, Schema } from "effect"
import { type AskedBid, Decision, EvaluationInput, evaluate } from "../../../../engine/bots/Evaluation.ts"
import type { Answer } from "../Contract.ts"
import { percent, price, signedUsd, usd } from "../ui/Format.ts"
import * as Amount from "../../../../engine/money/Amount.ts"

/** A decision of a bot as it is answered. */
export type BotDecision = Answer<"GET /api/arena/machine-traders/:bot_id/decisions">["decisions"][number]

/** One step of how a bot came to its decision. */
export interface StoryStep {
  readonly name: string
  readonly value: string
  /** How it follows from what comes before. */
  readonly because: string
}

const readInput = Schema.decodeUnknownOption(EvaluationInput)
const readDecision = Schema.decodeUnknownOption(Decision)

interface Kept {
  readonly input: EvaluationInput
  readonly decision: Decision
}

const keptOf = ({ decision, input }: BotDecision): Kept | undefined =>
  Option.getOrUndefined(Option.all({ input: readInput(input), decision: readDecision(decision) }))

const number = Amount.toNumber

const share = (amount: Amount.Amount): string => percent(number(amount) / 100)

const limitOf = ({ freeCollateral, lossBudget, strategy }: EvaluationInput): string => {
  const limits: ReadonlyArray<readonly [Amount.Amount, string]> = [
    [freeCollateral, "its free collateral"],
    [lossBudget, "what it may still lose"],
    [strategy.maxCollateralPerTrade, "the most that its strategy locks in one trade"]
  ]
  const least = limits.reduce((one, other) => (other[0] < one[0] ? other : one))
  return `${usd(number(least[0]))}, ${least[1]}`
}

const bidText = ({ order: { entryPrice, makerDiscount } }: EvaluationInput): string =>
  makerDiscount === undefined
    ? `The fair price less a secret part of its edge, from the entry price, ${price(number(entryPrice))}, up.`
    : `As far above the entry price, ${price(number(entryPrice))}, as the fair price is above the price now, less a secret part: it floats with the market.`

/** How a bid came about that a module asked for. */
const askedStory = ({ decision, input }: Kept, { digest, module }: AskedBid): ReadonlyArray<StoryStep> => [
  { name: "Module", value: module, because: `SHA-256 ${digest.slice(0, 12)}… when it was loaded.` },
  { name: "Bid", value: price(number(decision.bid)), because: "As its module asked." },
  {
    name: "Quantity",
    value: String(number(decision.quantity)),
    because: `As its module asked: ${usd(number(decision.collateral))} of collateral. It may lock ${limitOf(input)}.`
  }
]

const storyOf = ({ decision, input }: Kept): ReadonlyArray<StoryStep> => {
  if (input.asked !== undefined) return askedStory({ decision, input }, input.asked)
  const now = input.prices.at(-1)
  const { fairPrice } = decision
  if (now === undefined || fairPrice === null) {
    return [{ name: "Price", value: "Unknown", because: `There are ${input.prices.length} recent prices; it needs 5.` }]
  }
  return [
    { name: "Price now", value: price(number(now)), because: `The newest of ${input.prices.length} safe prices.` },
    {
      name: "Fair price",
      value: price(number(fairPrice)),
      because: `Moved by its risk level, ${number(input.strategy.riskLevel)}, toward the mean of the last prices.`
    },
    {
      name: "Quantity",
      value: String(number(decision.quantity)),
      because: `As much as the order has and ${limitOf(input)} allows: ${usd(number(decision.collateral))} of collateral.`
    },
    {
      name: "Bid",
      value: price(number(decision.bid)),
      because: bidText(input)
    },
    {
      name: "Expected profit",
      value: signedUsd(number(decision.expectedProfit)),
      because: "(Fair price − price now) × quantity, within the collateral."
    },
    {
      name: "Return",
      value: share(decision.roiPercent),
      because: `Of the collateral. Its strategy asks for ${share(input.strategy.minRoiPct)} at least.`
    }
  ]
}

/** How a bot came to a decision, from what was kept with it; empty where it cannot be read. */
export const decisionStory = (decision: BotDecision): ReadonlyArray<StoryStep> => {
  const kept = keptOf(decision)
  return kept === undefined ? [] : storyOf(kept)
}

const FIELDS = [
  "code",
  "fairPrice",
  "bid",
  "exitPrice",
  "quantity",
  "collateral",
  "expectedProfit",
  "roiPercent",
  "tolerance"
] as const

/** What came of deciding again: the fields that are others; undefined where what was kept cannot be read. */
export const decideAgain = (decision: BotDecision): ReadonlyArray<string> | undefined => {
  const kept = keptOf(decision)
  if (kept === undefined) return undefined
  const again = evaluate(kept.input)
  return FIELDS.filter((field) => again[field] !== kept.decision[field])
}
