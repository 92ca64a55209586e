import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MOST_SIGNING } from "../../engine/webhooks/SigningSecrets.ts"
import { EndpointObject } from "../../engine/webhooks/EndpointObject.ts"
import { WANTED_EVENTS } from "../../engine/webhooks/WantedEvents.ts"
import { MOST_WEBHOOKS } from "../../engine/webhooks/WebhookDecision.ts"
import { WEBHOOK_EVENT_TYPES } from "../../engine/webhooks/WebhookEventType.ts"
import { wire } from "./ApiError.ts"
import { Authorization, Policy, scopes } from "./Authorization.ts"
import { AnswersSecret } from "./Conventions.ts"
import { MetadataChange, MetadataFilter, NewMetadata } from "./Metadata.ts"
import { clearable, optional } from "./Optional.ts"
import { pageQuery } from "./Paging.ts"
import { lines, text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"
import { UtcDay } from "./UtcDay.ts"

/** Longest URL of an endpoint, in characters. */
const MAX_URL = 2_048

const WEBHOOK_STATUSES = ["enabled", "disabled"] as const

const Url = text(1, MAX_URL).annotate({
  description:
    "An https URL at a public address. Addresses in WEBHOOK_ALLOWED_NETWORKS may be private, in the sandbox without TLS."
})

const Events = Schema.Array(Schema.Literals(WANTED_EVENTS))
  .check(
    Schema.isMinLength(1, { expected: "at least one type" }),
    Schema.isMaxLength(WANTED_EVENTS.length, { expected: `at most ${WANTED_EVENTS.length} types` })
  )
  .annotate({ description: "The types that it gets; `*` is every one, also those that come later." })

const Description = lines(1, 500).annotate({ description: "What the company calls it." })

const NewWebhook = Schema.Struct({
  url: Url,
  events: Events,
  description: optional(Description),
  metadata: NewMetadata
}).annotate({ identifier: "NewWebhook" })

const WebhookChange = Schema.Struct({
  url: optional(Url),
  events: optional(Events),
  description: clearable(Description),
  status: optional(Schema.Literals(WEBHOOK_STATUSES)),
  metadata: MetadataChange
}).annotate({ identifier: "WebhookChange" })

const nullableTime = Schema.NullOr(UtcTimestamp)

const { created_at, disabled_cause, object: _object, status: _status, ...shared } = EndpointObject.fields

const fields = {
  ...shared,
  status: Schema.Literals(WEBHOOK_STATUSES),
  disabled_cause,
  disabled_at: nullableTime,
  failing_since: nullableTime.annotate({
    description:
      "The first failed attempt since the last success, or since it was enabled or got another URL; null where none " +
      "failed since."
  }),
  previous_secret_until: nullableTime.annotate({
    description: "Until when the secret before the last rotation signs as well. Those before it end earlier."
  }),
  created_by: Schema.String,
  created_at,
  updated_at: UtcTimestamp
}

/** A webhook, without its secret. */
export const WebhookAnswer = Schema.Struct(fields).annotate({ identifier: "WebhookEndpoint" })

const WebhookWithSecret = Schema.Struct({
  ...fields,
  secret: Schema.String.annotate({ description: "What signs deliveries: `whsec_` and base64. Shown this once." })
}).annotate({ identifier: "WebhookEndpointWithSecret" })

const delivery = {
  id: Schema.String,
  webhook_id: Schema.String,
  event_id: Schema.String,
  event: Schema.Literals(WEBHOOK_EVENT_TYPES),
  status: Schema.Literals(["pending", "held", "delivered", "failed"]).annotate({
    description: "`held`: the plan's deliveries of the day are used up. `failed`: all attempts failed; retry it."
  }),
  round: Schema.Int.annotate({ description: "1, and one more with each retry by hand." }),
  attempt_count: Schema.Int.annotate({ description: "Attempts of this round, at most 5." }),
  last_attempt_at: nullableTime,
  last_status: Schema.NullOr(Schema.Int).annotate({ description: "The HTTP status of the last answer." }),
  last_error: Schema.NullOr(Schema.String).annotate({ description: "Why the last attempt got no answer." }),
  last_duration_ms: Schema.NullOr(Schema.Int),
  due_at: nullableTime.annotate({ description: "When the next attempt is due, while it is pending." }),
  created_at: UtcTimestamp,
  updated_at: UtcTimestamp
}

const Delivery = Schema.Struct(delivery).annotate({ identifier: "WebhookDelivery" })

const DeliveryAttempt = Schema.Struct({
  round: Schema.Int,
  number: Schema.Int.annotate({ description: "Which attempt of the round, from 1." }),
  started_at: UtcTimestamp,
  duration_ms: Schema.Int,
  url: Schema.String,
  request_headers: Schema.Record(Schema.String, Schema.String),
  status: Schema.NullOr(Schema.Int).annotate({ description: "Null where no answer came." }),
  error: Schema.NullOr(Schema.String).annotate({ description: "Why none came." }),
  answer: Schema.NullOr(Schema.String).annotate({ description: "The first 16 KiB of the answer's body." })
}).annotate({ identifier: "WebhookAttempt" })

const DeliveryDetail = Schema.Struct({
  ...delivery,
  event_seq: Schema.Int.annotate({
    description: "The event's place in all events: GET /v1/requests?event_seq= finds the request that caused it."
  }),
  url: Schema.String.annotate({ description: "Where the webhook's deliveries go now." }),
  body: Schema.String.annotate({ description: "The body, byte for byte as it is signed and sent." }),
  failure: Schema.NullOr(Schema.String).annotate({
    description: "Why it is not delivered yet, in words; null where it is, or where nothing was tried."
  }),
  attempts: Schema.Array(DeliveryAttempt).annotate({ description: "The last 100 attempts, oldest first." })
}).annotate({ identifier: "WebhookDeliveryDetail" })

const EventTypeAnswer = Schema.Struct({
  type: Schema.Literals(WEBHOOK_EVENT_TYPES),
  description: Schema.String,
  object: Schema.String.annotate({ description: "The kind of its object." }),
  told: Schema.String.annotate({ description: "Which companies are told." }),
  example: Schema.Unknown.annotate({ description: "A body of this type." })
}).annotate({ identifier: "WebhookEventType" })

const Test = Schema.Struct({
  endpoint: Url,
  event: Schema.Literals(WEBHOOK_EVENT_TYPES)
}).annotate({ identifier: "WebhookTest" })

const TestAnswer = Schema.Struct({
  delivered: Schema.Boolean.annotate({ description: "Whether a 2xx answer came within 5 seconds." }),
  status: Schema.NullOr(Schema.Int),
  duration_ms: Schema.Int,
  answer: Schema.NullOr(Schema.String).annotate({ description: "The first 16 KiB of the answer's body." }),
  error: Schema.NullOr(Schema.String).annotate({ description: "Why no answer came." }),
  body: Schema.String.annotate({ description: "What was sent." }),
  signing_secret: Schema.NullOr(Schema.String).annotate({
    description: "What signed it, made for this test; null where a webhook of the company has this URL: its secret did."
  })
}).annotate({ identifier: "WebhookTestResult" })

const Id = { id: text(1, 64) }

const reads = scopes("orders:read")
const writes = scopes("orders:write")

const create = HttpApiEndpoint.post("createWebhook", "/v1/webhooks", {
  payload: NewWebhook,
  success: WebhookWithSecret,
  error: [wire("invalid_request"), wire("conflict")]
})
  .annotate(Policy, writes)
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Be told of events",
      description: `Every event of the company recorded after this is posted to the URL. At most ${MOST_WEBHOOKS} a company.`
    })
  )

const list = HttpApiEndpoint.get("listWebhooks", "/v1/webhooks", {
  query: { metadata: MetadataFilter, ...pageQuery },
  success: HttpApiSchema.WithHeaders(Schema.Array(WebhookAnswer), { "x-total-count": Schema.FiniteFromString })
})
  .annotate(Policy, reads)
  .annotateMerge(OpenApi.annotations({ summary: "List the company's webhooks, oldest first" }))

const get = HttpApiEndpoint.get("getWebhook", "/v1/webhooks/:id", {
  params: Id,
  success: WebhookAnswer,
  error: wire("not_found")
})
  .annotate(Policy, reads)
  .annotateMerge(OpenApi.annotations({ summary: "One webhook" }))

const change = HttpApiEndpoint.patch("changeWebhook", "/v1/webhooks/:id", {
  params: Id,
  payload: WebhookChange,
  success: WebhookAnswer,
  error: [wire("invalid_request"), wire("not_found"), wire("unprocessable")]
})
  .annotate(Policy, writes)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change a webhook, disable or enable it",
      description:
        "What is left out stays. Failures at the URL before do not count for another one. A disabled webhook gets no event of the meantime; deliveries begun before go on when it is enabled."
    })
  )

const remove = HttpApiEndpoint.delete("deleteWebhook", "/v1/webhooks/:id", {
  params: Id,
  success: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate({
    identifier: "DeletedWebhook"
  }),
  error: wire("not_found")
})
  .annotate(Policy, writes)
  .annotateMerge(
    OpenApi.annotations({ summary: "Delete a webhook", description: "Nothing more is sent, also no pending delivery." })
  )

const rotate = HttpApiEndpoint.post("rotateWebhookSecret", "/v1/webhooks/:id/secret/rotate", {
  params: Id,
  success: WebhookWithSecret,
  error: [wire("not_found"), wire("conflict")]
})
  .annotate(Policy, writes)
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Sign with a new secret",
      description:
        "The secret before signs as well for 24 hours, also where it is rotated again meanwhile: each delivery carries " +
        `the signatures of all, at most ${MOST_SIGNING}. Where as many sign already, 409 says when one of them ends.`
    })
  )

const listDeliveries = HttpApiEndpoint.get("listWebhookDeliveries", "/v1/webhooks/:id/deliveries", {
  params: Id,
  query: {
    status: optional(delivery.status),
    event: optional(delivery.event),
    ...pageQuery
  },
  success: HttpApiSchema.WithHeaders(Schema.Array(Delivery), { "x-total-count": Schema.FiniteFromString }),
  error: wire("not_found")
})
  .annotate(Policy, reads)
  .annotateMerge(OpenApi.annotations({ summary: "List a webhook's deliveries, newest first" }))

const getDelivery = HttpApiEndpoint.get("getWebhookDelivery", "/v1/webhooks/deliveries/:id", {
  params: Id,
  success: DeliveryDetail,
  error: wire("not_found")
})
  .annotate(Policy, reads)
  .annotateMerge(OpenApi.annotations({ summary: "One delivery with its body, its attempts and why it failed" }))

const retryDelivery = HttpApiEndpoint.post("retryWebhookDelivery", "/v1/webhooks/deliveries/:id/retry", {
  params: Id,
  success: Delivery,
  error: [wire("not_found"), wire("conflict")]
})
  .annotate(Policy, writes)
  .annotateMerge(
    OpenApi.annotations({ summary: "Retry a failed delivery", description: "Begins five attempts anew, at once." })
  )

const retryFailed = HttpApiEndpoint.post("retryWebhookDeliveries", "/v1/webhooks/:id/retry", {
  params: Id,
  payload: Schema.Struct({
    since: UtcTimestamp.annotate({ description: "Deliveries that failed at this time or later are retried." })
  }).annotate({ identifier: "WebhookBulkRetry" }),
  success: Schema.Struct({
    retried: Schema.Int,
    left: Schema.Int.annotate({ description: "Those that a next request retries: one retries at most 10,000." })
  }).annotate({ identifier: "WebhookBulkRetryResult" }),
  error: [wire("not_found"), wire("conflict")]
})
  .annotate(Policy, writes)
  .annotateMerge(OpenApi.annotations({ summary: "Retry everything that failed since a time, the oldest first" }))

const QuotaAnswer = Schema.Struct({
  date: UtcDay,
  deliveries: Schema.Int.annotate({
    description: "Deliveries begun on the day, each once, however often it was tried."
  }),
  limit: Schema.NullOr(Schema.Int).annotate({ description: "What the plan allows on a day; null: no limit." }),
  held: Schema.Int.annotate({ description: "Deliveries that wait for room, of this day and days before." }),
  resets_at: UtcTimestamp.annotate({ description: "When the next day begins." })
}).annotate({ identifier: "WebhookQuota" })

const quota = HttpApiEndpoint.get("webhookQuota", "/v1/webhooks/quota", { success: QuotaAnswer })
  .annotate(Policy, reads)
  .annotateMerge(OpenApi.annotations({ summary: "How much of the day's deliveries the company has used" }))

const eventTypes = HttpApiEndpoint.get("listWebhookEventTypes", "/v1/webhooks/event-types", {
  success: Schema.Array(EventTypeAnswer)
})
  .annotate(Policy, reads)
  .annotateMerge(OpenApi.annotations({ summary: "What webhooks can be told of, each with an example" }))

const test = HttpApiEndpoint.post("testWebhook", "/v1/webhooks/test", {
  payload: Test,
  success: TestAnswer,
  error: wire("invalid_request")
})
  .annotate(Policy, writes)
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Post an example of an event to an endpoint",
      description:
        "At once, and answers what came of it. Addresses that deliveries may not go to are refused here as well."
    })
  )

/** Webhooks: whom companies let be told of what happens. Specification 6, and an extension but for the test. */
export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(create, list, get, change, remove, rotate, listDeliveries, getDelivery, retryDelivery, retryFailed)
  .add(eventTypes, quota, test)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Webhooks", description: "Events posted to a company's own servers, signed." })
  ) {}
