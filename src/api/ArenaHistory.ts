import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { arenaWire } from "./ApiError.ts"
import { Authorization, authenticated, Policy } from "./Authorization.ts"
import { AmountFromNumber as Money } from "./Money.ts"
import { optional } from "./Optional.ts"
import { pageFields, pageQuery, wholeNumber } from "./Paging.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"
import { UtcDay } from "./UtcDay.ts"

const Yes = Schema.Literal(true)

/** The files of the auctions of a day. */
export const AUCTION_FILES = ["auctions.jsonl", "auctions.csv"] as const

/** The files of a day's recorded prices. */
export const MEDIAN_FILES = ["medians.jsonl", "medians.csv"] as const

/** The files of what the collateral of a day's auctions earned. */
export const YIELD_FILES = ["yields.jsonl", "yields.csv"] as const

/** The files of a day. */
export const HISTORY_FILES = [...AUCTION_FILES, ...MEDIAN_FILES, ...YIELD_FILES] as const

/** The name of a file of a day. */
export type HistoryFileName = (typeof HISTORY_FILES)[number]

const JSON_LINES = "application/x-ndjson"
const CSV = "text/csv"

/** The media type of each file. */
export const HISTORY_TYPES = {
  "auctions.jsonl": JSON_LINES,
  "auctions.csv": CSV,
  "medians.jsonl": JSON_LINES,
  "medians.csv": CSV,
  "yields.jsonl": JSON_LINES,
  "yields.csv": CSV
} as const satisfies Record<HistoryFileName, string>

const Digest = Schema.String.annotate({ description: "SHA-256, 64 hexadecimal digits." })

const HistoryFile = Schema.Struct({
  name: Schema.Literals(HISTORY_FILES),
  bytes: Schema.Int,
  sha256: Digest
}).annotate({ identifier: "HistoryFile" })

/** A sealed day. */
export const HistoryDay = Schema.Struct({
  day: UtcDay,
  orders: Schema.Int.annotate({ description: "Auctions whose settlement_date lies in the day, void ones included." }),
  commitments: Schema.Int,
  bids: Schema.Literals(["open", "sealed"]).annotate({ description: "As the orders of the files have it." }),
  files: Schema.Array(HistoryFile),
  journal: Schema.Struct({
    sequence: Schema.Int.annotate({ description: "The last entry of the journal when the day was sealed." }),
    hash: Digest.annotate({ description: "The hash of the journal's row that ends there." })
  }),
  previous: Digest.annotate({ description: "The hash of the day that was sealed before; zeros before the first." }),
  hash: Digest.annotate({ description: "SHA-256 of previous and of everything above." })
}).annotate({ identifier: "HistoryDay" })

const list = HttpApiEndpoint.get("listHistory", "/history", {
  query: pageQuery,
  success: Schema.Struct({ success: Yes, days: Schema.Array(HistoryDay), ...pageFields })
}).annotateMerge(
  OpenApi.annotations({
    summary: "The sealed days of the arena's history, newest first",
    description:
      "A day is sealed once it is over and every auction that settles in it has ended. Days without auctions are left out. " +
      "The cursor is the day."
  })
)

const whole = [JSON_LINES, CSV].map((contentType) => Schema.String.pipe(HttpApiSchema.asText({ contentType })))

const file = HttpApiEndpoint.get("getHistoryFile", "/history/:day/:file", {
  params: { day: UtcDay, file: Schema.Literals(HISTORY_FILES) },
  success: [...whole, ...whole.map(HttpApiSchema.status(206)), HttpApiSchema.Empty(304)],
  error: [arenaWire("not_found"), arenaWire("range_not_satisfiable")]
}).annotateMerge(
  OpenApi.annotations({
    summary: "The auctions, recorded prices or yields of a day, as JSON lines or CSV",
    description:
      "auctions.jsonl has a line for each auction, the order of GET /api/arena/orders/{order_id}, by settlement_date and " +
      "order_id. auctions.csv has a row for each commitment, and one for an auction without any. medians has every recorded " +
      "price of every asset, by time and asset. yields has what the collateral of each commitment of these auctions earned, " +
      "with its shares. ETag is the SHA-256, Repr-Digest (RFC 9530) the same. If-None-Match and Range with one range are " +
      "served, so that a download resumes. Recorded prices are removed at an age: their files answer 404 then, and say so."
  })
)

/** Seconds that a candle may be of. */
export const MIN_INTERVAL = 60
export const MAX_INTERVAL = 86_400

const Candle = Schema.Struct({
  at: UtcTimestamp.annotate({ description: "When it begins: a multiple of the interval since 1970." }),
  open: Money,
  high: Money,
  low: Money,
  close: Money,
  prices: Schema.Int.annotate({ description: "How many recorded prices it is made of." })
}).annotate({ identifier: "Candle" })

const candles = HttpApiEndpoint.get("candles", "/candles/:asset", {
  params: { asset: text(1, 64).annotate({ description: "Such as XAU, H100-SXM, EUR%2FUSD or eur-usd." }) },
  query: {
    interval: wholeNumber(MIN_INTERVAL, MAX_INTERVAL).annotate({ description: "Seconds, from 60 to 86400." }),
    from: optional(UtcTimestamp, { description: "Prices from then on; without it from the first." }),
    to: optional(UtcTimestamp, { description: "Prices from before then; without it to the last." }),
    ...pageQuery
  },
  success: Schema.Struct({
    success: Yes,
    asset: Schema.String,
    interval: Schema.Int,
    candles: Schema.Array(Candle),
    ...pageFields
  }),
  error: arenaWire("not_found")
}).annotateMerge(
  OpenApi.annotations({
    summary: "What an asset was worth by interval, oldest first",
    description:
      "Open, high, low and close of the recorded prices that were safe, which alone choose and settle. An interval without one " +
      "has no candle; an asset that is not traded, and that no price is recorded of, answers 404. The cursor is the candle's beginning in milliseconds since 1970. Prices are kept for a week by default, and longer " +
      "while an order needs them."
  })
)

/** The arena's history by day. */
export class ArenaHistoryApi extends HttpApiGroup.make("arenaHistory")
  .add(list, file, candles)
  .middleware(Authorization)
  .prefix("/api/arena")
  .annotate(Policy, authenticated)
  .annotateMerge(
    OpenApi.annotations({
      title: "Arena history",
      description:
        "Every auction that ended, recorded prices and yields, by day, as files; and candles of recorded prices."
    })
  ) {}
