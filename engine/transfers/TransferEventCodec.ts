import { Schema } from "effect"
import { SIDES } from "../fx/FxDesk.ts"
import type { Amount } from "../money/Amount.ts"
import type { Rate } from "../money/Rate.ts"
import { TRANSFER_MODES, type TransferEvent } from "./TransferEvent.ts"

const Money = Schema.BigIntFromString as unknown as Schema.Codec<Amount, string>
const ExchangeRate = Schema.BigIntFromString as unknown as Schema.Codec<Rate, string>
const Pair = Schema.Struct({ base: Schema.String, quote: Schema.String })

const TransferEventSchema: Schema.Codec<TransferEvent, unknown> = Schema.Union([
  Schema.TaggedStruct("MoneyTransferred", {
    at: Schema.Int,
    transferId: Schema.String,
    sender: Schema.String,
    recipient: Schema.String,
    payout: Schema.Boolean,
    pair: Pair,
    mode: Schema.Literals(TRANSFER_MODES),
    side: Schema.Literals(SIDES),
    quantity: Money,
    worst: Schema.NullOr(ExchangeRate),
    quoteId: Schema.NullOr(Schema.String),
    rate: Schema.NullOr(ExchangeRate),
    taken: Money,
    received: Money,
    country: Schema.String,
    description: Schema.String,
    createdDate: Schema.Int
  }),
  Schema.TaggedStruct("MoneyWithdrawn", {
    at: Schema.Int,
    withdrawalId: Schema.String,
    owner: Schema.String,
    fundId: Schema.String,
    asset: Schema.String,
    quantity: Money
  }),
  Schema.TaggedStruct("RateQuoted", {
    at: Schema.Int,
    quoteId: Schema.String,
    owner: Schema.String,
    pair: Pair,
    side: Schema.Literals(SIDES),
    quantity: Money,
    rate: ExchangeRate,
    value: Money,
    expiresAt: Schema.Int
  })
])

const fromJson = Schema.decodeUnknownSync(Schema.fromJsonString(TransferEventSchema))

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeTransferEvent = (data: string): TransferEvent => fromJson(data)
