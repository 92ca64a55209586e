import { Context, Effect } from "effect"

/**
 * How long a request may go without an answer, in milliseconds. Each wait behind it has a shorter limit of its own; this
 * is the last resort.
 */
export const REQUEST_LIMIT = 8_000

export const RequestLimit = Context.Reference<number>("emporion/http/RequestLimit", {
  defaultValue: () => REQUEST_LIMIT
})

/** What is said of a request that got no answer in time. What it does goes on, to an end that nobody is told. */
export const lateSentence = (method: string): string =>
  method === "GET" || method === "HEAD"
    ? "No answer came in time: try again after Retry-After."
    : "No answer came in time, and whether the request took effect is unknown: repeat it with the same Idempotency-Key after Retry-After, or look first."

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
