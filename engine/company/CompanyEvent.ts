import { Schema } from "effect"
import { eventDecoder } from "../actor/EventBytes.ts"

/** A postal address. Specification 2.3. */
export const CompanyAddress = Schema.Struct({
  street: Schema.optionalKey(Schema.String),
  city: Schema.optionalKey(Schema.String),
  state: Schema.optionalKey(Schema.String),
  postal_code: Schema.optionalKey(Schema.String),
  country: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "PostalAddress" })
export type CompanyAddress = typeof CompanyAddress.Type

/** What a company says of itself. Null: nothing. */
export const CompanyProfile = Schema.Struct({
  name: Schema.String,
  taxId: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  phone: Schema.NullOr(Schema.String),
  /** Where it is registered. */
  country: Schema.NullOr(Schema.String),
  address: Schema.NullOr(CompanyAddress)
})
export type CompanyProfile = typeof CompanyProfile.Type

export const CompanyPlan = Schema.Literals(["standard", "pro", "enterprise"])
export type CompanyPlan = typeof CompanyPlan.Type

/** A company as an event left it. */
export const CompanySnapshot = Schema.Struct({
  profile: CompanyProfile,
  plan: CompanyPlan,
  /** The company that manages it. */
  managedBy: Schema.NullOr(Schema.String),
  /** Milliseconds since 1970. */
  createdAt: Schema.Int,
  verifiedAt: Schema.NullOr(Schema.Int)
})
export type CompanySnapshot = typeof CompanySnapshot.Type

/** Who did it. */
export const CompanyActor = Schema.Struct({
  userId: Schema.String,
  requestId: Schema.NullOr(Schema.String),
  /** Whether it was done as an administrator, which is written to the audit log. */
  administers: Schema.Boolean
})
export type CompanyActor = typeof CompanyActor.Type

/** A company was made by another one, which manages it, or by an administrator for nobody. */
export const CompanyCreated = Schema.TaggedStruct("CompanyCreated", {
  at: Schema.Int,
  by: CompanyActor,
  companyId: Schema.String,
  /** The company that manages it. */
  managedBy: Schema.NullOr(Schema.String),
  profile: CompanyProfile
})
export type CompanyCreated = typeof CompanyCreated.Type

/** Somebody signed up and with that made a company, which nobody manages. */
export const CompanyRegistered = Schema.TaggedStruct("CompanyRegistered", {
  at: Schema.Int,
  by: CompanyActor,
  companyId: Schema.String,
  profile: CompanyProfile
})
export type CompanyRegistered = typeof CompanyRegistered.Type

const change = {
  at: Schema.Int,
  by: CompanyActor,
  companyId: Schema.String,
  /** As the event left it. Events of the first version have none. */
  company: Schema.optionalKey(CompanySnapshot)
}

/** A company's profile changed. */
export const CompanyUpdated = Schema.TaggedStruct("CompanyUpdated", {
  ...change,
  before: CompanyProfile,
  after: CompanyProfile
})
export type CompanyUpdated = typeof CompanyUpdated.Type

/** A company has another plan. */
export const CompanyPlanSet = Schema.TaggedStruct("CompanyPlanSet", {
  ...change,
  before: CompanyPlan,
  after: CompanyPlan
})
export type CompanyPlanSet = typeof CompanyPlanSet.Type

/** What an administrator can withdraw from a company though its plan has it. */
export const CompanyEntitlement = Schema.Literals(["machine_trader"])
export type CompanyEntitlement = typeof CompanyEntitlement.Type

/** An administrator withdrew an entitlement of a company, or gave it back. */
export const CompanyEntitlementSet = Schema.TaggedStruct("CompanyEntitlementSet", {
  ...change,
  entitlement: CompanyEntitlement,
  /** Whether the company has it, where its plan does. */
  after: Schema.Boolean
})
export type CompanyEntitlementSet = typeof CompanyEntitlementSet.Type

/** An administrator verified a company, or the first of its users. */
export const CompanyVerified = Schema.TaggedStruct("CompanyVerified", change)
export type CompanyVerified = typeof CompanyVerified.Type

/** What happens to companies. */
export const CompanyEvent = Schema.Union([
  CompanyCreated,
  CompanyRegistered,
  CompanyUpdated,
  CompanyPlanSet,
  CompanyEntitlementSet,
  CompanyVerified
])
export type CompanyEvent = typeof CompanyEvent.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeCompanyEvent = eventDecoder(CompanyEvent)

/** Where what happens to a company is recorded. */
export const companyStream = (companyId: string): string => `company/${companyId}`

/** Where the companies that one manages are recorded as they are made: one event each, so its version is their number. */
export const managedStream = (managedBy: string | null): string => `companies/${managedBy ?? "unmanaged"}`

/** The stream that an event belongs in. */
export const streamOf = (event: CompanyEvent): string =>
  event._tag === "CompanyCreated" ? managedStream(event.managedBy) : companyStream(event.companyId)
