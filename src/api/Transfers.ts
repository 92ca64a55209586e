import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { TRANSFER_MODES } from "../../engine/transfers/TransferEvent.ts"
import { wire } from "./ApiError.ts"
import { Authorization, Policy, scopes } from "./Authorization.ts"
import { Fast } from "./Conventions.ts"
import { Pair, RateFromNumber } from "./ExchangeRate.ts"
import { Holding, Units } from "./Funds.ts"
import { Country } from "./Country.ts"
import { MetadataFilter, NewMetadata } from "./Metadata.ts"
import { optional } from "./Optional.ts"
import { pageQuery } from "./Paging.ts"
import { lines, text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const MAX_ID = 64
/** Which end of a transfer an owner is at. */
const DIRECTIONS = ["sent", "received"] as const

const INT32 = 2_147_483_647
const DATE = "an integer of 32 bits, such as the seconds since 1970"

/** Every id but `to`, which is an address of its own. */
const TransferId = Schema.String.check(
  Schema.isPattern(/^(?!to$)[A-Za-z0-9_-]{1,64}$/, {
    expected: "1 to 64 letters, digits, underscores and hyphens, and not `to`"
  })
)

const Id = text(1, MAX_ID)
const Mode = Schema.Literals(TRANSFER_MODES)

const particulars = {
  country: Country.annotate({ description: "The originating country." }),
  description: lines(0, 500),
  createdDate: Schema.Int.check(Schema.isBetween({ minimum: -INT32 - 1, maximum: INT32 }, { expected: DATE })).annotate(
    {
      description: "The sender's own date for it, such as seconds since 1970. Kept as it is.",
      format: "int32"
    }
  )
}

/** A request to move money. Specification 2.10. */
export const TransferRequest = Schema.Struct({
  pair: Pair,
  quantity: Units.annotate({ description: "Units of the pair's base: a positive decimal number as text." }),
  from: Id.annotate({ description: "Whose money it is: the caller's user id." }),
  to: Id.annotate({ description: "The new owner's user id, or the id of one of the caller's beneficiaries." }),
  ...particulars,
  id: optional(TransferId, {
    description: "The caller's own id for it. The same id and body again answer the same and move nothing."
  }),
  fxQuote: optional(RateFromNumber, {
    description:
      "The worst rate that the sender accepts. It is never the rate that is made. Ignored where the mode is local."
  }),
  mode: optional(Mode, {
    description: "By default `international` where fxQuote or quote_id is given, else `local`."
  }),
  quote_id: optional(Id, {
    description: "Extension: the rate of POST /v1/fx/quotes to use, for its own pair and quantity."
  }),
  metadata: NewMetadata
}).annotate({ identifier: "TransferRequest" })

/** What was moved, as its creation answers it. Specification 2.10. */
export const TransferReceipt = Schema.Struct({
  to: Schema.String,
  from: Schema.String,
  quantity: Holding,
  id: Schema.String
}).annotate({ identifier: "TransferReceipt" })

/** A transfer. Specification 2.10. */
export const TransferAnswer = Schema.Struct({
  pair: Pair,
  quantity: Holding.annotate({ description: "Units of the pair's base." }),
  from: Schema.String,
  to: Schema.String,
  country: Schema.String,
  description: Schema.String,
  createdDate: Schema.Int,
  id: Schema.String,
  fxQuote: Schema.optionalKey(RateFromNumber).annotate({ description: "The worst rate that the sender accepted." }),
  mode: Mode,
  rate: Schema.NullOr(RateFromNumber).annotate({
    description: "Extension: what it was exchanged at; null where nothing was, and to the recipient."
  }),
  direction: Schema.Literals(DIRECTIONS).annotate({ description: "Extension: which end the owner is at." }),
  taken: Schema.NullOr(Holding).annotate({
    description: "Extension: units taken from the sender; null to the recipient."
  }),
  taken_type: Schema.NullOr(Schema.String).annotate({
    description: "Extension: of which fund; null to the recipient."
  }),
  received: Holding.annotate({ description: "Extension: units that the recipient got." }),
  received_type: Schema.String.annotate({ description: "Extension: in which fund." }),
  quote_id: Schema.NullOr(Schema.String).annotate({
    description: "Extension: the held rate that it used; null to the recipient."
  }),
  metadata: Schema.Record(Schema.String, Schema.String).annotate({
    description: "Extension: what the sender keeps with it; empty to the recipient."
  }),
  created_at: UtcTimestamp.annotate({ description: "Extension: when it was made." })
}).annotate({ identifier: "Transfer" })

const create = HttpApiEndpoint.post("createTransfer", "/v1/transfers", {
  payload: TransferRequest,
  success: TransferReceipt,
  error: [
    wire("invalid_request"),
    wire("access_denied"),
    wire("not_found"),
    wire("conflict"),
    wire("unprocessable"),
    wire("unavailable")
  ]
})
  .annotate(Fast, true)
  .annotate(Policy, scopes("payments:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Move money to another owner or a beneficiary",
      description:
        "local: the base moves as it is. international: the base is sold for the quote at the desk's rate. Needs a " +
        "verified account. 409 where the rate is worse than fxQuote or the id was used for something else; 503 where " +
        "there is no rate now or the desk has too little."
    })
  )

const list = HttpApiEndpoint.get("listTransfers", "/v1/transfers", {
  query: {
    direction: optional(Schema.Literals(DIRECTIONS), {
      description: "Extension: those of one direction alone; by default both."
    }),
    owner: optional(Id, {
      description: "Extension: whose transfers an administrator wants; by default one's own."
    }),
    metadata: MetadataFilter,
    ...pageQuery
  },
  success: HttpApiSchema.WithHeaders(Schema.Array(TransferAnswer), { "x-total-count": Schema.FiniteFromString }),
  error: wire("access_denied")
})
  .annotate(Policy, scopes("payments:read"))
  .annotateMerge(OpenApi.annotations({ summary: "The transfers that the caller sent and received, newest first" }))

const get = HttpApiEndpoint.get("getTransfer", "/v1/transfers/:id", {
  params: { id: Id },
  query: {
    owner: optional(Id, {
      description: "Extension: whose transfer an administrator wants; by default one's own."
    })
  },
  success: TransferAnswer,
  error: [wire("access_denied"), wire("not_found")]
})
  .annotate(Policy, scopes("payments:read"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "One transfer",
      description: "One that the caller sent, else the newest of this id that it received."
    })
  )

/** Money between owners. Specification 2.10, 4.2. */
export class TransfersApi extends HttpApiGroup.make("transfers")
  .add(create, list, get)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Transfers", description: "Money that moves to other owners, exchanged where asked." })
  ) {}
