import { type Cause, Effect } from "effect"

/**
 * `Effect.catch` with a function that is made once. `Effect.catch` makes several for each effect, and looks at them: where every
 * request passes and hardly any fails, that is garbage.
 *
 * @param recover - what becomes of an error
 */
export const catching = <E, B, E2, R2>(
  recover: (error: E) => Effect.Effect<B, E2, R2>
): (<A, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A | B, E2, R | R2>) => {
  const onCause = (cause: Cause.Cause<E>): Effect.Effect<B, E2, R2> =>
    Effect.failCause(cause).pipe(Effect.catch(recover))
  return (effect) => Effect.catchCause(effect, onCause)
}
