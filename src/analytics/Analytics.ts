import { Clock, Context, Effect, Layer } from "effect"
import { merged } from "../../engine/analytics/LatencyHistogram.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { type ActivityDay, ActivityRepository } from "./ActivityRepository.ts"
import { type EndpointDay, type UsageRange, UsageRepository } from "./UsageRepository.ts"
import { refusal } from "../../engine/wire/Refusal.ts"

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

/** What was done, how often, and what it moved in USD, in 10⁻⁶. */
export interface ActivityFigures {
  readonly activity: string
  readonly times: number
  readonly volume: bigint
}

/** What was asked and done in some time. Endpoints and activities are in the order of their names. */
export interface UsagePart extends Figures {
  readonly endpoints: ReadonlyArray<EndpointFigures>
  readonly activities: ReadonlyArray<ActivityFigures>
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
export class BadRange extends refusal(
  "BadRange",
  "invalid_request",
  ({ expected, field }: { readonly field: "from" | "to"; readonly expected: string }) =>
    `query.${field}: Expected ${expected}`
) {}

const NONE: Figures = { requests: 0, clientErrors: 0, serverErrors: 0, latency: [] }

const sum = (one: Figures, other: Figures): Figures => ({
  requests: one.requests + other.requests,
  clientErrors: one.clientErrors + other.clientErrors,
  serverErrors: one.serverErrors + other.serverErrors,
  latency: merged(one.latency, other.latency)
})

type Done = Omit<ActivityDay, "companyId">

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : one > other ? 1 : 0

const activitiesOf = (rows: ReadonlyArray<Done>): ReadonlyArray<ActivityFigures> => {
  const sums = new Map<string, ActivityFigures>()
  for (const { activity, times, volume } of rows) {
    const known = sums.get(activity) ?? { activity, times: 0, volume: 0n }
    sums.set(activity, { activity, times: known.times + times, volume: known.volume + volume })
  }
  return [...sums].toSorted(byName).map(([, figures]) => figures)
}

/** The sums of rows, of those of each endpoint, and of each activity. */
const partOf = (rows: ReadonlyArray<EndpointDay>, done: ReadonlyArray<Done>): UsagePart => {
  const endpoints = new Map<string, Figures>()
  for (const row of rows) endpoints.set(row.endpoint, sum(endpoints.get(row.endpoint) ?? NONE, row))
  return {
    ...[...endpoints.values()].reduce(sum, NONE),
    endpoints: [...endpoints].toSorted(byName).map(([endpoint, figures]) => ({ ...figures, endpoint })),
    activities: activitiesOf(done)
  }
}

const byDay = <Row extends { readonly day: number }>(
  rows: ReadonlyArray<Row>
): ReadonlyMap<number, ReadonlyArray<Row>> => Map.groupBy(rows, ({ day }) => day)

const rangeOf = (query: UsageQuery, today: number, { most, usual }: DayLimits): UsageRange | BadRange => {
  const to = query.to ?? (query.from === undefined ? today : Math.max(today, query.from))
  const from = query.from ?? Math.max(0, to - usual + 1)
  if (from > to) return new BadRange({ field: "to", expected: "a day from the first one on" })
  if (to - from >= most) return new BadRange({ field: "from", expected: `at most ${most} days to the last one` })
  return { companyId: query.companyId, endpoint: query.endpoint, from, to }
}

/** What companies ask of the platform, and what they do on it. */
export class Analytics extends Context.Service<
  Analytics,
  {
    /** By day and endpoint. What was asked in the last seconds may not be counted yet. */
    readonly usage: (query: UsageQuery, limits: DayLimits) => Effect.Effect<Usage, BadRange | Unavailable>
  }
>()("emporion/analytics/Analytics") {
  static readonly layer: Layer.Layer<Analytics, never, UsageRepository | ActivityRepository> = Layer.effect(
    this,
    Effect.gen(function* () {
      const asked = yield* UsageRepository
      const done = yield* ActivityRepository
      return Analytics.of({
        usage: Effect.fn("Analytics.usage")(function* (query, limits) {
          const today = Math.floor((yield* Clock.currentTimeMillis) / DAY)
          const range = rangeOf(query, today, limits)
          if (range instanceof BadRange) return yield* range
          const rows = yield* asked.read(range)
          const activities = yield* done.read(range)
          const [days, doneOn] = [byDay(rows), byDay(activities)]
          return {
            ...range,
            totals: partOf(rows, activities),
            days: Array.from({ length: range.to - range.from + 1 }, (_, index) => {
              const day = range.from + index
              return { ...partOf(days.get(day) ?? [], doneOn.get(day) ?? []), day }
            })
          }
        })
      })
    })
  )
}
