import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { wire } from "./ApiError.ts"
import { Authorization, Policy, scopes } from "./Authorization.ts"
import { AnswersSecret } from "./Conventions.ts"
import { Country } from "./Country.ts"
import { optional } from "./Optional.ts"
import { pageQuery } from "./Paging.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const Id = text(1, 64)

/** An account outside. Specification 2.13. */
export const BankAccount = Schema.Struct({
  accountName: text(1, 140).annotate({ description: "Whose account it is." }),
  accountNumber: text(1, 64).annotate({
    description: "An IBAN, or the national number. Spaces and hyphens in it are ignored."
  }),
  country: optional(Country, {
    description: "Where the account is: a code of ISO 3166-1 or an English name. An IBAN says it itself."
  }),
  bankId: optional(text(1, 40), {
    description: "The bank's BIC, or its national number such as a routing number."
  })
}).annotate({ identifier: "BankAccount" })

/** A beneficiary, as its owner and administrators see it. */
export const BeneficiaryAnswer = Schema.Struct({
  id: Schema.String.annotate({ description: "Extension: what a transfer names as `to`." }),
  accountName: Schema.String,
  accountNumber: Schema.String,
  country: Schema.optionalKey(Schema.String),
  bankId: Schema.optionalKey(Schema.String),
  created_at: UtcTimestamp.annotate({ description: "Extension." })
}).annotate({ identifier: "Beneficiary" })

const create = HttpApiEndpoint.post("createBeneficiary", "/v1/transfers/to", {
  payload: BankAccount,
  success: BeneficiaryAnswer,
  error: [wire("invalid_request"), wire("unprocessable")]
})
  .annotate(Policy, scopes("payments:write"))
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Load a beneficiary",
      description: "The same account again answers the same beneficiary, with its new name."
    })
  )

const list = HttpApiEndpoint.get("listBeneficiaries", "/v1/transfers/to", {
  query: {
    owner: optional(Id, {
      description: "Whose beneficiaries an administrator wants; by default one's own."
    }),
    ...pageQuery
  },
  success: HttpApiSchema.WithHeaders(Schema.Array(BeneficiaryAnswer), { "x-total-count": Schema.FiniteFromString }),
  error: wire("access_denied")
})
  .annotate(Policy, scopes("payments:read"))
  .annotateMerge(OpenApi.annotations({ summary: "The caller's beneficiaries, oldest first" }))

const remove = HttpApiEndpoint.delete("deleteBeneficiary", "/v1/transfers/to/:id", {
  params: { id: Id },
  success: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }),
  error: wire("not_found")
})
  .annotate(Policy, scopes("payments:write"))
  .annotateMerge(OpenApi.annotations({ summary: "Delete a beneficiary", description: "Its account number is erased." }))

/** Accounts outside that money may go to. Specification 2.13, 4.2. */
export class BeneficiariesApi extends HttpApiGroup.make("beneficiaries")
  .add(create, list, remove)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Beneficiaries", description: "Accounts outside that an owner sends money to." })
  ) {}
