import { Metric } from "effect"
import type { Context } from "effect"
import { CATALOGUE, type Code } from "../api/ApiError.ts"
import type { RequestFacts } from "../RequestState.ts"
import type { CountUsage } from "../http/RequestUsage.ts"

/** Upper bounds of the latency buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const requests = Metric.counter("rpc_requests", {
  description: "Messages of /rpc that were answered, by name and code; streams when they end.",
  incremental: true
})

const duration = Metric.histogram("rpc_request_duration_seconds", {
  description: "Time from a message's arrival at /rpc to its answer, by name. Without streams.",
  boundaries: BUCKETS
})

/** Open connections to `/rpc`. */
export const connections = Metric.gauge("emporion_rpc_connections", { description: "Open connections to /rpc" })

/** How a message ended. */
export type Ending = Code | "ok" | "cancelled"

/** The status that counts as usage: a caller who goes away is no error of anybody. */
const statusOf = (ending: Ending): number =>
  ending === "ok" || ending === "cancelled" ? 200 : CATALOGUE[ending].status

/** Counts the answers of one kind of message. */
export class RpcSeries {
  readonly #endpoint: string
  readonly #attributes: Readonly<Record<string, string>>
  readonly #timer: Metric.Histogram<number>
  readonly #counters = new Map<Ending, Metric.Counter<number>>()
  readonly #countUsage: CountUsage
  readonly #context: Context.Context<never>

  constructor(rpc: string, countUsage: CountUsage, context: Context.Context<never>) {
    this.#endpoint = `RPC ${rpc}`
    this.#attributes = { rpc }
    this.#timer = Metric.withAttributes(duration, this.#attributes)
    this.#countUsage = countUsage
    this.#context = context
  }

  /** `seconds` is undefined for a stream. */
  record({ identity }: RequestFacts, ending: Ending, seconds: number | undefined): void {
    this.#counterOf(ending).updateUnsafe(1, this.#context)
    if (seconds !== undefined) this.#timer.updateUnsafe(seconds, this.#context)
    const company = identity._tag === "Verified" ? identity.principal.companyId : ""
    this.#countUsage(company, this.#endpoint, statusOf(ending), seconds ?? 0)
  }

  #counterOf(ending: Ending): Metric.Counter<number> {
    const known = this.#counters.get(ending)
    if (known !== undefined) return known
    const made = Metric.withAttributes(requests, { ...this.#attributes, code: ending })
    this.#counters.set(ending, made)
    return made
  }
}
