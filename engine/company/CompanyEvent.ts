/** A postal address. Specification 2.3. */
export interface CompanyAddress {
  readonly street?: string
  readonly city?: string
  readonly state?: string
  readonly postal_code?: string
  readonly country?: string
}

/** What a company says of itself. Null: nothing. */
export interface CompanyProfile {
  readonly name: string
  readonly taxId: string | null
  readonly email: string | null
  readonly phone: string | null
  /** Where it is registered. */
  readonly country: string | null
  readonly address: CompanyAddress | null
}

export type CompanyPlan = "standard" | "pro" | "enterprise"

/** A company as an event left it. */
export interface CompanySnapshot {
  readonly profile: CompanyProfile
  readonly plan: CompanyPlan
  /** The company that manages it. */
  readonly managedBy: string | null
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly verifiedAt: number | null
}

/** Who did it. */
export interface CompanyActor {
  readonly userId: string
  readonly requestId: string | null
  /** Whether it was done as an administrator, which is written to the audit log. */
  readonly administers: boolean
}

/** A company was made by another one, which manages it, or by an administrator for nobody. */
export interface CompanyCreated {
  readonly _tag: "CompanyCreated"
  readonly at: number
  readonly by: CompanyActor
  readonly companyId: string
  /** The company that manages it. */
  readonly managedBy: string | null
  readonly profile: CompanyProfile
}

/** Somebody signed up and with that made a company, which nobody manages. */
export interface CompanyRegistered {
  readonly _tag: "CompanyRegistered"
  readonly at: number
  readonly by: CompanyActor
  readonly companyId: string
  readonly profile: CompanyProfile
}

interface Change {
  readonly at: number
  readonly by: CompanyActor
  readonly companyId: string
  /** As the event left it. Events of the first version have none. */
  readonly company?: CompanySnapshot
}

/** A company's profile changed. */
export interface CompanyUpdated extends Change {
  readonly _tag: "CompanyUpdated"
  readonly before: CompanyProfile
  readonly after: CompanyProfile
}

/** A company has another plan. */
export interface CompanyPlanSet extends Change {
  readonly _tag: "CompanyPlanSet"
  readonly before: CompanyPlan
  readonly after: CompanyPlan
}

/** What an administrator can withdraw from a company though its plan has it. */
export type CompanyEntitlement = "machine_trader"

/** An administrator withdrew an entitlement of a company, or gave it back. */
export interface CompanyEntitlementSet extends Change {
  readonly _tag: "CompanyEntitlementSet"
  readonly entitlement: CompanyEntitlement
  /** Whether the company has it, where its plan does. */
  readonly after: boolean
}

/** An administrator verified a company, or the first of its users. */
export interface CompanyVerified extends Change {
  readonly _tag: "CompanyVerified"
}

/** What happens to companies. */
export type CompanyEvent =
  | CompanyCreated
  | CompanyRegistered
  | CompanyUpdated
  | CompanyPlanSet
  | CompanyEntitlementSet
  | CompanyVerified

/** Where what happens to a company is recorded. */
export const companyStream = (companyId: string): string => `company/${companyId}`

/** Where the companies that one manages are recorded as they are made: one event each, so its version is their number. */
export const managedStream = (managedBy: string | null): string => `companies/${managedBy ?? "unmanaged"}`

/** The stream that an event belongs in. */
export const streamOf = (event: CompanyEvent): string =>
  event._tag === "CompanyCreated" ? managedStream(event.managedBy) : companyStream(event.companyId)
