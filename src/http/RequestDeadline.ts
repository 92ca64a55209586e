import { Context, Effect } from "effect"

/**
 * How long a request may go without an answer, in milliseconds. Each wait behind it has a shorter limit of its own; this
 * is the last resort.
 */
export const REQUEST_LIMIT = 7_000

export const RequestLimit = Context.Reference<number>("emporion/http/RequestLimit", {
  defaultValue: () => REQUEST_LIMIT
})

/** How to go on where nobody knows what became of a request. A key is for POST alone; the others may be repeated as they are. */
const unknownOutcome = (method: string): string =>
  `whether the request took effect is unknown: repeat it ${method === "POST" ? "with the same Idempotency-Key " : ""}after Retry-After, or look first.`

/** What is said of a request that got no answer in time. What it does goes on, to an end that nobody is told. */
export const lateSentence = (method: string): string =>
  method === "GET" || method === "HEAD"
    ? "No answer came in time: try again after Retry-After."
    : `No answer came in time, and ${unknownOutcome(method)}`

/** What is said of a request that was begun and lost the database, or the server, before its end. */
export const cutSentence = (method: string): string => `The request was cut short, and ${unknownOutcome(method)}`

/** The answer, or what is said where there is none within so many milliseconds. */
export const inTime = <A>(answer: Promise<A>, limit: number, late: () => A): Promise<A> => {
  const { promise, resolve } = Promise.withResolvers<A>()
  const waiting = Effect.runFork(
    Effect.delay(
      Effect.sync(() => resolve(late())),
      limit
    )
  )
  return Promise.race([answer, promise]).finally(() => waiting.interruptUnsafe())
}
