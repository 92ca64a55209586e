import { Context, type Effect } from "effect"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { Who } from "./audit/AuditLog.ts"

/** What an administrator decides on a record that awaits review. */
export type Verdict = "verified" | "rejected"

/**
 * Whether somebody's KYC record is there, as the context that keeps them says. An API client's principal has that of the
 * person behind it; the platform's own parties, which no person stands behind, count as verified.
 */
export class KycRecords extends Context.Service<
  KycRecords,
  {
    /** Whether a user has a KYC record that was not rejected. */
    readonly exists: (userId: string) => Effect.Effect<boolean, Unavailable>
    /** Whether an administrator has verified the user's KYC record. */
    readonly isVerified: (userId: string) => Effect.Effect<boolean, Unavailable>
    /** Holds the user's records until the transaction ends. To be run before the user is locked. */
    readonly lock: (userId: string) => Effect.Effect<void, Unavailable>
    /** Decides the user's record that awaits review, if there is one, because the user was decided on. */
    readonly decide: (by: Who, userId: string, verdict: Verdict) => Effect.Effect<void, Unavailable>
  }
>()("emporion/identity/KycRecords") {}
