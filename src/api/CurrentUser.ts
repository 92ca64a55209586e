import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { wire } from "./ApiError.ts"
import { Phone, PostalAddress, PostalAddressChange } from "./Auth.ts"
import { Authorization, Policy, scopes } from "./Authorization.ts"
import { optional } from "./Optional.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const nullable = Schema.NullOr(Schema.String)

/** The current user. Specification 4.1; its fields are an extension of 2.3. */
const UserRecord = Schema.Struct({
  id: Schema.String,
  email: nullable,
  email_verified: Schema.Boolean,
  company_name: Schema.String,
  company_id: Schema.String,
  tax_id: nullable,
  role: Schema.Literals(["admin", "buyer", "seller", "service"]),
  status: Schema.Literals(["pending_kyc", "active", "suspended", "rejected"]),
  phone: nullable,
  address: Schema.NullOr(PostalAddress),
  contact_name: nullable,
  wallet_address: nullable,
  ecommerce_company_id: nullable,
  created_at: UtcTimestamp
}).annotate({ identifier: "User" })

const WalletAddress = Schema.String.check(
  Schema.isPattern(/^0x[0-9a-fA-F]{40}$/u, { expected: "0x and 40 hexadecimal digits" })
)

/** Specification 4.1; `wallet_address` is an extension. What is missing stays as it is, parts of the address included. */
const UserUpdate = Schema.Struct({
  phone: optional(Phone),
  address: optional(PostalAddressChange),
  wallet_address: optional(WalletAddress)
}).annotate({ identifier: "UserUpdate" })

const read = HttpApiEndpoint.get("read", "/api/v1/users/me", { success: UserRecord, error: wire("unavailable") })
  .annotate(Policy, scopes("users:read"))
  .annotateMerge(OpenApi.annotations({ summary: "The current user" }))

const update = HttpApiEndpoint.put("update", "/api/v1/users/me", {
  payload: UserUpdate,
  success: UserRecord,
  error: [wire("invalid_request"), wire("conflict"), wire("unavailable")]
})
  .annotate(Policy, scopes("users:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change the current user",
      description:
        'What is left out stays as it is, parts of the address included; null or "" removes a part of the address. ' +
        "wallet_address links the trader's wallet: a mixed-case address must carry its EIP-55 checksum."
    })
  )

/** The current user's record. Specification 4.1. */
export class CurrentUserApi extends HttpApiGroup.make("currentUser")
  .add(read, update)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Current user", description: "The caller's own record." })) {}
