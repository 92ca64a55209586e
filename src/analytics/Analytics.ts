import { Clock, Context, Data, Effect, Layer } from "effect"
import { merged } from "../../engine/analytics/LatencyHistogram.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { type EndpointDay, type UsageRange, UsageRepository } from "./UsageRepository.ts"

const DAY = 86_400_000

/** Requests, how they were answered, and how long they took. */
export interface Figures {
  readonly requests: number
  readonly clientErrors: number
  readonly serverErrors: number
  /** The counts of a {@link LatencyHistogram}'s buckets. */
  readonly latency: ReadonlyArray<number>
}

export interface EndpointFigures extends Figures {
  readonly endpoint: string
}

/** What was asked in some time, in all and by endpoint in the order of their names. */
export interface UsagePart extends Figures {
  readonly endpoints: ReadonlyArray<EndpointFigures>
}

/** What was asked between two days. */
export interface Usage extends UsageRange {
  readonly totals: UsagePart
  /** Every day, in order. */
  readonly days: ReadonlyArray<UsagePart & { readonly day: number }>
}

/** Which days; a boundary that is left out follows from the other. */
export interface UsageQuery {
  readonly companyId: string | undefined
  readonly from: number | undefined
  readonly to: number | undefined
  readonly endpoint: string | undefined
}

/** How many days an answer covers. */
export interface DayLimits {
  readonly usual: number
  readonly most: number
}

/** The days are too many, or end before they begin. */
export class BadRange extends Data.TaggedError("BadRange")<{
  readonly field: "from" | "to"
  readonly expected: string
}> {}

const NONE: Figures = { requests: 0, clientErrors: 0, serverErrors: 0, latency: [] }

const sum = (one: Figures, other: Figures): Figures => ({
  requests: one.requests + other.requests,
  clientErrors: one.clientErrors + other.clientErrors,
  serverErrors: one.serverErrors + other.serverErrors,
  latency: merged(one.latency, other.latency)
})

/** The sum of rows, and of those of each endpoint. */
const partOf = (rows: ReadonlyArray<EndpointDay>): UsagePart => {
  const endpoints = new Map<string, Figures>()
  for (const row of rows) endpoints.set(row.endpoint, sum(endpoints.get(row.endpoint) ?? NONE, row))
  const sorted = [...endpoints].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    ...[...endpoints.values()].reduce(sum, NONE),
    endpoints: sorted.map(([endpoint, figures]) => ({ ...figures, endpoint }))
  }
}

const byDay = (rows: ReadonlyArray<EndpointDay>): ReadonlyMap<number, ReadonlyArray<EndpointDay>> =>
  Map.groupBy(rows, ({ day }) => day)

const rangeOf = (query: UsageQuery, today: number, { most, usual }: DayLimits): UsageRange | BadRange => {
  const to = query.to ?? (query.from === undefined ? today : Math.max(today, query.from))
  const from = query.from ?? Math.max(0, to - usual + 1)
  if (from > to) return new BadRange({ field: "to", expected: "a day from the first one on" })
  if (to - from >= most) return new BadRange({ field: "from", expected: `at most ${most} days to the last one` })
  return { companyId: query.companyId, endpoint: query.endpoint, from, to }
}

/** What companies ask of the platform. */
export class Analytics extends Context.Service<
  Analytics,
  {
    /** By day and endpoint. What was asked in the last seconds may not be counted yet. */
    readonly usage: (query: UsageQuery, limits: DayLimits) => Effect.Effect<Usage, BadRange | Unavailable>
  }
>()("emporion/analytics/Analytics") {
  static readonly layer: Layer.Layer<Analytics, never, UsageRepository> = Layer.effect(
    this,
    Effect.map(UsageRepository, (repository) =>
      Analytics.of({
        usage: Effect.fn("Analytics.usage")(function* (query, limits) {
          const today = Math.floor((yield* Clock.currentTimeMillis) / DAY)
          const range = rangeOf(query, today, limits)
          if (range instanceof BadRange) return yield* range
          const rows = yield* repository.read(range)
          const days = byDay(rows)
          return {
            ...range,
            totals: partOf(rows),
            days: Array.from({ length: range.to - range.from + 1 }, (_, index) => {
              const day = range.from + index
              return { ...partOf(days.get(day) ?? []), day }
            })
          }
        })
      })
    )
  )
}
