import { Cause, Clock, Context, Duration, Effect, Exit, Layer, Metric, Semaphore } from "effect"
import { Settings } from "../Config.ts"
import { type CommitTimes, RecentCommits } from "../database/CommitTimes.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { AnsweredRequests, type NoteAnswer } from "../http/AnsweredRequests.ts"
import * as Worker from "../Worker.ts"
import { commitDurations } from "./CommitDurations.ts"
import { firstIdAt } from "./LoggedRequest.ts"
import { isLogged, type LoggedKinds, noted, type NotedRequest, statusOf, toLogged } from "./NotedRequest.ts"
import { RequestBuffer } from "./RequestBuffer.ts"
import { RequestLogRepository } from "./RequestLogRepository.ts"

/** How late a request is in the log at most, and how many a crash can lose. */
export const FLUSH_INTERVAL = Duration.seconds(1)

/** How long the end of the server waits for the last ones. */
const LAST_FLUSH = Duration.seconds(2)

/** Rows of one statement. */
const ROWS = 250

const TOO_MANY = 429

const dropped = Metric.counter("emporion_request_log_dropped", {
  description: "Requests that are not in the log, because too many came at once or they could not be written.",
  incremental: true
})

/** Gives each request an id that grows with the time of its answer, and is larger than those that are there. */
const idsOf = (clock: Clock.Clock, before: number): (() => number) => {
  let last = before
  return () => (last = Math.max(last + 1, firstIdAt(clock.currentTimeMillisUnsafe())))
}

/** Notes the requests of these kinds in a buffer. */
export const noting = (
  kinds: LoggedKinds | "off",
  buffer: RequestBuffer<NotedRequest>,
  nextId: () => number
): NoteAnswer =>
  kinds === "off"
    ? () => {}
    : (exchange, response, nanos) => {
        const status = statusOf(exchange, response)
        if (!isLogged(kinds, exchange.request.method, status)) return
        if (status === TOO_MANY && !buffer.isFirstLimited(exchange.facts.caller, exchange.now)) return
        if (buffer.takeRoom(exchange.facts.caller)) buffer.add(noted(nextId(), exchange, response, nanos))
      }

/** Whether the tables do not have yet what a request wrote, so that it waits for the next time, once. */
const isAhead = ({ commits, isHeld }: NotedRequest, times: CommitTimes): boolean => {
  const last = commits.at(-1)
  const group = last && times.of(last.seq)
  return !isHeld && group !== undefined && group.projectedAt === undefined
}

/**
 * Notes answered requests in memory and writes them to the log. What cannot be written now is kept for the next time, as
 * far as there is room.
 */
export class RequestRecorder extends Context.Service<
  RequestRecorder,
  {
    readonly note: NoteAnswer
    /** Writes what was noted until now. */
    readonly flush: Effect.Effect<void>
  }
>()("emporion/requests/RequestRecorder") {
  /** Writes what is left when the server has stopped. */
  static readonly layer: Layer.Layer<RequestRecorder, Unavailable, RequestLogRepository | Settings> = Layer.effect(
    this,
    Effect.gen(function* () {
      const { observability } = yield* Settings
      const clock = yield* Clock.Clock
      const repository = yield* RequestLogRepository
      const times = yield* RecentCommits
      const buffer = new RequestBuffer<NotedRequest>()
      const alone = yield* Semaphore.make(1)
      const last = yield* repository.lastId

      /** Writes rows. What the database refuses for good is dropped, and costs no other row. */
      const add = (part: ReadonlyArray<NotedRequest>): Effect.Effect<void, Unavailable> =>
        Effect.catchDefect(
          Effect.suspend(() => repository.add(part.map((one) => toLogged(one, times)))),
          (defect) => {
            if (part.length === 1) return Effect.andThen(Effect.logError("A request cannot be logged", defect), drop(1))
            const middle = Math.ceil(part.length / 2)
            return Effect.andThen(add(part.slice(0, middle)), add(part.slice(middle)))
          }
        )

      /** Writes what was taken, and takes back what was not written. */
      const write = (taken: ReadonlyArray<NotedRequest>) => {
        let written = 0
        return Effect.gen(function* () {
          while (written < taken.length) {
            const part = taken.slice(written, written + ROWS)
            yield* add(part)
            written += part.length
          }
        }).pipe(
          Effect.onExit((exit) => Effect.sync(() => Exit.isFailure(exit) && buffer.restore(taken.slice(written))))
        )
      }
      const drop = (count: number) => Effect.sync(() => buffer.drop(count))

      const writeAll = (isLast: boolean) =>
        Effect.suspend(() => {
          const taken = buffer.take()
          const held = isLast ? [] : taken.filter((one) => isAhead(one, times))
          buffer.restore(held.map((one) => ({ ...one, isHeld: true })))
          return write(held.length === 0 ? taken : taken.filter((one) => !held.includes(one)))
        }).pipe(
          Effect.catchCause((cause) =>
            Cause.hasInterrupts(cause)
              ? Effect.failCause(cause as Cause.Cause<never>)
              : Effect.logWarning("The request log waits to be written", cause)
          ),
          Effect.ensuring(Effect.suspend(() => Metric.update(dropped, buffer.takeDropped()))),
          alone.withPermits(1)
        )

      yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(writeAll(true)), LAST_FLUSH))
      const measure = yield* commitDurations
      const note = noting(observability.requestLog, buffer, idsOf(clock, last))
      return RequestRecorder.of({
        note: (...answered) => {
          measure(...answered)
          note(...answered)
        },
        flush: writeAll(false)
      })
    })
  )

  /** Has the server note its requests here. */
  static readonly noting: Layer.Layer<never, never, RequestRecorder> = Layer.effect(
    AnsweredRequests,
    Effect.map(RequestRecorder, ({ note }) => note)
  )

  /** Writes every {@link FLUSH_INTERVAL}. */
  static readonly running: Layer.Layer<never, never, RequestRecorder> = Layer.effectDiscard(
    Effect.flatMap(RequestRecorder, ({ flush }) => Worker.every(FLUSH_INTERVAL, "Request log", flush))
  )
}
