import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { wire } from "./ApiError.ts"
import { open, Policy } from "./Authorization.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const Alive = Schema.Struct({ status: Schema.Literal("ok") }).annotate({ identifier: "Health" })

const Info = Schema.Struct({
  name: Schema.String,
  /** The interface's version. Specification 9. */
  version: Schema.String,
  /** The program's own version. */
  release: Schema.String,
  mode: Schema.Literals(["sandbox", "production"]),
  time: UtcTimestamp,
  documentation: Schema.String
}).annotate({ identifier: "Info" })

const live = HttpApiEndpoint.get("live", "/health/live", { success: Alive }).annotateMerge(
  OpenApi.annotations({ summary: "Whether the process runs", description: "For an orchestrator. An extension." })
)

const ready = HttpApiEndpoint.get("ready", "/health/ready", {
  success: Alive,
  error: wire("unavailable")
}).annotateMerge(
  OpenApi.annotations({
    summary: "Whether requests can be served",
    description: "503 while the database is away or the server drains. An extension."
  })
)

const info = HttpApiEndpoint.get("info", "/v1/info", { success: Info }).annotateMerge(
  OpenApi.annotations({ summary: "Basic server information" })
)

/** Health probes and `GET /v1/info`. Specification 4.2, 9. */
export class SystemApi extends HttpApiGroup.make("system")
  .add(live, ready, info)
  .annotate(Policy, open)
  .annotateMerge(OpenApi.annotations({ title: "System", description: "Health and server information." })) {}
