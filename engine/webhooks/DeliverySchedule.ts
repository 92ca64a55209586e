/** The pauses between the attempts of a delivery, and how long an answer may take. */

/** How long after the attempt before each attempt is made, in milliseconds. Specification 6.3. */
export const ATTEMPT_DELAYS: ReadonlyArray<number> = [0, 5_000, 25_000, 120_000, 600_000]

/** Specification 6.3, 8. */
export const MAX_ATTEMPTS = ATTEMPT_DELAYS.length

/** How long a receiver may take to answer, in milliseconds. Specification 6.3, 8. */
export const ANSWER_TIMEOUT = 5_000

/** When the attempt after so many is due, if there is one more. `endedAt` is the end of the last one. */
export const nextAttemptAt = (attempts: number, endedAt: number): number | undefined => {
  const delay = ATTEMPT_DELAYS[attempts]
  return delay === undefined ? undefined : endedAt + delay
}
