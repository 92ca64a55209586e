import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ASSET_TYPES } from "../../engine/arena/AssetType.ts"
import { COMMITMENT_STATUSES } from "../../engine/arena/Commitment.ts"
import { ORDER_STATUSES } from "../../engine/arena/Order.ts"
import { arenaWire } from "./ApiError.ts"
import { Authorization, authenticated, movesMoney, Policy } from "./Authorization.ts"
import { Fast } from "./Conventions.ts"
import { AmountFromNumber, SignedAmount } from "./Money.ts"
import { optional } from "./Optional.ts"
import { orderPageQuery, pageFields, pageQuery } from "./Paging.ts"
import { text } from "./Text.ts"
import { LocalTimestamp, UtcTimestamp } from "./Timestamp.ts"

const Yes = Schema.Literal(true)
const AssetType = Schema.Literals(ASSET_TYPES)
const OrderStatus = Schema.Literals(ORDER_STATUSES)
const CommitmentStatus = Schema.Literals(COMMITMENT_STATUSES)
const Money = AmountFromNumber

/** Longest text of an id or a name in a request. */
const MAX_TEXT = 200
const Text = text(1, MAX_TEXT)

const orderFields = {
  order_id: Schema.String,
  asset_type: AssetType,
  quantity: Money,
  entry_price: Money,
  settlement_date: LocalTimestamp,
  expiry_date: LocalTimestamp,
  status: OrderStatus,
  market_maker: Schema.String.annotate({ description: "The wallet address of who sells." }),
  onchain_order_id: Schema.String
}

const ListedOrder = Schema.Struct({
  ...orderFields,
  asset_details: Schema.String.annotate({ description: "The order's details as JSON text." })
}).annotate({ identifier: "ListedOrder" })

export const OrderCommitment = Schema.Struct({
  commitment_id: Schema.String,
  trader_address: Schema.String,
  trader_type: Schema.Literals(["human", "machine"]),
  proposed_entry_price: Schema.NullOr(Money).annotate({ description: "Null until the choice where bids are sealed." }),
  expected_exit_price: Schema.NullOr(Money).annotate({ description: "Null until the choice where bids are sealed." }),
  quantity: Money,
  collateral: Money,
  status: CommitmentStatus,
  owner_id: Schema.NullOr(Schema.String).annotate({ description: "Extension: who competes; after the choice." }),
  slippage_tolerance: Schema.NullOr(Money).annotate({ description: "Extension: as submitted; after the choice." }),
  accepted_at: Schema.NullOr(UtcTimestamp).annotate({ description: "Extension: after the choice." }),
  rank: Schema.NullOr(Schema.Int).annotate({ description: "Extension: the place in the ranking, from 1." }),
  score: Schema.NullOr(Schema.String).annotate({
    description: "Extension: (offered − reserve_price) × quantity in 10⁻¹² USD."
  }),
  loss_reason: Schema.NullOr(Schema.String).annotate({
    description: "Extension: outbid, below_reference, ARENA_007 or void."
  })
}).annotate({ identifier: "OrderCommitment" })

export const OrderDetail = Schema.Struct({
  ...orderFields,
  asset_details: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite])),
  opened_at: LocalTimestamp.annotate({ description: "Extension: UTC, as the other times of an order." }),
  commitments: Schema.Array(OrderCommitment),
  bids: Schema.Literals(["open", "sealed"]).annotate({
    description: "Extension: whether the prices of others' bids are shown before the choice."
  }),
  maker_discount: Schema.NullOr(Money).annotate({
    description:
      "Extension: how far below the reference price the market maker sells, as a fraction. Null where bids do not float."
  }),
  reference_price: Schema.NullOr(Money),
  reserve_price: Schema.NullOr(Money).annotate({
    description: "Extension: the least that the market maker sells for, reference_price × (1 − maker_discount)."
  }),
  clearing_price: Schema.NullOr(Money),
  settlement_price: Schema.NullOr(Money),
  winner_commitment_id: Schema.NullOr(Schema.String),
  void_reason: Schema.NullOr(Schema.String),
  tie_key_hash: Schema.String,
  tie_key: Schema.NullOr(Schema.String),
  fairness: Schema.NullOr(
    Schema.Struct({
      rule: Schema.String,
      machines: Schema.String,
      total: Schema.String,
      machine_owners: Schema.Array(Schema.String).annotate({
        description: "The eligible owners that counted as machines."
      })
    })
  )
}).annotate({
  identifier: "OrderDetail",
  description:
    "opened_at, reference_price and what follows it are an extension: what anyone needs to recompute the choice and its price."
})

/** A commitment as its trader sees it. */
export const MyCommitment = Schema.Struct({
  commitment_id: Schema.String,
  order_id: Schema.String,
  asset_type: AssetType,
  trader_type: Schema.Literals(["human", "machine"]),
  bot_id: Schema.NullOr(Schema.String).annotate({ description: "Extension." }),
  proposed_entry_price: Money,
  expected_exit_price: Money,
  quantity: Money,
  collateral: Money,
  status: CommitmentStatus,
  profit: SignedAmount,
  yield_earned: Money,
  loss_reason: Schema.NullOr(Schema.String).annotate({ description: "Extension." }),
  created_at: UtcTimestamp
}).annotate({ identifier: "MyCommitment" })

const agentStatus = HttpApiEndpoint.get("agentStatus", "/agent/status", {
  success: Schema.Struct({
    success: Yes,
    status: Schema.String,
    oracles: Schema.Struct({
      price_oracle: Schema.Struct({
        available: Schema.Boolean,
        sample_price: Schema.String,
        source: Schema.String
      }),
      fx_api: Schema.Struct({ available: Schema.Boolean }),
      gpu_marketplaces: Schema.Struct({ available: Schema.Boolean })
    }),
    supported_asset_types: Schema.Array(AssetType),
    open_orders_count: Schema.Record(AssetType, Schema.Int),
    generation_interval_minutes: Schema.Int.annotate({ description: "At least 1." }),
    generation_interval_seconds: Schema.Int.annotate({ description: "Extension: the same, exactly." }),
    circuit_breakers: Schema.Record(Schema.String, Schema.String).annotate({ description: "Extension." }),
    skipped_orders: Schema.Int.annotate({
      description: "Extension: orders not made since the start, for want of a safe price or of maker capital."
    })
  })
}).annotateMerge(OpenApi.annotations({ summary: "State of the order agent and its oracles" }))

/** The answer of a page of orders. */
export const OrdersAnswer = Schema.Struct({ success: Yes, orders: Schema.Array(ListedOrder), ...pageFields })

const listOrders = HttpApiEndpoint.get("listOrders", "/orders", {
  query: {
    asset_type: optional(AssetType),
    status: optional(OrderStatus),
    ...orderPageQuery
  },
  success: OrdersAnswer
})
  .annotate(Fast, true)
  .annotateMerge(OpenApi.annotations({ summary: "List orders, newest first" }))

/** The answer of an order's details. */
export const OrderAnswer = Schema.Struct({ success: Yes, order: OrderDetail })

const getOrder = HttpApiEndpoint.get("getOrder", "/orders/:order_id", {
  params: { order_id: Text },
  success: OrderAnswer,
  error: arenaWire("ARENA_001")
})
  .annotate(Fast, true)
  .annotateMerge(OpenApi.annotations({ summary: "One order with its commitments and, after the choice, the ranking" }))

/** What a commitment asks for. Specification 4.3. */
export const CommitmentRequest = Schema.Struct({
  order_id: Text,
  proposed_entry_price: Money,
  expected_exit_price: Money,
  quantity: Money,
  swap_executor: optional(text(1, MAX_TEXT)),
  slippage_tolerance: optional(Money),
  bot_id: optional(Text, { description: "Extension: commits as one's machine trader." })
}).annotate({ identifier: "CommitmentRequest" })

/** Every refusal of a commitment. */
export const COMMITMENT_REFUSALS = [
  arenaWire("ARENA_009"),
  arenaWire("ARENA_001"),
  arenaWire("ARENA_003"),
  arenaWire("ARENA_004"),
  arenaWire("ARENA_006"),
  arenaWire("access_denied"),
  arenaWire("ARENA_005"),
  arenaWire("loss_limit"),
  arenaWire("ARENA_008"),
  arenaWire("ARENA_002"),
  arenaWire("rate_limited"),
  arenaWire("conflict"),
  arenaWire("commitments_halted")
] as const

/** The commitment stands, durably. Specification 4.3. */
export const Receipt = Schema.Struct({
  success: Yes,
  message: Schema.String,
  data: Schema.Struct({
    commitment_id: Schema.String,
    onchain_commitment_id: Schema.String,
    transaction_hash: Schema.String,
    collateral_required: Money,
    status: Schema.Literal("active")
  })
})

const submit = HttpApiEndpoint.post("submitCommitment", "/commitments", {
  payload: CommitmentRequest,
  success: Receipt,
  error: COMMITMENT_REFUSALS
})
  .annotate(Fast, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Commit to an order",
      description: "Collateral of 3.81 % of the order's entry_price × quantity is held on the USD balance."
    })
  )
  .annotate(Policy, movesMoney)

const myCommitments = HttpApiEndpoint.get("myCommitments", "/commitments/my", {
  query: { status: optional(CommitmentStatus), ...pageQuery },
  success: Schema.Struct({ success: Yes, commitments: Schema.Array(MyCommitment), ...pageFields })
})
  .annotate(Fast, true)
  .annotateMerge(OpenApi.annotations({ summary: "The caller's commitments, newest first" }))

/** Commitments of one CSV file. */
export const MAX_FILE_COMMITMENTS = 10_000

const myCommitmentsFile = HttpApiEndpoint.get("myCommitmentsFile", "/commitments/my.csv", {
  query: { status: optional(CommitmentStatus), after: pageQuery.after },
  success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))
}).annotateMerge(
  OpenApi.annotations({
    summary: "The caller's commitments with what each earned, newest first, as CSV",
    description:
      `An extension. At most ${MAX_FILE_COMMITMENTS} rows; the Link header has the address of the next ones. result is ` +
      "profit and yield_earned together."
  })
)

/** The agent, orders and commitments of the trading arena. Specification 4.3. */
export class ArenaApi extends HttpApiGroup.make("arena")
  .add(agentStatus, listOrders, getOrder, submit, myCommitments, myCommitmentsFile)
  .middleware(Authorization)
  .prefix("/api/arena")
  .annotate(Policy, authenticated)
  .annotateMerge(OpenApi.annotations({ title: "Arena", description: "Orders and the commitments that compete." })) {}
