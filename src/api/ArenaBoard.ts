import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ASSET_TYPES } from "../../engine/arena/AssetType.ts"
import { arenaWire } from "./ApiError.ts"
import { Authorization, authenticated, Policy } from "./Authorization.ts"
import { AmountFromNumber as Money, SignedAmount } from "./Money.ts"
import { optional } from "./Optional.ts"
import { wholeNumber } from "./Paging.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const Yes = Schema.Literal(true)

/** Prices that one answer has at most. */
export const MAX_PRICES = 400

/** How long before its opening an order's prices begin, as a part of its whole life: a quarter. */
export const LEAD_PART = 4

/** Days that a leaderboard looks back at most, and usually. */
export const MAX_LEADER_DAYS = 30
export const USUAL_LEADER_DAYS = 7

/** Rows of a leaderboard. */
export const MAX_LEADERS = 100

const PricePoint = Schema.Struct({
  at: UtcTimestamp,
  price: Money.annotate({ description: "USD for one unit of the order: of an option its premium." }),
  safe: Schema.Boolean.annotate({ description: "Whether it was inside its band: only these choose and settle." })
}).annotate({ identifier: "PricePoint" })

const prices = HttpApiEndpoint.get("orderPrices", "/orders/:order_id/prices", {
  params: { order_id: text(1, 200) },
  success: Schema.Struct({
    success: Yes,
    order_id: Schema.String,
    asset: Schema.String.annotate({ description: "Whose prices were recorded: of an option the underlying." }),
    prices: Schema.Array(PricePoint)
  }),
  error: arenaWire("ARENA_001")
}).annotateMerge(
  OpenApi.annotations({
    summary: "What an order's unit was worth, from before its opening to its settlement",
    description:
      `At most ${MAX_PRICES} of the recorded prices, oldest first, evenly chosen. Prices are kept for a week by default after the ` +
      "order is settled."
  })
)

const Leader = Schema.Struct({
  rank: Schema.Int,
  owner_id: Schema.String.annotate({ description: "The company." }),
  trader_address: Schema.String,
  trader_type: Schema.Literals(["human", "machine"]),
  commitments: Schema.Int.annotate({ description: "Decided ones: void orders decide nothing." }),
  won: Schema.Int,
  win_rate: Schema.Finite.annotate({ description: "Won of decided commitments, a fraction." }),
  profit: SignedAmount.annotate({ description: "Posted profits and losses, in USD." }),
  yield_earned: Money
}).annotate({ identifier: "Leader" })

const leaderboard = HttpApiEndpoint.get("leaderboard", "/leaderboard", {
  query: {
    asset_type: optional(Schema.Literals(ASSET_TYPES)),
    days: optional(wholeNumber(1, MAX_LEADER_DAYS, USUAL_LEADER_DAYS)),
    limit: optional(wholeNumber(1, MAX_LEADERS, MAX_LEADERS))
  },
  success: Schema.Struct({
    success: Yes,
    since: UtcTimestamp,
    orders: Schema.Int.annotate({ description: "Settled orders that were counted: the newest 2,000 of the days." }),
    leaders: Schema.Array(Leader)
  })
}).annotateMerge(
  OpenApi.annotations({
    summary: "Who earned most on settled orders",
    description:
      "By what each trader's settled commitments earned. It is counted anew every few seconds, and is a ranking and no list: " +
      `the first ${MAX_LEADERS} at most, without pages or a total.`
  })
)

/** What everybody may see of the arena beyond the specification: prices of orders, and who earned most. */
export class ArenaBoardApi extends HttpApiGroup.make("arenaBoard")
  .add(prices, leaderboard)
  .middleware(Authorization)
  .prefix("/api/arena")
  .annotate(Policy, authenticated)
  .annotateMerge(OpenApi.annotations({ title: "Arena board", description: "Prices of orders and a leaderboard." })) {}
