import { Context, Effect } from "effect"

/**
 * How long a request may go without an answer, in milliseconds. Each wait behind it has a shorter limit of its own; this
 * is the last resort.
 */
export const REQUEST_LIMIT = 7_000

export const RequestLimit = Context.Reference<number>("emporion/http/RequestLimit", {
  defaultValue: () => REQUEST_LIMIT
})

/**
 * How to go on if nobody knows the outcome of a request. Only POST takes a key; the other methods may be repeated as
 * they are.
 */
const unknownOutcome = (method: string): string =>
  `whether the request took effect is unknown: repeat it ${method === "POST" ? "with the same Idempotency-Key " : ""}after Retry-After, or look first.`

/** The sentence for a request that got no answer in time. Its work goes on to its end, and nobody hears of it. */
export const lateSentence = (method: string): string =>
  method === "GET" || method === "HEAD"
    ? "No answer came in time: try again after Retry-After."
    : `No answer came in time, and ${unknownOutcome(method)}`

/** The sentence for a request that began and lost the database, or the server, before its end. */
export const cutSentence = (method: string): string => `The request was cut short, and ${unknownOutcome(method)}`

/** How often to look for late answers, as a part of the time that they may take. */
const LOOKS = 20

/** Somebody who waits for an answer. */
interface Waiting {
  /** The looks since it began. */
  looks: number
  readonly late: () => void
}

/** Asks for an answer, and gives it, or the sentence for none in time. */
export type InTime = <A>(
  ask: (answer: (value: A) => void, fail: (error: unknown) => void) => void,
  late: () => A
) => Promise<A>

/**
 * A deadline of so many milliseconds, and up to a twentieth more. One timer serves all answers, so an answer in time
 * costs no timer of its own.
 */
export const deadlineOf = (limit: number): InTime => {
  const all = new Set<Waiting>()
  let isWatched = false
  const look = Effect.sync(() => {
    for (const one of all) {
      one.looks += 1
      if (one.looks <= LOOKS) continue
      all.delete(one)
      one.late()
    }
    isWatched = all.size > 0
  })
  const watch = Effect.repeat(Effect.delay(look, limit / LOOKS), { while: () => isWatched })
  return (ask, late) =>
    new Promise((resolve, reject) => {
      const one: Waiting = { looks: 0, late: () => resolve(late()) }
      all.add(one)
      if (!isWatched) {
        isWatched = true
        Effect.runFork(watch)
      }
      ask(
        (value) => {
          all.delete(one)
          resolve(value)
        },
        (error) => {
          all.delete(one)
          reject(error)
        }
      )
    })
}
