import type { CompanyPlan } from "../company/CompanyEvent.ts"

const DAY = 86_400_000

/** Webhook deliveries that begin within a UTC day, by plan. Specification 8; enterprise has no limit here. */
export const DAILY_DELIVERIES: Readonly<Record<CompanyPlan, number>> = {
  standard: 10_000,
  pro: 100_000,
  enterprise: Number.POSITIVE_INFINITY
}

/** The UTC day of a time, in days since 1970. */
export const dayOf = (at: number): number => Math.floor(at / DAY)

/** When the day after that of a time begins. */
export const nextDayAt = (at: number): number => (dayOf(at) + 1) * DAY

/**
 * How many deliveries a company may still begin on a day on which so many began. A delivery counts once, on the day that
 * it begins, however often it is attempted.
 */
export const roomOf = (plan: CompanyPlan, begun: number): number => Math.max(0, DAILY_DELIVERIES[plan] - begun)
