/** Has an answer given to a function: whoever waits for it needs no fiber. */

import { type Deferred, Effect, Exit } from "effect"

/**
 * Has an answer given to a function, once: at once if it is there, else as it is given to the others who wait for it.
 *
 * @param onFault - hears what the function throws, which costs nobody else an answer
 */
export const whenAnswered = <A, E>(
  reply: Deferred.Deferred<A, E>,
  give: (answer: Exit.Exit<A, E>) => void,
  onFault: (fault: unknown) => void
): void => {
  const hear = (effect: Effect.Effect<A, E>): void => {
    try {
      // What is succeeded or failed with is an exit already.
      give(Exit.isExit(effect) ? (effect as Exit.Exit<A, E>) : Effect.runSyncExit(effect))
    } catch (fault) {
      onFault(fault)
    }
  }
  if (reply.effect === undefined) (reply.resumes ??= []).push(hear)
  else hear(reply.effect)
}
