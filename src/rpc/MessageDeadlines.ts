import { type Clock, Effect, Exit, Fiber } from "effect"
import { ApiError } from "../api/ApiError.ts"

/** How often it is looked whether a message is late, in milliseconds. */
export const LOOK_MILLIS = 500

const UNKNOWN_OUTCOME =
  "whether the message took effect is unknown: send it again with the same idempotency_id after retry_after, or look first."

/** What is said of a message that got no answer in time. What it does goes on, to an end that nobody is told. */
export const lateRefusal = (isRead: boolean): ApiError<"unavailable"> =>
  new ApiError(
    "unavailable",
    isRead
      ? "No answer came in time: send it again after retry_after."
      : `No answer came in time, and ${UNKNOWN_OUTCOME}`
  )

/** What is said of a message that was begun and lost the database, or the server, before its end. */
export const cutSentence = `The message was cut short, and ${UNKNOWN_OUTCOME}`

interface Waiting {
  /** Nanoseconds of the monotonic clock. */
  readonly since: bigint
  readonly giveUp: () => void
}

/**
 * The messages under way, each of which is answered within a limit, whatever it waits for. One look finds all that are
 * late, so that a message costs no timer of its own.
 */
export class MessageDeadlines {
  readonly #limit: bigint
  readonly #clock: Clock.Clock
  /** In the order of their arrival. */
  readonly #waiting = new Set<Waiting>()

  /** `limit` is in milliseconds. */
  constructor(limit: number, clock: Clock.Clock) {
    this.#limit = BigInt(limit) * 1_000_000n
    this.#clock = clock
  }

  /** The answer, or the failure where there is none in time: then what was begun goes on without its caller. */
  within<A, E, F>(run: Effect.Effect<A, E>, late: () => F): Effect.Effect<A, E | F> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.forkDetach(run, { startImmediately: true }), (running) => {
        const ended = running.pollUnsafe()
        if (ended !== undefined) return ended
        return Effect.onInterrupt(restore(this.#joined(running, late)), () => Fiber.interrupt(running))
      })
    )
  }

  /** Gives up what has waited for too long. */
  look(): void {
    const since = this.#clock.monotonicTimeNanosUnsafe() - this.#limit
    for (const waiting of this.#waiting) {
      if (waiting.since > since) return
      waiting.giveUp()
    }
  }

  #joined<A, E, F>(running: Fiber.Fiber<A, E>, late: () => F): Effect.Effect<A, E | F> {
    return Effect.callback((resume) => {
      const leave = (): void => {
        this.#waiting.delete(waiting)
        stop()
      }
      const stop = running.addObserver((exit) => {
        this.#waiting.delete(waiting)
        resume(exit)
      })
      const waiting: Waiting = {
        since: this.#clock.monotonicTimeNanosUnsafe(),
        giveUp: () => {
          leave()
          resume(Exit.fail(late()))
        }
      }
      this.#waiting.add(waiting)
      return Effect.sync(leave)
    })
  }
}
