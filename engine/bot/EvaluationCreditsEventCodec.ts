import { Schema } from "effect"
import type { Amount } from "../money/Amount.ts"
import type { Charge, EvaluationCreditsEvent } from "./EvaluationCreditsEvent.ts"

const Credits = Schema.BigIntFromString as unknown as Schema.Codec<Amount, string>

const movement = { at: Schema.Int, companyId: Schema.String, period: Schema.String }

const EvaluationCreditsEventSchema: Schema.Codec<EvaluationCreditsEvent, unknown> = Schema.Union([
  Schema.TaggedStruct("CreditsGranted", { ...movement, credits: Credits }),
  Schema.TaggedStruct("CreditsLapsed", { ...movement, credits: Credits }),
  Schema.TaggedStruct("CreditsBought", {
    ...movement,
    topUpId: Schema.String,
    botId: Schema.String,
    userId: Schema.String,
    usd: Credits,
    credits: Credits,
    automatic: Schema.Boolean
  }),
  Schema.TaggedStruct("CreditBudgetSet", {
    ...movement,
    botId: Schema.String,
    times: Schema.Int,
    before: Credits,
    after: Credits
  })
])

/** A charge as the event that carries it has it. */
export const ChargeSchema: Schema.Codec<Charge, unknown> = Schema.Struct({
  chargeId: Schema.String,
  companyId: Schema.String,
  botId: Schema.String,
  period: Schema.String,
  free: Credits,
  paid: Credits
})

const fromJson = Schema.decodeUnknownSync(Schema.fromJsonString(EvaluationCreditsEventSchema))

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeEvaluationCreditsEvent = (data: string): EvaluationCreditsEvent => fromJson(data)
