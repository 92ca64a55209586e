import type { OrderTimes } from "./ArenaOrder.ts"

/** What an order waits for. */
export interface Phase {
  readonly name: "committing" | "choosing" | "settling" | "settled"
  /** What happens at `until`, for a label beside the clock. */
  readonly label: string
  /** Milliseconds since 1970; undefined where nothing is waited for. */
  readonly until: number | undefined
  /** The part of the phase that is over, from 0 to 1. */
  readonly passed: number
}

const SECOND = 1_000

/** The last seconds, in which the clock is shown as urgent. */
const URGENT = 15 * SECOND

const part = (now: number, from: number, to: number): number => Math.min(1, Math.max(0, (now - from) / (to - from)))

/** Where an order stands by the clock. Its status may follow a moment later. */
export const phaseOf = (status: string, { expiryAt, openedAt, settlementAt }: OrderTimes, now: number): Phase => {
  if (status === "settled") return { name: "settled", label: "Settled", until: undefined, passed: 1 }
  if (now < expiryAt && status !== "settling") {
    return { name: "committing", label: "Commitments close in", until: expiryAt, passed: part(now, openedAt, expiryAt) }
  }
  return status === "settling"
    ? { name: "settling", label: "Settles in", until: settlementAt, passed: part(now, expiryAt, settlementAt) }
    : { name: "choosing", label: "Choosing the winner", until: undefined, passed: 1 }
}

/** Whether the rest is so short that it should be seen. */
export const isUrgent = ({ name, until }: Phase, now: number): boolean =>
  name === "committing" && until !== undefined && until - now <= URGENT

/** A rest of time for who cannot see the clock: `2 minutes`, `40 seconds`. Coarse, so that it is not said every second. */
export const spokenRest = (rest: number): string => {
  const seconds = Math.max(0, Math.ceil(rest / SECOND))
  if (seconds < 60) return `${Math.ceil(seconds / 10) * 10} seconds`
  const minutes = Math.round(seconds / 60)
  return minutes === 1 ? "1 minute" : `${minutes} minutes`
}
