import { Context, Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { COMMITMENT_STATUSES } from "../../../engine/arena/Commitment.ts"
import { MyCommitment, Receipt } from "../Arena.ts"
import {
  EventFrame,
  Heartbeat,
  PriceUpdate,
  ResyncRequired,
  Snapshot,
  StreamedOrder,
  SubscribeData,
  Subscribed
} from "../ArenaStreamProtocol.ts"
import { authenticated, movesMoney, open, Policy, scopes } from "../Authorization.ts"
import { EvaluationAnswer } from "../BotDecisions.ts"
import { BotGuard, KillSwitch, MAX_GUARD_SECONDS, StopScope } from "../Bots.ts"
import { FundAnswer } from "../Funds.ts"
import { optional } from "../Optional.ts"
import { Cursor, MAX_LIMIT, MAX_OFFSET } from "../Paging.ts"
import { text } from "../Text.ts"
import { UtcTimestamp } from "../Timestamp.ts"
import { Refused, RefusedItem } from "./Refused.ts"
import { webhookEvents } from "./WebhookEvents.ts"

/** Where clients connect. */
export const FAST_LANE_PATH = "/rpc"

/** How messages are written: JSON as text frames, MessagePack as binary ones. The first is the default. */
export const FORMATS = ["json", "msgpack"] as const

export type Format = (typeof FORMATS)[number]

/** The subprotocol that asks for a format. The query parameter `format` asks for the same. */
export const subprotocolOf = (format: Format): string => `emporion.rpc.v1.${format}`

/** What an offered subprotocol that carries an access token begins with, for clients that cannot send a header. */
export const TOKEN_PROTOCOL_PREFIX = "bearer."

/** Items of one batch. */
export const MAX_BATCH_ITEMS = 500

/** Largest message of a client, in bytes. */
export const MAX_MESSAGE_BYTES = 1_048_576

/** Messages of one frame. */
export const MAX_FRAME_MESSAGES = 256

/** Messages in a row that are refused before anything is tried; then the connection is closed. */
export const MAX_REFUSALS = 20

/** Requests of one connection that may be under way; streams that are open count. */
export const MAX_UNDER_WAY = 256

/** How long a connection may stay without a caller, in milliseconds. */
export const AUTHENTICATE_WITHIN = 10_000

/** Longest `idempotency_id`, in characters. */
export const MAX_IDEMPOTENCY_ID = 255

/** Annotation of a message that changes nothing: what became of it need not be asked. */
export const ReadsOnly = Context.Reference<boolean>("emporion/api/rpc/ReadsOnly", { defaultValue: () => false })

/** Why the server closed a connection. */
export const CLOSE = {
  /** RFC 6455, 7.4.1: the server is shutting down. */
  shutdown: 1001,
  /** RFC 6455, 7.4.1: the message cannot be read in the connection's format. */
  unreadable: 1007,
  /** RFC 6455, 7.4.1: the client sends more than it may, or goes on after {@link MAX_REFUSALS}. */
  policyViolation: 1008,
  /** RFC 6455, 7.4.1: a message is larger than {@link MAX_MESSAGE_BYTES}. */
  tooBig: 1009,
  /** Nobody was named in time. */
  unauthenticated: 4401,
  /** The client does not read its answers. */
  tooSlow: 4408
} as const

/** A non-negative number with at most 6 decimals, at most 8·10⁹. The server refuses others with their place. */
const Money = Schema.Finite

const MAX_TEXT = 200
const Text = text(1, MAX_TEXT)

const IDEMPOTENCY_ID = `1 to ${MAX_IDEMPOTENCY_ID} visible ASCII characters`

const IdempotencyId = Schema.String.check(
  Schema.isMaxLength(MAX_IDEMPOTENCY_ID, { expected: IDEMPOTENCY_ID }),
  Schema.isPattern(/^[\x21-\x7e]+$/, { expected: IDEMPOTENCY_ID })
)

/** A commitment to an order: the body of `POST /api/arena/commitments`, and the caller's own id of it. Specification 4.3. */
export const CommitmentItem = Schema.Struct({
  order_id: Text,
  proposed_entry_price: Money,
  expected_exit_price: Money,
  quantity: Money,
  swap_executor: optional(text(1, MAX_TEXT)),
  slippage_tolerance: optional(Money),
  bot_id: optional(Text),
  idempotency_id: optional(IdempotencyId, {
    description:
      "A commitment that was accepted under it is answered again within 24 hours, and made once however often it is " +
      "sent. A refused one may be sent again."
  })
})

/** The commitment stands, durably. Specification 4.3. */
export const Accepted = Schema.toEncoded(Schema.TaggedStruct("Accepted", Receipt.fields.data.fields))

/** What became of one item of a batch. */
export const ItemResult = Schema.Union([Accepted, RefusedItem])

const pageFields = {
  limit: optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MAX_LIMIT }))),
  offset: optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: MAX_OFFSET }))),
  after: optional(Cursor, {
    description:
      "The id of a row of this list: the page begins behind it. The next of an answer is that of the next page."
  })
}

/** What a list tells beside its rows. */
const listFields = {
  total: Schema.Int,
  next: Schema.optionalKey(Schema.String).annotate({
    description: "What after is for the next page, where there is one."
  })
}

/** Names the caller of the connection, again before the token expires. Another user needs another connection. */
export const authenticate = Rpc.make("authenticate", {
  payload: { access_token: text(1, 4_096) },
  success: Schema.Struct({ user_id: Schema.String, company_id: Schema.String }),
  error: Refused
})
  .annotate(Policy, open)
  .annotate(ReadsOnly, true)

/** Commits to an order. It is answered once the commitment is durable. */
export const commit = Rpc.make("commit", { payload: CommitmentItem, success: Accepted, error: Refused }).annotate(
  Policy,
  movesMoney
)

/** Commits to orders, each item for itself: the results stand in the order of the items. */
export const commitBatch = Rpc.make("commitBatch", {
  payload: { items: Schema.Array(CommitmentItem).check(Schema.isMaxLength(MAX_BATCH_ITEMS)) },
  success: Schema.Struct({ results: Schema.Array(ItemResult) }),
  error: Refused
}).annotate(Policy, movesMoney)

/** The caller's commitments, newest first: `GET /api/arena/commitments/my`. Specification 4.3. */
export const myCommitments = Rpc.make("myCommitments", {
  payload: { status: optional(Schema.Literals(COMMITMENT_STATUSES)), ...pageFields },
  success: Schema.Struct({ commitments: Schema.Array(Schema.toEncoded(MyCommitment)), ...listFields }),
  error: Refused
})
  .annotate(Policy, authenticated)
  .annotate(ReadsOnly, true)

/** The caller's funds: `GET /v1/funds`. Specification 2.9, 4.2. */
export const balances = Rpc.make("balances", {
  payload: pageFields,
  success: Schema.Struct({ funds: Schema.Array(Schema.toEncoded(FundAnswer)), ...listFields }),
  error: Refused
})
  .annotate(Policy, scopes("payments:read"))
  .annotate(ReadsOnly, true)

const { success: _success, ...evaluationFields } = EvaluationAnswer.fields

/** What a bot would do about an open order: `POST /api/arena/machine-traders/{bot_id}/evaluate`. Specification 4.4. */
export const evaluate = Rpc.make("evaluate", {
  payload: { bot_id: text(1, 64), order_id: Text },
  success: Schema.toEncoded(Schema.Struct(evaluationFields)),
  error: Refused
}).annotate(Policy, movesMoney)

/**
 * Pauses every active bot of the caller's company, or stops all that it commits: `POST
 * /api/arena/machine-traders/pause-all`.
 */
export const pauseAll = Rpc.make("pauseAll", {
  payload: { scope: optional(StopScope) },
  success: Schema.Struct({
    paused: Schema.Array(Schema.String),
    halted_at: Schema.optionalKey(Schema.toEncoded(UtcTimestamp))
  }),
  error: Refused
}).annotate(Policy, authenticated)

const { success: _guarded, ...guardFields } = BotGuard.fields

/**
 * Has every bot of the company paused after so many seconds unless it is sent again: each replaces the one before, and 0
 * clears it. `POST /api/arena/machine-traders/cancel-after`.
 */
export const cancelAfter = Rpc.make("cancelAfter", {
  payload: {
    timeout_seconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: MAX_GUARD_SECONDS })),
    scope: optional(StopScope)
  },
  success: Schema.toEncoded(Schema.Struct(guardFields)),
  error: Refused
}).annotate(Policy, authenticated)

const { success: _switched, ...switchFields } = KillSwitch.fields

const killSwitchResponse = Schema.toEncoded(Schema.Struct(switchFields))

/**
 * Has the end of this connection, whatever ends it, stop all that the caller's company commits, as `pauseAll` with the
 * scope `company` does; or no more.
 */
export const cancelOnDisconnect = Rpc.make("cancelOnDisconnect", {
  payload: { enabled: Schema.Boolean },
  success: killSwitchResponse,
  error: Refused
}).annotate(Policy, authenticated)

/** Lifts the company's kill switch: `DELETE /api/arena/machine-traders/kill-switch`. */
export const liftKillSwitch = Rpc.make("liftKillSwitch", { success: killSwitchResponse, error: Refused }).annotate(
  Policy,
  movesMoney
)

const { price_resume: _after, price_sequence: _every, sequence: _sequence, ...subscription } = SubscribeData.fields

/** Which orders are meant; an absent or empty list is no restriction. */
const orderFilter = { asset_type: subscription.asset_type, order_id: subscription.order_id }

/**
 * The orders that are live or named, each whole as in `GET /api/arena/orders/{order_id}` but without its commitments,
 * then each again as often as it changes. Specification 4.3.
 */
export const orders = Rpc.make("orders", {
  payload: orderFilter,
  success: Schema.toEncoded(StreamedOrder),
  error: Refused,
  stream: true
}).annotate(Policy, authenticated)

/** A frame of a subscription: those of `/ws/arena` with `sequence: true`. */
export const SubscriptionFrame = Schema.Union([
  ...EventFrame.members,
  PriceUpdate,
  Subscribed,
  Snapshot,
  Heartbeat,
  ResyncRequired
])

/**
 * The arena's events as `/ws/arena` tells them with `sequence: true`, at the reader's own pace: the next piece is sent
 * when the one before was taken. Prices that nobody took are told by the newest alone. Specification 6.4.
 */
export const subscribe = Rpc.make("subscribe", {
  payload: subscription,
  success: SubscriptionFrame,
  error: Refused,
  stream: true
}).annotate(Policy, authenticated)

/** The messages of the fast lane: `effect/rpc` over a WebSocket, an extension of Specification 4.3. */
export const FastLane = RpcGroup.make(
  authenticate,
  commit,
  commitBatch,
  myCommitments,
  balances,
  evaluate,
  pauseAll,
  cancelAfter,
  cancelOnDisconnect,
  liftKillSwitch,
  orders,
  subscribe,
  webhookEvents
)

export type FastLaneRpcs = RpcGroup.Rpcs<typeof FastLane>
