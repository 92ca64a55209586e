import type { DeliveryStatus } from "../../../../engine/webhooks/Delivery.ts"
import { MAX_ATTEMPTS } from "../../../../engine/webhooks/DeliverySchedule.ts"

/** Where a delivery stands. Times are milliseconds since 1970. */
export interface DeliveryFacts {
  readonly status: DeliveryStatus
  /** Attempts of the present round. */
  readonly attempts: number
  /** When the next attempt is due; null where none is. */
  readonly dueAt: number | null
}

const times = (count: number): string => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`)

/** How long until then, as a person says it. */
export const until = (millis: number): string => {
  const seconds = Math.ceil(millis / 1_000)
  if (seconds <= 0) return "now"
  if (seconds < 90) return `in ${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `in ${minutes} min` : `in ${Math.ceil(minutes / 60)} h`
}

/** What became of a delivery and what happens next, in one sentence. */
export const deliveryStory = ({ attempts, dueAt, status }: DeliveryFacts, now: number): string => {
  switch (status) {
    case "delivered":
      return attempts <= 1 ? "Delivered at the first attempt." : `Delivered at attempt ${attempts}.`
    case "held":
      return "Held: the day's deliveries of your plan are used up. It goes on when the day turns (UTC) or the plan grows."
    case "failed":
      return `Failed ${times(attempts)}. It is not tried again unless you retry it.`
    case "pending": {
      const next = `Attempt ${attempts + 1} of ${MAX_ATTEMPTS} ${dueAt === null ? "is next" : until(dueAt - now)}.`
      return attempts === 0 ? next : `Failed ${times(attempts)}. ${next}`
    }
  }
}

/** Attempts by round, the newest round first, each round's in their sequence. */
export const rounds = <A extends { readonly round: number }>(
  attempts: ReadonlyArray<A>
): ReadonlyArray<{ readonly round: number; readonly attempts: ReadonlyArray<A> }> => {
  const byRound = new Map<number, Array<A>>()
  for (const attempt of attempts) {
    const known = byRound.get(attempt.round)
    if (known === undefined) byRound.set(attempt.round, [attempt])
    else known.push(attempt)
  }
  return Array.from(byRound, ([round, made]) => ({ round, attempts: made })).toSorted((a, b) => b.round - a.round)
}
