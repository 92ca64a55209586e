import { Context, Effect, Layer } from "effect"
import type { Unavailable } from "../database/DatabaseError.ts"
import { Owners } from "./users/Owners.ts"
import type { UserStatus } from "./users/User.ts"
import { refusal } from "../../engine/wire/Refusal.ts"

const WHAT_TO_DO: Readonly<Record<Exclude<UserStatus, "active">, string>> = {
  pending_kyc:
    "Sending money needs a verified account: submit your KYC record with POST /v1/kyc, and wait until an administrator has verified it.",
  suspended: "Sending money needs a verified account, and this one is suspended: ask the operator.",
  rejected: "Sending money needs a verified account, and this one was rejected: ask the operator."
}

/** The user may not send money. The message says what to do; it is answered as 403 `access_denied`. */
export class MoneyGateClosed extends refusal(
  "MoneyGateClosed",
  "access_denied",
  ({ status }: { readonly userId: string; readonly status: Exclude<UserStatus, "active"> }) => WHAT_TO_DO[status]
) {}

/**
 * The one place that says whether a user may send money: withdrawals, transfers to others and payments to sellers all
 * ask it first. An API client's principal stands as the person behind it.
 */
export class MoneyGate extends Context.Service<
  MoneyGate,
  {
    /** Fails unless the user is active. */
    readonly open: (userId: string) => Effect.Effect<void, MoneyGateClosed | Unavailable>
    /**
     * Whether the user is known to be active at a time in milliseconds since 1970, without waiting: where it is not, `open`
     * says.
     */
    readonly isOpen: (userId: string, now: number) => boolean
  }
>()("emporion/identity/MoneyGate") {
  static readonly layer: Layer.Layer<MoneyGate, never, Owners> = Layer.effect(
    this,
    Effect.map(Owners, ({ known, ownerOf }) =>
      MoneyGate.of({
        isOpen: (userId, now) => known(userId, now)?.status === "active",
        open: (userId) =>
          Effect.flatMap(Effect.catchTag(ownerOf(userId), "UserNotFound", Effect.die), ({ status }) =>
            status === "active" ? Effect.void : Effect.fail(new MoneyGateClosed({ userId, status }))
          )
      })
    )
  )
}
