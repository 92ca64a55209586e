import { DateTime } from "effect"

/** How long a period is. */
export const INTERVALS = ["week", "month", "year"] as const
export type Interval = (typeof INTERVALS)[number]

const MILLIS_A_WEEK = 7 * 86_400_000
const MONTHS_A_YEAR = 12

/**
 * When a period begins and is due, in milliseconds since 1970; periods count from 1. Every one is counted from the
 * first, so that the 31st stays the 31st: in a month without such a day it is the last day, and only then. UTC.
 */
export const dueDate = (startAt: number, every: Interval, period: number): number => {
  const passed = period - 1
  if (every === "week") return startAt + passed * MILLIS_A_WEEK
  const months = every === "month" ? passed : passed * MONTHS_A_YEAR
  return DateTime.toEpochMillis(DateTime.add(DateTime.makeUnsafe(startAt), { months }))
}
