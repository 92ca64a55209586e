import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { wire } from "./ApiError.ts"
import { Authorization, Policy, scopes } from "./Authorization.ts"
import { optional } from "./Optional.ts"
import { DEFAULT_LIMIT, MAX_LIMIT, wholeNumber } from "./Paging.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const ID = "an id of this list, such as 1816123456789012"

/** Where a page begins: a row may be gone meanwhile, and the page still follows. */
const After = Schema.String.check(Schema.isPattern(/^[1-9]\d{0,15}$/, { expected: ID }))
  .annotate({ description: "The id of a row: the page has those before it. The Link header has the next page." })
  .pipe(Schema.decodeTo(Schema.FiniteFromString))

const Sequence = Schema.String.check(Schema.isPattern(/^[1-9]\d{0,14}$/, { expected: "the sequence of an event" }))
  .annotate({ description: "Only the request that wrote this event, by its place in all events." })
  .pipe(Schema.decodeTo(Schema.FiniteFromString))

const nullableText = Schema.NullOr(Schema.String)

const bytes = Schema.NullOr(Schema.Int)

const row = {
  id: Schema.String.annotate({ description: "In this log; it grows with the time of the answer." }),
  request_id: Schema.String.annotate({ description: "X-Request-Id of the answer. Callers may send one of their own." }),
  at: UtcTimestamp.annotate({ description: "When the request arrived." }),
  company_id: nullableText.annotate({ description: "The caller's; null where nobody could tell who sent it." }),
  user_id: nullableText,
  client_id: nullableText.annotate({ description: "The API client, or the platform's own pages." }),
  address: Schema.String.annotate({ description: "The address that it came from." }),
  operation: Schema.String.annotate({
    description: "Method and path template, such as POST /v1/transfers; unmatched where there is no such operation."
  }),
  path: Schema.String.annotate({ description: "The path as it was written, at most 300 characters." }),
  status: Schema.Int,
  code: nullableText.annotate({ description: "The code of a refusal." }),
  duration_ms: Schema.Finite.annotate({ description: "From the arrival to the answer." }),
  request_bytes: bytes.annotate({ description: "The length of the body, where it was said." }),
  response_bytes: bytes.annotate({ description: "The length of the answer's body, before it is compressed." }),
  trace_id: nullableText.annotate({ description: "The trace it belongs to (W3C Trace Context)." }),
  event_seqs: Schema.Array(Schema.Int).annotate({
    description: "The events that it wrote, by their place in all events, the first 16."
  })
}

const RequestAnswer = Schema.Struct(row).annotate({ identifier: "LoggedRequest" })

const Phases = Schema.Struct({
  checks_ms: Schema.Finite.annotate({
    description: "Reading and checking the request, before it asked for its commit."
  }),
  decision_ms: Schema.Finite.annotate({
    description: "Waiting for whoever decides, the decision, and the group that it was written with."
  }),
  append_ms: Schema.Finite.annotate({ description: "From when that was sent to the journal to when it was durable." }),
  answer_ms: Schema.Finite.annotate({ description: "From there to the answer." }),
  projection_ms: Schema.NullOr(Schema.Finite).annotate({
    description: "From when it was sent to the journal to when the tables had it, which no request waits for."
  })
}).annotate({ identifier: "RequestPhases" })

const RequestDetail = Schema.Struct({
  ...row,
  query: nullableText.annotate({ description: "Of a refused request, without secrets." }),
  body: nullableText.annotate({
    description:
      "The body of a refused request, as JSON without secrets: what is in a field that the operation does not know is " +
      "removed as well. Null where it was refused before it was read, is longer than 8,192 characters or is no JSON."
  }),
  phases: Schema.NullOr(Phases).annotate({
    description: "Where the time went of a request that wrote something. All but the last add up to duration_ms."
  })
}).annotate({ identifier: "LoggedRequestDetail" })

const list = HttpApiEndpoint.get("listRequests", "/v1/requests", {
  query: {
    status: optional(
      Schema.Literals(["refused", "2xx", "3xx", "4xx", "5xx"]).annotate({ description: "refused: 4xx and 5xx." })
    ),
    code: optional(text(1, 64).annotate({ description: "Such as insufficient_funds." })),
    operation: optional(text(1, 300).annotate({ description: "Such as POST /v1/transfers." })),
    path: optional(text(1, 200).annotate({ description: "What the path contains." })),
    user_id: optional(text(1, 64)),
    company_id: optional(
      text(1, 64).annotate({ description: "For administrators, whose; by default all. Others have their own." })
    ),
    event_seq: optional(Sequence),
    since: optional(UtcTimestamp.annotate({ description: "Answered at this time or later." })),
    until: optional(UtcTimestamp.annotate({ description: "Answered before this time." })),
    limit: optional(wholeNumber(1, MAX_LIMIT, DEFAULT_LIMIT)),
    after: optional(After)
  },
  success: HttpApiSchema.WithHeaders(Schema.Array(RequestAnswer), {
    "x-total-count": Schema.optionalKey(Schema.FiniteFromString)
  })
})
  .annotate(Policy, scopes("users:read"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "List the requests of the caller's company, newest first",
      description:
        "Requests that change something and refused ones, within two seconds, for as long as the operator keeps them; " +
        "the operator may log those that only read as well. Administrators see everybody's. By status, code, operation, path or " +
        "user_id a page looks through 20,000 requests: it may have few or none, and the Link header the next page. " +
        "X-Total-Count is there where no more than 20,000 requests have to be looked through to count."
    })
  )

const get = HttpApiEndpoint.get("getRequest", "/v1/requests/:id", {
  params: { id: text(1, 64).annotate({ description: "Its id in the log, or the X-Request-Id of its answer." }) },
  success: RequestDetail,
  error: wire("not_found")
})
  .annotate(Policy, scopes("users:read"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "One request, with the body that was refused or the phases of its commit",
      description: "Of several with the same X-Request-Id, the newest."
    })
  )

/** The log of requests. An extension. */
export class RequestsApi extends HttpApiGroup.make("requests")
  .add(list, get)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Requests", description: "What was asked of the platform, and how it was answered." })
  ) {}
