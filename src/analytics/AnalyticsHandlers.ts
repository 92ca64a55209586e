import { Effect } from "effect"
import type { ActivityName } from "../../engine/analytics/Activity.ts"
import { percentiles } from "../../engine/analytics/LatencyHistogram.ts"
import { creditsFor } from "../../engine/bots/EvaluationCredits.ts"
import { format, fromUnits, ONE, ZERO } from "../../engine/money/Amount.ts"
import { MAX_DAYS, USUAL_DAYS } from "../api/Analytics.ts"
import { Api } from "../api/Api.ts"
import { refuse } from "../api/ApiError.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import { Analytics, type Figures, type UsagePart } from "./Analytics.ts"

const PERCENTS = [50, 95, 99]

const MICROS = 1_000

/** Milliseconds to the microsecond. */
const millis = (micros = 0): number => Math.round(micros) / MICROS

const latencyAnswer = (latency: ReadonlyArray<number>) => {
  const found = percentiles(latency, PERCENTS)
  return found === undefined ? null : { p50: millis(found[0]), p95: millis(found[1]), p99: millis(found[2]) }
}

const figuresAnswer = (figures: Figures) => ({
  requests: figures.requests,
  client_errors: figures.clientErrors,
  server_errors: figures.serverErrors,
  latency_ms: latencyAnswer(figures.latency)
})

/** How many credits the USD of an activity stand for. */
const creditsOf = ({ activities }: UsagePart, name: ActivityName): number => {
  const { volume = 0n } = activities.find(({ activity }) => activity === name) ?? {}
  const credits = creditsFor(fromUnits(volume)) ?? ZERO
  return Number(credits / ONE)
}

const creditsAnswer = (part: UsagePart) => ({
  granted: creditsOf(part, "credit_grants"),
  lapsed: creditsOf(part, "credit_lapses"),
  purchased: creditsOf(part, "credit_topups"),
  used: creditsOf(part, "bot_evaluations")
})

const partAnswer = (part: UsagePart) => ({
  ...figuresAnswer(part),
  endpoints: part.endpoints.map((figures) => ({ endpoint: figures.endpoint, ...figuresAnswer(figures) })),
  activities: part.activities.map(({ activity, times, volume }) => ({
    activity,
    count: times,
    volume_usd: format(fromUnits(volume))
  })),
  credits: creditsAnswer(part)
})

/** Whose usage the caller may see: their own company's, or as an administrator anybody's. */
const companyOf = (asked: string | undefined) =>
  Effect.flatMap(CurrentPrincipal, ({ companyId, role }) => {
    if (role === "admin") return Effect.succeed(asked)
    return asked === undefined || asked === companyId
      ? Effect.succeed(companyId)
      : refuse("not_found", `There is no company ${asked} that you may see.`)
  })

/** The analytics group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "analytics",
  Effect.fnUntraced(function* (handlers) {
    const analytics = yield* Analytics
    return handlers.handleAll({
      usage: Effect.fnUntraced(function* ({ query }) {
        const companyId = yield* companyOf(query.company_id)
        const asked = { companyId, from: query.from, to: query.to, endpoint: query.endpoint }
        const found = yield* analytics.usage(asked, { usual: USUAL_DAYS, most: MAX_DAYS })
        return {
          company_id: companyId ?? null,
          from: found.from,
          to: found.to,
          interval: "day" as const,
          totals: partAnswer(found.totals),
          days: found.days.map((day) => ({ date: day.day, ...partAnswer(day) }))
        }
      })
    })
  })
)
