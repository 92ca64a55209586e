import { Effect, Metric } from "effect"
import type { Scope } from "effect"
import { RecentCommits } from "../database/CommitTimes.ts"
import { ExemplarHistogram } from "../ExemplarHistogram.ts"
import type { NoteAnswer } from "../http/AnsweredRequests.ts"
import { exportedTrace } from "../http/RequestTracing.ts"
import { phasesOf } from "./NotedRequest.ts"

/** The phases of a request that wrote something, which add up to its time. */
const PHASES = ["checks", "decision", "append", "answer"] as const

/** Upper bounds of the buckets, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const MICROS = 1e6

const duration = Metric.histogram("emporion_commit_duration_seconds", {
  description:
    "Time of requests that wrote something, by phase: checks, decision, append and answer add up to the request's time",
  boundaries: BOUNDS
})

/**
 * Measures the phases of every request that writes something, for `/metrics` until the scope ends. A bucket names the last
 * trace that was made of a request in it.
 */
export const commitDurations: Effect.Effect<NoteAnswer, never, Scope.Scope> = Effect.gen(function* () {
  const context = yield* Effect.context<never>()
  const times = yield* RecentCommits
  const phases = PHASES.map((phase) => ({ phase, histogram: new ExemplarHistogram(BOUNDS) }))
  for (const { histogram, phase } of phases) {
    yield* Effect.acquireRelease(
      Effect.sync(() =>
        Metric.registerUnsafe(Metric.withAttributes(duration, { phase }), context, {
          get: () => histogram.state,
          update: () => {},
          modify: () => {}
        })
      ),
      ({ remove }) => Effect.sync(remove)
    )
  }
  return ({ facts, now, started }, _, nanos) => {
    const { commits } = facts
    if (commits === undefined) return
    const found = phasesOf({ answeredAt: started + nanos, commits, startedAt: started }, times)
    if (found === undefined) return
    const id = exportedTrace(facts.traceId)
    const trace = id === undefined ? undefined : { id, at: now }
    for (const { histogram, phase } of phases) histogram.add(found[phase] / MICROS, trace)
  }
})
