import { Cause, Clock, type Duration, Effect, type Scope, Semaphore } from "effect"
import { type Due, DueWork } from "./DueWork.ts"

const isPassing = (error: unknown): error is { readonly message: string } =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "Unavailable" && "message" in error

/** Work whose failure is logged, and is no failure of whoever does it. */
const surviving = <A, E, R>(name: string, work: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
  work.pipe(
    Effect.asVoid,
    Effect.catchCause((cause) => {
      if (Cause.hasInterrupts(cause)) return Effect.interrupt
      const [reason] = cause.reasons
      const error = reason !== undefined && Cause.isFailReason(reason) ? reason.error : undefined
      return isPassing(error)
        ? Effect.logWarning(`${name}: put off, ${error.message}`)
        : Effect.logError(`${name}: failed, and is tried again`, cause)
    })
  )

/**
 * Does work in the background, now and again after each pause, as long as the scope lives. A failure is logged, and the
 * work is done again after the next pause.
 *
 * @param name - what the log calls the work
 */
export const every = <A, E, R>(
  pause: Duration.Input,
  name: string,
  work: Effect.Effect<A, E, R>
): Effect.Effect<void, never, R | Scope.Scope> =>
  surviving(name, work).pipe(Effect.andThen(Effect.sleep(pause)), Effect.forever, Effect.forkScoped, Effect.asVoid)

/** What is done of a work at a step of a clock that is set forward. */
interface Steps<E, R> {
  /** What is done there, in place of the work itself. */
  readonly step?: Effect.Effect<unknown, E, R>
  /** As {@link Due.next}. */
  readonly next?: NonNullable<Due["next"]>
}

/**
 * The same for what is due at its time. Where a clock is set forward it is done at each of its steps, and never twice at once.
 */
export const due = <A, E, R>(
  pause: Duration.Input,
  name: string,
  work: Effect.Effect<A, E, R>,
  { next = () => undefined, step = work }: Steps<E, R> = {}
): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.gen(function* () {
    const works = yield* DueWork
    const turn = Semaphore.makeUnsafe(1)
    const look = Effect.provideContext(surviving(name, turn.withPermit(step)), yield* Effect.context<R>())
    yield* Effect.acquireRelease(
      Effect.sync(() => works.add({ name, look, next })),
      (remove) => Effect.sync(remove)
    )
    const unled = Effect.suspend(() => (works.isLed ? Effect.void : Effect.asVoid(work)))
    yield* every(pause, name, turn.withPermit(unled))
  })

/** How often rows whose time is over are looked for. */
const PRUNE_INTERVAL = "10 minutes"

/**
 * Removes in the background what is over, batch after batch.
 *
 * @param prune - removes what is over at a time, in milliseconds since 1970, `batch` rows at most; answers how many it was
 */
export const pruning = <E, R>(
  name: string,
  batch: number,
  prune: (now: number) => Effect.Effect<number, E, R>
): Effect.Effect<void, never, R | Scope.Scope> =>
  every(
    PRUNE_INTERVAL,
    name,
    Effect.repeat(Effect.flatMap(Clock.currentTimeMillis, prune), { while: (removed) => removed === batch })
  )
