import { Schema } from "effect"
import { ASSET_TYPES } from "../../engine/arena/AssetType.ts"
import { OrderCommitment, OrderDetail } from "./Arena.ts"
import { optional } from "./Optional.ts"
import { text } from "./Text.ts"

/** Where clients connect. Specification 6.4. */
export const ARENA_STREAM_PATH = "/ws/arena"

/** The subprotocol of the stream. Offered beside `ticket.<ticket>`, it is the one that the server selects. */
export const STREAM_PROTOCOL = "emporion.v1"

/** What an offered subprotocol that carries a ticket begins with. */
export const TICKET_PROTOCOL_PREFIX = "ticket."

/** Largest frame that a client may send, in bytes. */
export const MAX_CLIENT_FRAME_BYTES = 65_536

/** Orders that one subscription may name. */
export const MAX_ORDER_IDS = 100

/** Longest `id` of a request. */
export const MAX_REQUEST_ID = 64

/** Longest text of an order's id or an epoch. */
const MAX_NAME = 200

/** Time between two heartbeats, in milliseconds. */
export const HEARTBEAT_MILLIS = 15_000

/** Orders in one `snapshot` frame at most. */
export const MAX_SNAPSHOT_ORDERS = 100

/** Why the server closed a connection. */
export const CLOSE = {
  /** RFC 6455, 7.4.1: the server is shutting down. */
  shutdown: 1001,
  /** RFC 6455, 7.4.1: the client breaks the rules, such as by a flood of frames. */
  policyViolation: 1008,
  /** RFC 6455, 7.4.1: a frame is larger than {@link MAX_CLIENT_FRAME_BYTES}. */
  tooBig: 1009,
  /** The database cannot be read now: connect again a little later. Registered with IANA. */
  tryAgainLater: 1013,
  /** What the connection authenticated with has expired or was withdrawn. */
  authenticationExpired: 4401,
  /** The client reads slower than the arena speaks. */
  tooSlow: 4408
} as const

/** The channels that everybody may hear. */
export const PUBLIC_CHANNELS = ["orders", "commitments", "settlements", "prices"] as const

/** What a subscription chooses from. `my` needs authentication. */
export const CHANNELS = [...PUBLIC_CHANNELS, "my"] as const

export type Channel = (typeof CHANNELS)[number]

const Channels = Schema.Array(Schema.Literals(CHANNELS))
const AssetTypes = Schema.Array(Schema.Literals(ASSET_TYPES))
const Name = text(1, MAX_NAME)
const RequestId = text(1, MAX_REQUEST_ID)
const Sequence = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** A position in the log of events: an epoch names a log, a sequence counts its events from 1. */
export const Position = Schema.Struct({ epoch: Name, seq: Sequence })

/** What a client asks for. An absent or empty list is no restriction; no channels are all public ones. */
export const SubscribeData = Schema.Struct({
  channels: optional(Channels),
  asset_type: optional(AssetTypes),
  order_id: optional(Schema.Array(Name).check(Schema.isMaxLength(MAX_ORDER_IDS))),
  /** Begins with the state of the live orders, and of the named ones; with `resume`, only where that cannot be done. */
  snapshot: optional(Schema.Boolean),
  /** Numbers the frames of events, and adds `order_updated` and `commitment_updated` to what is told. */
  sequence: optional(Schema.Boolean),
  /** Tells all events after a position first. */
  resume: optional(Position),
  /** Tells every recorded price, with its numbers, in place of the newest ones that changed. */
  price_sequence: optional(Schema.Boolean),
  /** With `price_sequence`: tells all recorded prices after this `price_seq` first; else the newest of each asset. */
  price_resume: optional(Sequence)
})

const request = { id: optional(RequestId) }

/** Replaces the connection's subscription, the default one included. */
export const Subscribe = Schema.Struct({
  type: Schema.Literal("subscribe"),
  ...request,
  data: optional(SubscribeData)
})

/** Ends the named channels of the subscription; all of them where none is named. */
export const Unsubscribe = Schema.Struct({
  type: Schema.Literal("unsubscribe"),
  ...request,
  data: optional(Schema.Struct({ channels: optional(Channels) }))
})

export const Ping = Schema.Struct({ type: Schema.Literal("ping"), ...request })

/** What a client may send. */
export const ClientFrame = Schema.Union([Subscribe, Unsubscribe, Ping])

export type ClientFrame = typeof ClientFrame.Type

/** The `id` of the request that is answered, if it had one. */
const Id = Schema.optionalKey(Schema.String)

/** Every frame of the server is `{type, data, timestamp}`; those of events with `sequence` carry four numbers more. */
const frame = <const Type extends string, Data extends Schema.Struct.Fields>(type: Type, data: Data) =>
  Schema.Struct({ type: Schema.Literal(type), data: Schema.Struct(data), timestamp: Schema.String })

/**
 * Of an event, with `sequence: true`: its place in the log; the place of the event told before it on this connection,
 * or else the position subscribed or resumed at, so that the filter skipped what lies between; which frame of the event
 * this is, from 1; and how many frames the event has here.
 */
const sequenced = {
  seq: Schema.optionalKey(Schema.Int),
  prev: Schema.optionalKey(Schema.Int),
  frame: Schema.optionalKey(Schema.Int),
  frames: Schema.optionalKey(Schema.Int)
}

const event = <const Type extends string, Data extends Schema.Constraint>(type: Type, data: Data) =>
  Schema.Struct({ type: Schema.Literal(type), data, timestamp: Schema.String, ...sequenced })

const Money = Schema.Finite
const AssetType = Schema.Literals(ASSET_TYPES)

/** Specification 6.4. */
export const OrderCreated = event(
  "order_created",
  Schema.Struct({
    order_id: Schema.String,
    asset_type: AssetType,
    entry_price: Money,
    settlement_date: Schema.String
  })
)

/** Specification 6.4. */
export const CommitmentSubmitted = event(
  "commitment_submitted",
  Schema.Struct({
    commitment_id: Schema.String,
    order_id: Schema.String,
    trader_type: Schema.Literals(["human", "machine"]),
    collateral: Money
  })
)

/** Specification 6.4. */
export const OrderSettled = event(
  "order_settled",
  Schema.Struct({
    order_id: Schema.String,
    winner_commitment_id: Schema.NullOr(Schema.String),
    winner_address: Schema.NullOr(Schema.String),
    prize_amount: Money,
    yield_distributed: Money
  })
)

/**
 * Specification 6.4. The only message that may be conflated, unless `price_sequence` asks for every price: then with its
 * place among the prices, milliseconds since 1970, and that of the price of the asset before it, null where none is kept.
 */
export const PriceUpdate = Schema.Struct({
  type: Schema.Literal("price_update"),
  data: Schema.Struct({ asset_type: AssetType, asset: Schema.String, price: Money, source: Schema.String }),
  timestamp: Schema.String,
  price_seq: Schema.optionalKey(Schema.Int),
  price_prev: Schema.optionalKey(Schema.NullOr(Schema.Int))
})

const { commitments: _, ...orderFields } = OrderDetail.fields

/** The whole public order as it is answered by `GET /api/arena/orders/{order_id}`, without its commitments. */
export const StreamedOrder = Schema.Struct(orderFields)

/** The whole public commitment as its order's detail shows it, with the order's id. */
export const StreamedCommitment = Schema.Struct({ order_id: Schema.String, ...OrderCommitment.fields })

/** The order is now this. Channel `orders`, with `sequence` only. */
export const OrderUpdated = event("order_updated", Schema.toEncoded(StreamedOrder))

/** The commitment is now this. Channel `commitments`, with `sequence` only. */
export const CommitmentUpdated = event("commitment_updated", Schema.toEncoded(StreamedCommitment))

const mine = { commitment_id: Schema.String, order_id: Schema.String, asset_type: AssetType }

/** A commitment of one's own was chosen. Channel `my`. */
export const CommitmentWon = event("commitment_won", Schema.Struct({ ...mine, clearing_price: Schema.NullOr(Money) }))

/** A commitment of one's own lost: outbid, below_reference, ARENA_007 or void. Channel `my`. */
export const CommitmentLost = event(
  "commitment_lost",
  Schema.Struct({ ...mine, reason: Schema.Literals(["outbid", "below_reference", "ARENA_007", "void"]) })
)

/** A won commitment of one's own has its profit; 0 and no price where the order was void. Channel `my`. */
export const CommitmentSettled = event(
  "commitment_settled",
  Schema.Struct({ ...mine, profit: Money, settlement_price: Schema.NullOr(Money) })
)

/** Every message of an event of the log. */
export const EventFrame = Schema.Union([
  OrderCreated,
  CommitmentSubmitted,
  OrderSettled,
  OrderUpdated,
  CommitmentUpdated,
  CommitmentWon,
  CommitmentLost,
  CommitmentSettled
])

export type EventFrame = typeof EventFrame.Type

const position = { epoch: Schema.String, seq: Schema.Int }

/** The subscription stands; events after `seq` follow, after the snapshot of `seq` where one was asked for. */
export const Subscribed = frame("subscribed", {
  id: Id,
  ...position,
  channels: Channels,
  asset_type: AssetTypes,
  order_id: Schema.Array(Schema.String)
})

/** The channels that remain. */
export const Unsubscribed = frame("unsubscribed", { id: Id, channels: Channels })

/** Some of the orders as they are at `seq`, each as its REST detail: page `page`, from 1, of `pages`. */
export const Snapshot = frame("snapshot", {
  id: Id,
  ...position,
  page: Schema.Int,
  pages: Schema.Int,
  orders: Schema.Array(Schema.toEncoded(OrderDetail))
})

export const Pong = frame("pong", { id: Id })

/** All events up to `seq` have been told, as far as the subscription wants them; the last of these was `prev`. */
export const Heartbeat = frame("heartbeat", { ...position, prev: Schema.Int })

/**
 * Why a resume cannot be done: another log; a position after its end; more events than are replayed.
 */
export const RESYNC_REASONS = ["epoch_changed", "position_unknown", "too_far_behind"] as const

/**
 * What was missed cannot be told. `subscribed` at `seq` follows, with a snapshot where one was asked for; else read the
 * present state over HTTP, or subscribe again with a snapshot.
 */
export const ResyncRequired = frame("resync_required", {
  id: Id,
  ...position,
  reason: Schema.Literals(RESYNC_REASONS)
})

/** The server is about to close every connection with 1001. */
export const ServerShutdown = frame("server_shutdown", { reconnect_after_ms: Schema.Int })

/** A frame was not taken; the subscription is as it was. */
export const StreamError = frame("error", {
  id: Id,
  code: Schema.Literals(["invalid_request", "unauthorized", "unavailable", "conflict"]),
  message: Schema.String
})

/** What a server may send. */
export const ServerFrame = Schema.Union([
  ...EventFrame.members,
  PriceUpdate,
  Subscribed,
  Unsubscribed,
  Snapshot,
  Pong,
  Heartbeat,
  ResyncRequired,
  ServerShutdown,
  StreamError
])

export type ServerFrame = typeof ServerFrame.Type
