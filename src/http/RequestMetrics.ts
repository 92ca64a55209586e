import { Context, Metric } from "effect"
import type { RequestFacts } from "../RequestState.ts"
import type { CountUsage } from "./RequestUsage.ts"

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

/** The series of one method and route. */
class Series {
  readonly #attributes: Readonly<Record<string, string>>
  /** Method and path template, such as `GET /v1/funds/{id}`, or `unmatched`. */
  readonly endpoint: string
  readonly timer: Metric.Histogram<number>
  readonly #counters = new Map<number, Metric.Counter<number>>()

  constructor(method: string, route: string) {
    this.#attributes = { method, route }
    this.endpoint = route === "unmatched" ? route : `${method} ${route.replaceAll(/:(\w+)/g, "{$1}")}`
    this.timer = Metric.withAttributes(duration, this.#attributes)
  }

  counter(status: number): Metric.Counter<number> {
    const known = this.#counters.get(status)
    if (known !== undefined) return known
    const made = Metric.withAttributes(requests, { ...this.#attributes, status: String(status) })
    this.#counters.set(status, made)
    return made
  }
}

const companyOf = ({ identity }: RequestFacts): string =>
  identity._tag === "Verified" ? identity.principal.companyId : ""

/**
 * Counts answers, and notifies the counter of usage. Series are made once for each route and status, so that a request
 * costs three map look-ups.
 */
export const make = (countUsage: CountUsage) => {
  const methods = new Map<string, Map<string, Series>>([...KNOWN_METHODS, "other"].map((verb) => [verb, new Map()]))

  const seriesOf = (verb: string, route: string): Series => {
    const routes = methods.get(verb)
    const known = routes?.get(route)
    if (known !== undefined) return known
    const made = new Series(verb, route)
    routes?.set(route, made)
    return made
  }

  return (context: Context.Context<never>, facts: RequestFacts, method: string, status: number, seconds: number) => {
    const series = seriesOf(KNOWN_METHODS.has(method) ? method : "other", facts.route)
    series.counter(status).updateUnsafe(1, context)
    series.timer.updateUnsafe(seconds, context)
    countUsage(companyOf(facts), series.endpoint, status, seconds)
  }
}
