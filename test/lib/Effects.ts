import { afterAll, beforeAll, it } from "bun:test"
import { Cause, Effect, Exit, Fiber, Layer, ManagedRuntime } from "effect"
import { MaxOpsBeforeYield } from "effect/Scheduler"
import type { Scope } from "effect"
import { TestClock } from "effect/testing"
import { quiet } from "./Quiet.ts"

/** The body of a test: it passes when it succeeds. Its scope is closed at its end. */
type Body<E, R> = () => Effect.Effect<void, E, R | Scope.Scope>

type Define<R> = <E>(name: string, body: Body<E, R>, timeout?: number) => void

/** What a runner throws for a failure: the assertion's own error where there is one, so that its difference is shown. */
const thrown = (cause: Cause.Cause<unknown>): unknown => {
  const squashed = Cause.squash(cause)
  const isPlain = squashed instanceof Error && cause.reasons.length === 1 && Cause.hasDies(cause)
  return isPlain ? squashed : new Error(Cause.pretty(cause))
}

const orThrow = <A>(exit: Exit.Exit<A, unknown>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  throw thrown(exit.cause)
}

const runQuietly = <E>(body: Effect.Effect<void, E, Scope.Scope>): Promise<void> =>
  Effect.runPromiseExit(Effect.scoped(body).pipe(Effect.provide(quiet))).then((exit) => void orThrow(exit))

/** A test whose time stands still: it moves by `TestClock.adjust` alone. */
export const itEffect: Define<never> = (name, body, timeout) =>
  it(name, () => runQuietly(Effect.provide(Effect.suspend(body), TestClock.layer())), timeout)

/** A test in real time. */
export const itLive: Define<never> = (name, body, timeout) => it(name, () => runQuietly(Effect.suspend(body)), timeout)

/**
 * Builds a layer before the tests around this call (a file's or a `describe`'s), and releases it after them. Answers
 * how to define tests in real time that use it.
 */
export const withLayer = <R, E>(layer: Layer.Layer<R, E>, timeout?: number): Define<R> => {
  const runtime = ManagedRuntime.make(Layer.provideMerge(layer, quiet))
  beforeAll(() => runtime.runPromiseExit(Effect.void).then((exit) => void orThrow(exit)), timeout)
  afterAll(() => runtime.dispose(), timeout)
  return (name, body, testTimeout) =>
    it(
      name,
      () => runtime.runPromiseExit(Effect.scoped(Effect.suspend(body))).then((exit) => void orThrow(exit)),
      testTimeout
    )
}

/** Lets other fibers run for so many turns. */
export const wait = (turns: number): Effect.Effect<void> =>
  Effect.forEach(Array.from({ length: turns }), () => Effect.yieldNow, { discard: true })

/** Steps of a fiber between two turns: the fewest with which it gets on. */
const STEPS = 3

/** Lets others run between any two of its steps, or nearly. */
export const stepwise = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, MaxOpsBeforeYield, STEPS)

/** Begins something stepwise, and interrupts it after so many turns, wherever it is then. */
export const interruptedAfter = <A, E, R>(
  turns: number,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<void, never, R> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(stepwise(effect))
    yield* wait(turns)
    yield* Fiber.interrupt(fiber)
  })
