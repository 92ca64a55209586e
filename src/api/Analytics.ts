import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { wire } from "./ApiError.ts"
import { Authorization, Policy, scopes } from "./Authorization.ts"
import { optional } from "./Optional.ts"
import { text } from "./Text.ts"
import { UtcDay } from "./UtcDay.ts"

/** Days that one answer can cover. */
export const MAX_DAYS = 92

/** Days that an answer covers where the caller does not say since when. */
export const USUAL_DAYS = 30

const Latency = Schema.NullOr(
  Schema.Struct({ p50: Schema.Finite, p95: Schema.Finite, p99: Schema.Finite }).annotate({ identifier: "Latency" })
).annotate({
  description:
    "Percentiles by nearest rank of the time from a request's arrival to its answer, in milliseconds, off by 3.2 % at " +
    "most. Null where there were no requests."
})

const figures = {
  requests: Schema.Int,
  client_errors: Schema.Int.annotate({ description: "Of these, answered with 400 to 499." }),
  server_errors: Schema.Int.annotate({ description: "Of these, answered with 500 or above." }),
  latency_ms: Latency
}

const EndpointUsage = Schema.Struct({
  endpoint: Schema.String.annotate({
    description:
      "Method and path template, such as GET /v1/funds/{id}; unmatched where there is no such endpoint; overflow, for " +
      "administrators, where more were asked than are counted apart."
  }),
  ...figures
}).annotate({ identifier: "EndpointUsage" })

const Activity = Schema.Struct({
  activity: Schema.String.annotate({ description: "Such as orders_placed." }),
  count: Schema.Int,
  volume_usd: Schema.String.annotate({ description: "The sum of its amounts, those of them that are in USD." })
}).annotate({ identifier: "Activity" })

const Credits = Schema.Struct({
  granted: Schema.Int.annotate({ description: "What plans gave." }),
  lapsed: Schema.Int.annotate({ description: "What was left of it at a month's end." }),
  purchased: Schema.Int,
  used: Schema.Int.annotate({ description: "What evaluations of bots took." })
}).annotate({ identifier: "UsedCredits" })

const UsageDay = Schema.Struct({
  date: UtcDay,
  ...figures,
  endpoints: Schema.Array(EndpointUsage),
  activities: Schema.Array(Activity),
  credits: Credits
}).annotate({ identifier: "UsageDay" })

const Usage = Schema.Struct({
  company_id: Schema.NullOr(Schema.String).annotate({ description: "Null: all, and requests without a caller." }),
  from: UtcDay,
  to: UtcDay.annotate({ description: "The last day, included." }),
  interval: Schema.Literal("day"),
  totals: Schema.Struct({
    ...figures,
    endpoints: Schema.Array(EndpointUsage),
    activities: Schema.Array(Activity),
    credits: Credits
  }).annotate({ identifier: "UsageTotals" }),
  days: Schema.Array(UsageDay).annotate({ description: "Every day from the first to the last." })
}).annotate({ identifier: "Usage" })

const usage = HttpApiEndpoint.get("usage", "/v1/analytics/usage", {
  query: {
    from: optional(
      UtcDay.annotate({ description: `The first day in UTC; by default ${USUAL_DAYS} days with the last.` })
    ),
    to: optional(UtcDay.annotate({ description: "The last day in UTC, included; by default today." })),
    interval: optional(Schema.Literal("day")),
    endpoint: optional(text(1, 300).annotate({ description: "Only this one, such as GET /v1/funds/{id}." })),
    company_id: optional(
      text(1, 64).annotate({ description: "For administrators, whose; by default all. Others have their own." })
    )
  },
  success: Usage,
  error: [wire("invalid_request"), wire("not_found"), wire("unavailable")]
})
  .annotate(Policy, scopes("orders:read"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "What the caller's company asked of the platform and did on it, by day",
      description:
        "Requests by endpoint, how they were answered and how fast, and what came of them. Requests are counted within " +
        `seconds. At most ${MAX_DAYS} days.`
    })
  )

/** Usage analytics. Specification 1, 4.2: the shape is left open. */
export class AnalyticsApi extends HttpApiGroup.make("analytics")
  .add(usage)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Analytics", description: "What was asked and what was done." })) {}
