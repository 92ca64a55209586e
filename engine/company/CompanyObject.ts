import { Schema } from "effect"
import type { CompanySnapshot } from "./CompanyEvent.ts"
import { Time, timeText, timeTextOrNull } from "../wire/WireValue.ts"

const Text = Schema.NullOr(Schema.String)

const Address = Schema.Struct({
  street: Schema.optionalKey(Schema.String),
  city: Schema.optionalKey(Schema.String),
  state: Schema.optionalKey(Schema.String),
  postal_code: Schema.optionalKey(Schema.String),
  country: Schema.optionalKey(Schema.String)
})

/** A company in a webhook's body, as `GET /v1/companies/{id}` answers it but for its entitlements. */
export const CompanyObject = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("company"),
  company_id: Schema.String.annotate({ description: "The same as `id`." }),
  status: Schema.Literals(["pending", "verified"]),
  created_at: Time,
  name: Schema.String,
  plan: Schema.Literals(["standard", "pro", "enterprise"]),
  managed_by: Text.annotate({ description: "The company that made it and manages it." }),
  tax_id: Text,
  email: Text,
  phone: Text,
  country: Text.annotate({ description: "Where it is registered." }),
  address: Schema.NullOr(Address),
  verified_at: Schema.NullOr(Time)
}).annotate({ identifier: "Company", description: "A company, as GET /v1/companies/{id} answers it." })

export type CompanyObject = typeof CompanyObject.Type

/** A company as it is told of. */
export const companyObject = (companyId: string, company: CompanySnapshot): CompanyObject => {
  const { createdAt, managedBy, plan, profile, verifiedAt } = company
  return {
    id: companyId,
    object: "company",
    company_id: companyId,
    status: verifiedAt === null ? "pending" : "verified",
    created_at: timeText(createdAt),
    name: profile.name,
    plan,
    managed_by: managedBy,
    tax_id: profile.taxId,
    email: profile.email,
    phone: profile.phone,
    country: profile.country,
    address: profile.address,
    verified_at: timeTextOrNull(verifiedAt)
  }
}
