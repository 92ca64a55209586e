import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { wire } from "./ApiError.ts"
import { admin, Authorization, Policy, scopes } from "./Authorization.ts"
import { AnswersSecret } from "./Conventions.ts"
import { Country } from "./Country.ts"
import { optional } from "./Optional.ts"
import { pageQuery } from "./Paging.ts"
import { EmailAddress, lines, text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const STATUSES = ["pending", "verified", "rejected"] as const

const ID = "1 to 64 letters, digits, - and _"

const RecordId = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{1,64}$/, { expected: ID }))

/** Specification 2.12. What identifies a person never appears in a log or a message. */
const KycSubmission = Schema.Struct({
  fullnames: text(1, 200),
  address: lines(1, 500),
  phoneNumber: Schema.RedactedFromValue(text(1, 40), { label: "phoneNumber" }).annotate({
    description: "With its country code, such as +32 470 12 34 56, or as it is dialled in the country."
  }),
  country: Country,
  email: EmailAddress,
  identityId: Schema.RedactedFromValue(text(3, 64), { label: "identityId" }).annotate({
    description: "The number of a passport, identity card or the like."
  }),
  id: optional(RecordId, { description: "The id of the new record; by default one is made." })
}).annotate({ identifier: "KycSubmission" })

/** Specification 2.12. */
const echoed = {
  id: Schema.String,
  fullnames: Schema.String,
  address: Schema.String,
  phoneNumber: Schema.String,
  country: Schema.String,
  email: Schema.String,
  identityId: Schema.String
}

const KycEcho = Schema.Struct(echoed).annotate({ identifier: "KycSubmitted" })

const KycRecord = Schema.Struct({
  ...echoed,
  user_id: Schema.String.annotate({ description: "Extension: whose it is." }),
  status: Schema.Literals(STATUSES).annotate({ description: "Extension: what an administrator found." }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Extension: why it was rejected." }),
  submitted_at: UtcTimestamp.annotate({ description: "Extension: when it was submitted." }),
  reviewed_at: Schema.NullOr(UtcTimestamp).annotate({ description: "Extension: when an administrator decided." })
}).annotate({ identifier: "KycRecord" })

const submit = HttpApiEndpoint.post("submitKyc", "/v1/kyc", {
  payload: KycSubmission,
  success: KycEcho,
  error: [wire("invalid_request"), wire("access_denied"), wire("conflict")]
})
  .annotate(Policy, scopes("kyc:write"))
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Submit one's KYC record",
      description:
        "It awaits an administrator's review. A person has one record that was not rejected: after a rejection another " +
        "one can be submitted. The same record again is answered as the first time, and changes nothing. An API client " +
        "submits for the person who made it."
    })
  )

const list = HttpApiEndpoint.get("listKyc", "/v1/kyc", {
  query: {
    user_id: optional(text(1, 64), {
      description: "Extension: for administrators, whose records; without it everybody's."
    }),
    status: optional(Schema.Literals(STATUSES), { description: "Extension." }),
    ...pageQuery
  },
  success: HttpApiSchema.WithHeaders(Schema.Array(KycRecord), { "x-total-count": Schema.FiniteFromString }),
  error: wire("access_denied")
})
  .annotate(Policy, scopes("kyc:read"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "List KYC records, oldest first",
      description: "Administrators list everybody's, others their own."
    })
  )

const params = { id: text(1, 64) }

const get = HttpApiEndpoint.get("getKyc", "/v1/kyc/:id", { params, success: KycRecord, error: wire("not_found") })
  .annotate(Policy, scopes("kyc:read"))
  .annotateMerge(
    OpenApi.annotations({ summary: "One KYC record", description: "For its subject and for administrators." })
  )

const reviewed = [wire("not_found"), wire("conflict"), wire("unavailable")] as const

const verify = HttpApiEndpoint.put("verifyKyc", "/v1/kyc/:id/verify", {
  params,
  success: KycRecord,
  error: reviewed
}).annotateMerge(
  OpenApi.annotations({
    summary: "Verify a KYC record",
    description:
      "pending becomes verified, and a user who is pending_kyc becomes active with it. A verified record stays so."
  })
)

const reject = HttpApiEndpoint.put("rejectKyc", "/v1/kyc/:id/reject", {
  params,
  payload: Schema.Struct({ reason: lines(1, 500) }).annotate({ identifier: "KycRejection" }),
  success: KycRecord,
  error: reviewed
}).annotateMerge(
  OpenApi.annotations({
    summary: "Reject a KYC record",
    description: "pending becomes rejected, for a reason that its subject reads. The user may submit another one."
  })
)

/** KYC records. Specification 2.12, 4.2. */
export class KycApi extends HttpApiGroup.make("kyc")
  .add(submit, list, get)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "KYC", description: "Who users say they are." })) {}

/** What administrators do with KYC records. An extension. */
export class KycReviewApi extends HttpApiGroup.make("kycReview")
  .add(verify, reject)
  .annotate(Policy, admin)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "KYC review",
      description: "For administrators. Every decision is written to the audit log."
    })
  ) {}
