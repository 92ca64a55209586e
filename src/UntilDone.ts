import { Cause, type Duration, Effect } from "effect"

/**
 * Begins anew after a pause for as long as something fails, and says so in the log: for work that goes on when what it
 * needs is there again. Only an interruption ends it otherwise.
 */
export const untilDone = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  waits: string,
  pause: Duration.Duration
): Effect.Effect<A, never, R> =>
  Effect.catchCause(work, (cause) =>
    Cause.hasInterrupts(cause)
      ? Effect.interrupt
      : Effect.logWarning(waits, cause).pipe(
          Effect.andThen(Effect.sleep(pause)),
          Effect.andThen(Effect.suspend(() => untilDone(work, waits, pause)))
        )
  )
