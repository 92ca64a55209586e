import type { CompanyPlan } from "../../engine/company/CompanyEvent.ts"
import { Effect } from "effect"
import { Owners } from "../identity/users/Owners.ts"
import type { Owner } from "../identity/users/User.ts"
import { type Barred, BotLimitReached, EntitlementRequired, PlanRequired } from "./BotError.ts"

/** `machine_trader_max_bots` of each plan. Specification 8 names the limit and not its value. */
export const MAX_BOTS: Readonly<Record<CompanyPlan, number>> = { standard: 0, pro: 5, enterprise: 50 }

/** How many bots a company may have: none where its plan has none, or an administrator withdrew them. */
export const allotmentOf = ({ botsWithdrawn, plan }: Pick<Owner, "plan" | "botsWithdrawn">): number =>
  botsWithdrawn ? 0 : MAX_BOTS[plan]

/** Why a company that has so many may have no more of them, if so. */
export const barredAt = (
  { botsWithdrawn, plan }: Pick<Owner, "plan" | "botsWithdrawn">,
  count: number,
  counted: "bots" | "active bots"
): Barred | undefined => {
  if (MAX_BOTS[plan] === 0) return new PlanRequired({ plan })
  if (botsWithdrawn) return new EntitlementRequired()
  return count >= MAX_BOTS[plan] ? new BotLimitReached({ limit: MAX_BOTS[plan], counted }) : undefined
}

/** Who stands behind a user that is there. */
export const ownerOf = Effect.fnUntraced(function* (userId: string) {
  const owners = yield* Owners
  return yield* Effect.catchTag(owners.ownerOf(userId), "UserNotFound", Effect.die)
})
