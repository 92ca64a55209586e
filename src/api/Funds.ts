import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { type Amount, format, fromUnits, parse } from "../../engine/money/Amount.ts"
import { parseUnits } from "../../engine/money/Decimal.ts"
import { wire } from "./ApiError.ts"
import { Authorization, Policy, scopes } from "./Authorization.ts"
import { Currency } from "./Currency.ts"
import { AmountUnits } from "./Money.ts"
import { optional } from "./Optional.ts"
import { pageQuery } from "./Paging.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const MAX_ID = 64
const MAX_REFERENCE = 128
const REFERENCE = `1 to ${MAX_REFERENCE} letters, digits, ., _, : and -`

const refusedText = (text: string, expected: string, options: Parameters<typeof invalid>[2]) =>
  Effect.fail(invalid(`Expected ${expected}`, text, options))

const invalid = (
  message: string,
  text: string,
  options: ConstructorParameters<typeof SchemaIssue.InvalidValue>[2]
): SchemaIssue.InvalidValue => new SchemaIssue.InvalidValue({ message }, text, options)

const unitsOf = (read: (text: string) => Amount | undefined, expected: string) =>
  Schema.String.annotate({ description: expected }).pipe(
    Schema.decodeTo(
      AmountUnits,
      SchemaTransformation.transformEffect({
        decode: (text, options) => {
          const units = read(text)
          return units === undefined ? refusedText(text, expected, options) : Effect.succeed(units)
        },
        encode: (units: Amount) => Effect.succeed(format(units))
      })
    )
  )

const positive = (text: string): Amount | undefined => {
  const parsed = parse(text)
  return parsed._tag === "Success" && parsed.success > 0n ? parsed.success : undefined
}

const held = (text: string): Amount | undefined => {
  const units = parseUnits(text, 6)
  return units === undefined ? undefined : fromUnits(units)
}

/** How many units to add, move or take out, as text. */
export const Units = unitsOf(positive, "a positive decimal number as text with at most 6 decimals, at most 8000000000")

/** How many units there are, which may be more than one request can add, as text. */
export const Holding = unitsOf(held, "a decimal number as text with at most 6 decimals")

const FundId = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{1,64}$/, { expected: "1 to 64 letters, digits, - and _" })
)
const Owner = text(1, MAX_ID)
/** What money stands for outside. */
export const Reference = Schema.String.check(
  Schema.isMaxLength(MAX_REFERENCE, { expected: REFERENCE }),
  Schema.isPattern(/^[A-Za-z0-9._:-]+$/, { expected: REFERENCE })
)

/** A request to add units to a fund. Specification 2.9. */
export const FundRequest = Schema.Struct({
  owner: Owner.annotate({ description: "The user's id." }),
  type: Currency,
  symbol: Units,
  id: optional(FundId, { description: "The id of a new fund, or of the one to add to." }),
  external_reference: optional(Reference, {
    description: "Extension: what the money stands for outside. Taken once. Required in production."
  })
}).annotate({ identifier: "FundRequest" })

/** A fund. Specification 2.9. */
export const FundAnswer = Schema.Struct({
  id: Schema.String,
  owner: Schema.String,
  type: Schema.String,
  symbol: Holding.annotate({ description: "The number of units, held ones included." }),
  available: Holding.annotate({ description: "Extension: units that nothing reserves." }),
  held: Holding.annotate({ description: "Extension: units that holds reserve, such as collateral." })
}).annotate({ identifier: "Fund" })

const create = HttpApiEndpoint.post("createFund", "/v1/funds", {
  payload: FundRequest,
  success: FundAnswer,
  error: [wire("invalid_request"), wire("access_denied"), wire("not_found"), wire("conflict"), wire("unprocessable")]
})
  .annotate(Policy, scopes("payments:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Add units to a fund",
      description:
        "In the sandbox anyone mints for themselves, at most 1000000000 units of a type in total. Administrators mint " +
        "for anybody, in production with external_reference alone. A second fund of a type adds to the first."
    })
  )

const list = HttpApiEndpoint.get("listFunds", "/v1/funds", {
  query: {
    owner: optional(Owner, {
      description: "Extension: whose funds an administrator wants; without it all."
    }),
    ...pageQuery
  },
  success: HttpApiSchema.WithHeaders(Schema.Array(FundAnswer), { "x-total-count": Schema.FiniteFromString }),
  error: wire("access_denied")
})
  .annotate(Policy, scopes("payments:read"))
  .annotateMerge(OpenApi.annotations({ summary: "List funds, oldest first" }))

const get = HttpApiEndpoint.get("getFund", "/v1/funds/:id", {
  params: { id: text(1, MAX_ID) },
  success: FundAnswer,
  error: wire("not_found")
})
  .annotate(Policy, scopes("payments:read"))
  .annotateMerge(OpenApi.annotations({ summary: "One fund" }))

/** An amount as text, with a minus where it left. */
const Change = unitsOf((text) => {
  const units = held(text.replace(/^-/, ""))
  return units === undefined ? undefined : fromUnits(text.startsWith("-") ? -units : units)
}, "a decimal number as text with at most 6 decimals, negative where it left")

/** A posting on a fund. */
export const FundEntry = Schema.Struct({
  id: Schema.String,
  created_at: UtcTimestamp,
  quantity: Change,
  balance: Holding.annotate({ description: "The fund's units after it." }),
  purpose: Schema.String,
  counterparty: Schema.String.annotate({
    description: "outside, owner, arena, or an account of the platform's own such as fx_desk."
  }),
  counterparty_id: Schema.NullOr(Schema.String).annotate({ description: "The other owner of a transfer." }),
  reference: Schema.String.annotate({ description: "Such as the id of a transfer, a withdrawal or a commitment." })
}).annotate({ identifier: "FundEntry" })

/** Entries of one CSV file. */
export const MAX_CSV_ENTRIES = 10_000

const entries = HttpApiEndpoint.get("listFundEntries", "/v1/funds/:id/entries", {
  params: { id: text(1, MAX_ID) },
  query: {
    format: optional(Schema.Literals(["json", "csv"]), {
      description: "By default csv where Accept is text/csv, else json."
    }),
    ...pageQuery
  },
  success: [
    HttpApiSchema.WithHeaders(Schema.Array(FundEntry), { "x-total-count": Schema.FiniteFromString }),
    Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))
  ],
  error: wire("not_found")
})
  .annotate(Policy, scopes("payments:read"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "A fund's statement, newest first",
      description: `Each posting with the balance after it. CSV has ${MAX_CSV_ENTRIES} entries from offset on, whatever limit says.`
    })
  )

/** Funds: what owners hold. Specification 2.9, 4.2. */
export class FundsApi extends HttpApiGroup.make("funds")
  .add(create, list, get, entries)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Funds", description: "What owners hold, by asset." })) {}
