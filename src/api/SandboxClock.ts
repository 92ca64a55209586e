import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { wire } from "./ApiError.ts"
import { admin, Authorization, Policy } from "./Authorization.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const Answer = Schema.Struct({
  now: UtcTimestamp.annotate({ description: "What the clock says." }),
  ahead_seconds: Schema.Int.annotate({ description: "How far that is ahead of the machine's clock." }),
  status: Schema.Literals(["ready", "advancing"]).annotate({
    description: "advancing: it is on its way to `until`, and does what is due on the way."
  }),
  until: Schema.NullOr(UtcTimestamp)
}).annotate({ identifier: "SandboxClock" })

const get = HttpApiEndpoint.get("sandboxClock", "/v1/sandbox/clock", { success: Answer }).annotateMerge(
  OpenApi.annotations({ summary: "What the sandbox's clock says", description: "For administrators." })
)

const advance = HttpApiEndpoint.post("advanceSandboxClock", "/v1/sandbox/clock", {
  payload: Schema.Struct({
    until: UtcTimestamp.annotate({ description: "Until when, at most 366 days ahead. Time never goes back." })
  }),
  success: Answer,
  error: [wire("access_denied"), wire("conflict"), wire("invalid_request"), wire("unavailable")]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Set the sandbox's clock forward",
    description:
      "For administrators. Answers at once with `advancing`; ask again until it is `ready`. The clock goes on in steps of an hour, " +
      "and what is due in a step is done before the next: periods of subscriptions, payments, settlements of orders, months of credits. " +
      "Tokens and sessions end in its time, too. 403 in production and in a cluster. 409 while it is on its way."
  })
)

/** The clock of a sandbox. An extension. */
export class SandboxClockApi extends HttpApiGroup.make("sandbox")
  .add(get, advance)
  .middleware(Authorization)
  .annotate(Policy, admin)
  .annotateMerge(
    OpenApi.annotations({ title: "Sandbox", description: "What a sandbox has that production has not." })
  ) {}
