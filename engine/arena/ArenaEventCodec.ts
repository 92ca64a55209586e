import { Schema } from "effect"
import { encodeEvent } from "../actor/EventChain.ts"
import { encodePlaced } from "../commerce/PurchaseOrderEventCodec.ts"
import type { AccountId } from "../ledger/Account.ts"
import type { Amount } from "../money/Amount.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { ArenaEvent } from "./ArenaEvent.ts"
import { ASSET_TYPES } from "./AssetType.ts"
import { type Commitment, COMMITMENT_STATUSES } from "./Commitment.ts"
import { FAIRNESS_RULES } from "./Fairness.ts"

const Units = Schema.BigIntFromString
const Money = Schema.BigIntFromString as unknown as Schema.Codec<Amount, string>
const Account = Schema.String as unknown as Schema.Codec<AccountId, string>
const Time = Schema.Int
const Id = Schema.String
const AssetTypeSchema = Schema.Literals(ASSET_TYPES)

const Terms = Schema.Struct({
  orderId: Id,
  assetType: AssetTypeSchema,
  asset: Schema.String,
  details: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Number])),
  quantity: Money,
  entryPrice: Money,
  openedAt: Time,
  expiryAt: Time,
  settlementAt: Time,
  maker: Schema.Struct({ owner: Id, address: Schema.String, account: Account }),
  tieKeyHash: Schema.String,
  makerDiscount: Schema.optionalKey(Money)
})

const LossReasonSchema = Schema.NullOr(Schema.Literals(["outbid", "below_reference", "ARENA_007", "void"]))

const CommitmentSchema = Schema.Struct({
  commitmentId: Id,
  orderId: Id,
  ordinal: Schema.Int,
  assetType: AssetTypeSchema,
  trader: Schema.Struct({
    owner: Id,
    userId: Id,
    address: Schema.String,
    type: Schema.Literals(["human", "machine"]),
    botId: Schema.NullOr(Id),
    account: Account,
    allowance: Schema.NullOr(Account)
  }),
  proposedPrice: Money,
  exitPrice: Money,
  quantity: Money,
  slippage: Money,
  swapExecutor: Schema.String,
  collateral: Money,
  acceptedAt: Time,
  status: Schema.Literals(COMMITMENT_STATUSES),
  reason: LossReasonSchema,
  profit: Money,
  yieldEarned: Money,
  decisionId: Schema.optionalKey(Id)
})

const Yields = Schema.Array(
  Schema.Struct({ commitmentId: Id, trader: Money, insurance: Money, platform: Money, tokenHolders: Money })
)

const ChoiceSchema = Schema.Struct({
  reference: Money,
  referenceAt: Time,
  winner: Schema.NullOr(Id),
  clearingPrice: Schema.NullOr(Money),
  ranking: Schema.Array(Schema.Struct({ commitmentId: Id, owner: Id, score: Units, reason: LossReasonSchema })),
  fairness: Schema.Struct({
    rule: Schema.Literals(FAIRNESS_RULES),
    machines: Units,
    total: Units,
    machineOwners: Schema.Array(Id)
  })
})

const ArenaEventSchema: Schema.Codec<ArenaEvent, unknown> = Schema.Union([
  Schema.TaggedStruct("OrderOpened", { at: Time, terms: Terms }),
  Schema.TaggedStruct("CommitmentSubmitted", { at: Time, commitment: CommitmentSchema }),
  Schema.TaggedStruct("OrderClosed", { at: Time, orderId: Id }),
  Schema.TaggedStruct("WinnerChosen", { at: Time, orderId: Id, choice: ChoiceSchema, yields: Yields }),
  Schema.TaggedStruct("OrderSettled", {
    at: Time,
    orderId: Id,
    assetType: AssetTypeSchema,
    winner: Schema.NullOr(Schema.Struct({ commitmentId: Id, address: Schema.String })),
    price: Schema.NullOr(Money),
    takeProfit: Schema.Boolean,
    profit: Money,
    yieldDistributed: Money,
    yields: Yields,
    tieKey: Schema.String
  }),
  Schema.TaggedStruct("OrderVoided", {
    at: Time,
    orderId: Id,
    assetType: AssetTypeSchema,
    reason: Schema.Literals(["breaker_open_at_expiry", "no_reference_price", "no_settlement_price"]),
    yieldDistributed: Money,
    yields: Yields,
    tieKey: Schema.String
  })
])

const fromJson = Schema.decodeUnknownSync(Schema.fromJsonString(ArenaEventSchema))

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeArenaEvent = (data: string): ArenaEvent => fromJson(data)

/** The bytes of {@link encodeEvent}, sooner for the events that are frequent. */
export const encodePlatformEvent = (event: PlatformEvent): string => {
  switch (event._tag) {
    case "CommitmentSubmitted":
      return JSON.stringify({ ...event, commitment: plainCommitment(event.commitment) })
    case "PurchaseOrderPlaced":
      return encodePlaced(event)
    default:
      return encodeEvent(event)
  }
}

/** The copy keeps the fields' order, and JSON refuses a bigint that is left in it. */
const plainCommitment = (one: Commitment) => ({
  ...one,
  proposedPrice: one.proposedPrice.toString(),
  exitPrice: one.exitPrice.toString(),
  quantity: one.quantity.toString(),
  slippage: one.slippage.toString(),
  collateral: one.collateral.toString(),
  profit: one.profit.toString(),
  yieldEarned: one.yieldEarned.toString()
})
