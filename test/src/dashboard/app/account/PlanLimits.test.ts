import { describe, expect, it } from "bun:test"
import { MONTHLY_CREDITS } from "../../../../../engine/bots/EvaluationCredits.ts"
import { toNumber } from "../../../../../engine/money/Amount.ts"
import { DAILY_DELIVERIES } from "../../../../../engine/webhooks/DeliveryQuota.ts"
import { MAX_BOTS } from "../../../../../src/bots/BotAllotment.ts"
import { LIMITS } from "../../../../../src/dashboard/app/account/PlanLimits.ts"
import { PLAN_LIMITS } from "../../../../../src/http/RateLimiter.ts"

describe("PlanLimits", () => {
  it("are those that the server enforces", () => {
    for (const { bots, credits, deliveries, name, requests } of LIMITS) {
      expect([name, requests, bots]).toEqual([name, PLAN_LIMITS[name], MAX_BOTS[name]])
      expect([name, credits]).toEqual([name, toNumber(MONTHLY_CREDITS[name])])
      expect([name, deliveries ?? Number.POSITIVE_INFINITY]).toEqual([name, DAILY_DELIVERIES[name]])
    }
  })
})
