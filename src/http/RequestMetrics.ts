import { Context, Metric } from "effect"
import type { RequestFacts } from "./RequestState.ts"

/** Upper bounds of the latency buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const requests = Metric.counter("http_requests", {
  description: "Requests answered, by method, route template and status.",
  incremental: true
})

const duration = Metric.histogram("http_request_duration_seconds", {
  description: "Time from a request's arrival to its answer, by method and route template.",
  boundaries: BUCKETS
})

const KNOWN_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** Counts answers. Series are made once for each route and status, so that a request costs two map look-ups. */
export const make = () => {
  const counters = new Map<string, Metric.Counter<number>>()
  const timers = new Map<string, Metric.Histogram<number>>()

  const series = <M>(known: Map<string, M>, key: string, create: () => M): M => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = create()
    known.set(key, made)
    return made
  }

  return (context: Context.Context<never>, facts: RequestFacts, method: string, status: number, seconds: number) => {
    const { route } = facts
    const verb = KNOWN_METHODS.has(method) ? method : "other"
    const counter = series(counters, `${verb} ${status} ${route}`, () =>
      Metric.withAttributes(requests, { method: verb, route, status: String(status) })
    )
    counter.updateUnsafe(1, context)
    const timer = series(timers, `${verb} ${route}`, () => Metric.withAttributes(duration, { method: verb, route }))
    timer.updateUnsafe(seconds, context)
  }
}
