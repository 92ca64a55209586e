import { Result } from "effect"
import type { UserStatus } from "./User.ts"
import { refusal } from "../../../engine/wire/Refusal.ts"

/** What an administrator does to a user's status. */
export type StatusAct = "verify" | "reject" | "suspend" | "reactivate"

/** The act does not follow from where the user stands. */
export class IllegalTransition extends refusal(
  "IllegalTransition",
  "conflict",
  ({ act, status }: { readonly act: StatusAct; readonly status: UserStatus }) =>
    `The user is ${status}: ${act} does not follow from that.`
) {}

interface Rule {
  readonly from: UserStatus
  readonly to: UserStatus
}

const RULES: Readonly<Record<StatusAct, Rule>> = {
  verify: { from: "pending_kyc", to: "active" },
  reject: { from: "pending_kyc", to: "rejected" },
  suspend: { from: "active", to: "suspended" },
  reactivate: { from: "suspended", to: "active" }
}

/**
 * The status after an act: pending_kyc becomes active or rejected, active and suspended become each other, rejected
 * stays. An act that asks for the present status changes nothing. Specification 3.
 */
export const after = (status: UserStatus, act: StatusAct): Result.Result<UserStatus, IllegalTransition> => {
  const { from, to } = RULES[act]
  return status === from || status === to ? Result.succeed(to) : Result.fail(new IllegalTransition({ act, status }))
}
