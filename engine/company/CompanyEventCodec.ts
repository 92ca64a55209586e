import { Schema } from "effect"
import type { CompanyEvent } from "./CompanyEvent.ts"

const text = Schema.NullOr(Schema.String)

const Profile = Schema.Struct({
  name: Schema.String,
  taxId: text,
  email: text,
  phone: text,
  country: text,
  address: Schema.NullOr(
    Schema.Struct({
      street: Schema.optionalKey(Schema.String),
      city: Schema.optionalKey(Schema.String),
      state: Schema.optionalKey(Schema.String),
      postal_code: Schema.optionalKey(Schema.String),
      country: Schema.optionalKey(Schema.String)
    })
  )
})

const Plan = Schema.Literals(["standard", "pro", "enterprise"])

const common = {
  at: Schema.Int,
  by: Schema.Struct({ userId: Schema.String, requestId: text, administers: Schema.Boolean }),
  companyId: Schema.String
}

const Snapshot = Schema.Struct({
  profile: Profile,
  plan: Plan,
  managedBy: text,
  createdAt: Schema.Int,
  verifiedAt: Schema.NullOr(Schema.Int)
})

const change = { ...common, company: Schema.optionalKey(Snapshot) }

const CompanyEventSchema: Schema.Codec<CompanyEvent, unknown> = Schema.Union([
  Schema.TaggedStruct("CompanyCreated", { ...common, managedBy: text, profile: Profile }),
  Schema.TaggedStruct("CompanyRegistered", { ...common, profile: Profile }),
  Schema.TaggedStruct("CompanyUpdated", { ...change, before: Profile, after: Profile }),
  Schema.TaggedStruct("CompanyPlanSet", { ...change, before: Plan, after: Plan }),
  Schema.TaggedStruct("CompanyEntitlementSet", {
    ...change,
    entitlement: Schema.Literals(["machine_trader"]),
    after: Schema.Boolean
  }),
  Schema.TaggedStruct("CompanyVerified", change)
])

const fromJson = Schema.decodeUnknownSync(Schema.fromJsonString(CompanyEventSchema))

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeCompanyEvent = (data: string): CompanyEvent => fromJson(data)
