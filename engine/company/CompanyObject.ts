import { Schema } from "effect"
import { CompanyAddress, CompanyPlan, type CompanySnapshot } from "./CompanyEvent.ts"
import { Time, timeText, timeTextOrNull } from "../wire/WireValue.ts"

const Text = Schema.NullOr(Schema.String)

const fields = {
  id: Schema.String,
  name: Schema.String,
  plan: CompanyPlan,
  status: Schema.Literals(["pending", "verified"]),
  managed_by: Text.annotate({ description: "The company that made it and manages it." }),
  tax_id: Text,
  email: Text,
  phone: Text,
  country: Text.annotate({ description: "Where it is registered." }),
  address: Schema.NullOr(CompanyAddress),
  created_at: Time,
  verified_at: Schema.NullOr(Time)
}

/** A company as `GET /v1/companies/{id}` answers it. The specification leaves its shape open. */
export const CompanyAnswer = Schema.Struct({
  ...fields,
  machine_trader: Schema.Boolean.annotate({
    description: "Whether it may have the bots that its plan gives: false where an administrator withdrew them."
  })
}).annotate({ identifier: "Company" })

/** A company in a webhook's body, as `GET /v1/companies/{id}` answers it but for its entitlements. */
export const CompanyObject = Schema.Struct({
  object: Schema.Literal("company"),
  company_id: Schema.String.annotate({ description: "The same as `id`." }),
  ...fields
}).annotate({ identifier: "Company", description: "A company, as GET /v1/companies/{id} answers it." })

export type CompanyObject = typeof CompanyObject.Type

/** A company as its webhook objects show it, and with its entitlements HTTP. */
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
