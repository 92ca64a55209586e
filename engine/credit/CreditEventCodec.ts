import { Schema } from "effect"
import type { Amount } from "../money/Amount.ts"
import type { CreditEvent } from "./CreditEvent.ts"
import { BANDS } from "./CreditPolicy.ts"

const Money = Schema.BigIntFromString as unknown as Schema.Codec<Amount, string>

const ATTRIBUTES = ["annualIncome", "homeOwnership", "empLength", "loanAmt", "purpose", "loanToIncome"] as const

const Request = Schema.Struct({
  annualIncome: Schema.Number,
  homeOwnership: Schema.Boolean,
  empLength: Schema.String,
  loanAmt: Schema.Int,
  purpose: Schema.String,
  desc: Schema.String
})

const Card = Schema.Struct({
  score: Schema.Int,
  defaultProbability: Schema.Int,
  band: Schema.Literals(BANDS),
  limit: Money,
  apr: Schema.Int,
  points: Schema.Array(
    Schema.Struct({ attribute: Schema.Literals([...ATTRIBUTES, "base", "scale"]), points: Schema.Int })
  ),
  reasons: Schema.Array(
    Schema.Struct({ code: Schema.Literals([...ATTRIBUTES, "unknownPurpose"]), text: Schema.String, points: Schema.Int })
  ),
  modelVersion: Schema.String,
  assessedAt: Schema.Int
})

const limitSet = {
  at: Schema.Int,
  userId: Schema.String,
  companyId: Schema.String,
  granted: Money,
  used: Money,
  posted: Money
}

const CreditEventSchema: Schema.Codec<CreditEvent, unknown> = Schema.Union([
  Schema.TaggedStruct("CreditAssessed", { ...limitSet, request: Request, card: Card }),
  Schema.TaggedStruct("CreditLimitSet", limitSet)
])

const fromJson = Schema.decodeUnknownSync(Schema.fromJsonString(CreditEventSchema))

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeCreditEvent = (data: string): CreditEvent => fromJson(data)
