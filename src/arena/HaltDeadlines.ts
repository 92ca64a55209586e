import { Duration, Effect, Layer, Queue } from "effect"
import { sleepUntil } from "../../engine/journal/TimeLead.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { CommitmentHalts } from "./CommitmentHalts.ts"

/** The wait before what could not be done is tried again. */
const RETRY_AFTER = Duration.seconds(1)

/** Halts companies when nobody asked again in time, for ever. */
export const running = Layer.effectDiscard(
  Effect.gen(function* () {
    const { deadlines, nextDeadline } = yield* CommitmentHalts
    const journal = yield* UnitOfWork
    const calls = yield* Queue.sliding<void>(1)
    yield* journal.onCommit((events) => {
      if (events.some(({ event }) => event._tag === "CommitmentHaltSet")) Queue.offerUnsafe(calls, undefined)
    })
    const untilDue = Effect.gen(function* () {
      const due = yield* nextDeadline
      if (due === undefined) return yield* Effect.never
      yield* sleepUntil(due)
    })
    const round = Effect.andThen(deadlines, Effect.race(Queue.take(calls), untilDue)).pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(Effect.logWarning("Deadlines of halts could not be kept", cause), Effect.sleep(RETRY_AFTER))
      )
    )
    yield* Effect.forkScoped(Effect.forever(round))
  })
)
