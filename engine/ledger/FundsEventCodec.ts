import { Schema } from "effect"
import type { Amount } from "../money/Amount.ts"
import type { FundsEvent } from "./FundsEvent.ts"

const Money = Schema.BigIntFromString as unknown as Schema.Codec<Amount, string>

const FundsEventSchema: Schema.Codec<FundsEvent, unknown> = Schema.Union([
  Schema.TaggedStruct("FundsMinted", {
    at: Schema.Int,
    fundId: Schema.String,
    owner: Schema.String,
    asset: Schema.String,
    amount: Money,
    externalReference: Schema.NullOr(Schema.String),
    posting: Schema.optionalKey(Schema.Struct({ id: Schema.String, limited: Schema.Boolean }))
  }),
  Schema.TaggedStruct("CapitalFunded", {
    at: Schema.Int,
    account: Schema.String,
    asset: Schema.String,
    amount: Money
  }),
  Schema.TaggedStruct("AllowanceGranted", { at: Schema.Int, traderId: Schema.String, amount: Money })
])

const fromJson = Schema.decodeUnknownSync(Schema.fromJsonString(FundsEventSchema))

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeFundsEvent = (data: string): FundsEvent => fromJson(data)
