import type { Answer } from "../Contract.ts"

/** A company's plan. */
export type PlanName = Answer<"GET /v1/companies/:id">["plan"]

/** What a plan holds. Specification 8. */
export interface PlanLimits {
  readonly name: PlanName
  /** Requests a minute. */
  readonly requests: number
  /** Webhook deliveries a day in UTC; undefined: no limit. */
  readonly deliveries: number | undefined
  /** Machine traders of its own. */
  readonly bots: number
  /** Free credits a month. */
  readonly credits: number
}

/** The plans, the smallest first. */
export const LIMITS: ReadonlyArray<PlanLimits> = [
  { name: "standard", requests: 100, deliveries: 10_000, bots: 0, credits: 0 },
  { name: "pro", requests: 500, deliveries: 100_000, bots: 5, credits: 5_000 },
  { name: "enterprise", requests: 2_000, deliveries: undefined, bots: 50, credits: 50_000 }
]
