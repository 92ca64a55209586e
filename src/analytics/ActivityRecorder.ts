import { Cause, Context, Effect, Layer, Result, Semaphore } from "effect"
import { isCounted } from "../../engine/analytics/Activity.ts"
import { readEvent } from "../../engine/replay/EventCodec.ts"
import type { StoredEvent } from "../../engine/replay/StoredEvent.ts"
import { unavailableOrDie } from "../database/DatabaseError.ts"
import { EventLogRepository } from "../database/EventLogRepository.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import * as Worker from "../Worker.ts"
import { Owners } from "../identity/users/Owners.ts"
import { type ActivityCell, ActivityCounts } from "./ActivityCounts.ts"
import { type ActivityDay, ActivityRepository } from "./ActivityRepository.ts"
import { FLUSH_INTERVAL } from "./UsageRecorder.ts"

/** Pages of the journal that one flush reads at most, so that catching up leaves the server its time. */
const MAX_PAGES = 20

/** The event, where it is counted; one that cannot be read is a defect. */
const eventOf = (stored: StoredEvent) =>
  isCounted(stored.type)
    ? Effect.orDie(Effect.fromResult(Result.map(readEvent(stored), ({ event }) => event)))
    : Effect.succeed(undefined)

/** The company's row of a cell; undefined where nobody is behind it. */
const dayOf = Effect.fnUntraced(function* ({ by, day, name, times, volume }: ActivityCell) {
  const companyId =
    "companyId" in by
      ? by.companyId
      : yield* Effect.flatMap(Owners, ({ ownerOf }) => ownerOf(by.userId)).pipe(
          Effect.map(({ companyId }) => companyId),
          Effect.catchTag("UserNotFound", () => Effect.succeed(undefined))
        )
  return companyId === undefined ? undefined : ({ companyId, day, activity: name, times, volume } satisfies ActivityDay)
})

/**
 * Counts what is done, each event exactly once: as it is committed, and from the journal what was committed while
 * nobody counted. How far it has come is written with the counts.
 */
export class ActivityRecorder extends Context.Service<
  ActivityRecorder,
  {
    /** Writes what was done until now, or the next part where there is much to catch up with. */
    readonly flush: Effect.Effect<void>
  }
>()("emporion/analytics/ActivityRecorder") {
  static readonly layer: Layer.Layer<
    ActivityRecorder,
    never,
    ActivityRepository | EventLogRepository | Owners | UnitOfWork
  > = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* ActivityRepository
      const log = yield* EventLogRepository
      const owners = yield* Owners
      const alone = yield* Semaphore.make(1)
      const counts = new ActivityCounts(0)
      const state = { begun: false }
      yield* (yield* UnitOfWork).onCommit(counts.listen)

      const restart = Effect.gen(function* () {
        counts.restart(yield* repository.position)
        state.begun = true
      })

      const write = Effect.gen(function* () {
        const { cells, from, to } = counts.folded()
        if (from === to) return
        const days = yield* Effect.forEach(cells, dayOf).pipe(Effect.provideService(Owners, owners))
        yield* repository.add(
          days.filter((day) => day !== undefined),
          from,
          to
        )
      })

      /** Takes the next page of the journal. */
      const page = Effect.gen(function* () {
        counts.caughtUp()
        const events = yield* unavailableOrDie(log.eventsAfter(counts.position))
        for (const stored of events) {
          if (stored.seq > counts.position && !counts.take(stored.seq, yield* eventOf(stored))) break
        }
        if (events.length > 0) counts.fellBehind()
      })

      const catchUp = Effect.gen(function* () {
        for (let pages = 0; counts.isBehind && pages < MAX_PAGES; pages++) yield* Effect.andThen(page, write)
      })

      const flush = Effect.gen(function* () {
        if (!state.begun) yield* restart
        yield* write
        yield* catchUp
      }).pipe(
        Effect.catchCause((cause) => {
          state.begun = false
          return Cause.hasInterrupts(cause)
            ? Effect.failCause(cause as Cause.Cause<never>)
            : Effect.logWarning("Activities wait to be counted", cause)
        }),
        alone.withPermits(1)
      )
      return ActivityRecorder.of({ flush })
    })
  )

  /** Flushes at once, so that what was missed is read before there is much more, and every {@link FLUSH_INTERVAL}. */
  static readonly running: Layer.Layer<never, never, ActivityRecorder> = Layer.effectDiscard(
    Effect.flatMap(ActivityRecorder, ({ flush }) => Worker.every(FLUSH_INTERVAL, "Activity counts", flush))
  )
}
