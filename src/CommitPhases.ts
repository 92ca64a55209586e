import { Clock, Effect, Metric } from "effect"
import type { Scope } from "effect"
import type { PhaseMeter } from "../engine/journal/WritePorts.ts"

const seconds = Metric.counter("emporion_commit_phase_seconds", {
  description: "Seconds of the main thread that what commits took in each phase",
  incremental: true
})

const commits = Metric.counter("emporion_commit_phase_commits", {
  description: "What passed each phase of a commit",
  incremental: true
})

/**
 * Where the main thread's time goes between a request and its commit: `http` from its arrival to the actor that it asks,
 * and from the outcome to the answer, as far as the program does it; `decision` in the order's actor; `encoding` from what
 * the ledger takes to the journal's row; `projection` from there to the statements that write the tables. What is in none
 * of them is the runtime's and the driver's.
 */
export type CommitPhase = "http" | "decision" | "encoding" | "projection"

/** Nobody looks a series up to add to it: what was added is read when the metrics are. */
const register = (metric: Metric.Counter<number>, phase: CommitPhase, count: () => number) =>
  Effect.flatMap(Effect.context<never>(), (context) =>
    Effect.acquireRelease(
      Effect.sync(() =>
        Metric.registerUnsafe(Metric.withAttributes(metric, { phase }), context, {
          get: () => ({ count: count(), incremental: true }),
          update: () => {},
          modify: () => {}
        })
      ),
      ({ remove }) => Effect.sync(remove)
    )
  )

/** The meter of a phase, which `/metrics` shows until the scope ends. There is one of each phase. */
export const phaseMeter = Effect.fnUntraced(function* (
  phase: CommitPhase
): Effect.fn.Return<PhaseMeter, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const sum = { nanos: 0, passed: 0 }
  yield* register(seconds, phase, () => sum.nanos / 1e9)
  yield* register(commits, phase, () => sum.passed)
  return {
    now: () => clock.monotonicTimeNanosUnsafe(),
    add: (nanos, passed) => {
      sum.nanos += Number(nanos)
      sum.passed += passed
    }
  }
})
