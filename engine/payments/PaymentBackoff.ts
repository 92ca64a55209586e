/** The pauses between requests to a provider that does not answer. */

/** The first wait after a request without an answer, and the longest, in milliseconds. */
export const FIRST_WAIT = 1_000
export const LONGEST_WAIT = 3_600_000

/** The longest wait after a refund that was declined, and how often it was before all waits are as long. */
export const LONGEST_AFTER_DECLINE = 24 * 3_600_000
export const SELDOM_AFTER = 18

/** How soon and how seldom a card's bank is asked for disputes, and for how long after the capture. */
export const FIRST_LOOK = 60_000
export const SELDOM_LOOK = 24 * 3_600_000
export const DISPUTE_WINDOW = 120 * 24 * 3_600_000

const DOUBLINGS = 12

/** How long to wait after so many requests in a row without an answer: 1 s, doubled each time, an hour at most. */
export const waitAfter = (attempts: number): number =>
  Math.min(FIRST_WAIT * 2 ** Math.min(Math.max(attempts - 1, 0), DOUBLINGS), LONGEST_WAIT)

/** How long to wait after a refund that was declined so often: 1 s, doubled each time, a day at most. */
export const waitAfterDecline = (declines: number): number =>
  Math.min(FIRST_WAIT * 2 ** Math.min(Math.max(declines, 1) - 1, SELDOM_AFTER - 1), LONGEST_AFTER_DECLINE)

/**
 * When to look for disputes next: a minute after the capture, then each time its age is doubled, once a day at last.
 * Undefined: it is too late for one.
 */
export const nextLook = (capturedAt: number, now: number): number | undefined => {
  const age = Math.max(now - capturedAt, 0)
  if (age > DISPUTE_WINDOW) return undefined
  return now + Math.min(Math.max(age, FIRST_LOOK), SELDOM_LOOK)
}
