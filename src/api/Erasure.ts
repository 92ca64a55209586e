import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { wire } from "./ApiError.ts"
import { admin, Authorization, Policy } from "./Authorization.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const Erasure = Schema.Struct({
  id: Schema.String.annotate({ description: "The user's id, which stays." }),
  company_id: Schema.String,
  company_erased: Schema.Boolean.annotate({
    description: "Whether the user was the company's last person, so that its contacts were forgotten too."
  }),
  erased_at: UtcTimestamp
}).annotate({ identifier: "Erasure" })

const erase = HttpApiEndpoint.post("eraseUser", "/v1/users/:userId/erasure", {
  params: { userId: text(1, 64) },
  success: Erasure,
  error: [wire("not_found"), wire("conflict"), wire("unavailable")]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Forget a user",
    description:
      "For good: what identifies the person is removed, and their sign-ins end. Ids, the ledger and statements stay. Refused " +
      "for administrators, and while the user or an API client that it made has money, a bot, a product on sale, an order, a " +
      "subscription or a KYC record to be decided. Asked again, it answers the same."
  })
)

/** What identifies people, and how it is forgotten. An extension. */
export class ErasureApi extends HttpApiGroup.make("erasure")
  .add(erase)
  .annotate(Policy, admin)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Erasure",
      description: "For administrators. Each erasure is written to the audit log, without anything of the person."
    })
  ) {}
