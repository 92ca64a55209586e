import type { Redacted } from "effect"

/** What an administrator has found: nothing yet, that it holds, or that it does not. */
export type KycStatus = "pending" | "verified" | "rejected"

/** Who a person says they are. Specification 2.12. */
export interface KycFacts {
  readonly fullnames: string
  readonly address: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly email: string
  /** As it was given, in the international form or the country's own. */
  readonly phoneNumber: Redacted.Redacted
  /** The number of an identity document. */
  readonly identityId: Redacted.Redacted
}

/** Where a record stands. Times are milliseconds since 1970. */
export interface KycStanding {
  readonly id: string
  /** The person whose record it is. */
  readonly userId: string
  readonly status: KycStatus
  /** Why it was rejected. */
  readonly reason: string | undefined
  readonly submittedAt: number
  readonly reviewedAt: number | undefined
}

/** A KYC record, opened. */
export interface KycRecord extends KycFacts, KycStanding {}

/** Which records are listed. */
export interface KycFilter {
  readonly userId?: string | undefined
  readonly status?: KycStatus | undefined
}
