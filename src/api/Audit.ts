import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { admin, Authorization, Policy } from "./Authorization.ts"
import { optional } from "./Optional.ts"
import { pageQuery } from "./Paging.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const Facts = Schema.NullOr(Schema.Record(Schema.String, Schema.NullOr(Schema.Union([Schema.String, Schema.Boolean]))))

const AuditEntry = Schema.Struct({
  id: Schema.Int,
  at: UtcTimestamp,
  actor_id: Schema.String.annotate({ description: "Who." }),
  act: Schema.String.annotate({ description: "What, such as user.suspend." }),
  subject_id: Schema.String.annotate({ description: "Whom or which." }),
  before: Facts,
  after: Facts,
  request_id: Schema.NullOr(Schema.String)
}).annotate({ identifier: "AuditEntry" })

const list = HttpApiEndpoint.get("listAudit", "/v1/audit", {
  query: {
    actor_id: optional(text(1, 64)),
    subject_id: optional(text(1, 64)),
    act: optional(text(1, 64)),
    ...pageQuery
  },
  success: HttpApiSchema.WithHeaders(Schema.Array(AuditEntry), { "x-total-count": Schema.FiniteFromString })
})
  .annotate(Policy, admin)
  .annotateMerge(
    OpenApi.annotations({ summary: "List what administrators did, newest first", description: "For administrators." })
  )

/** The audit log of administrators' acts. An extension. */
export class AuditApi extends HttpApiGroup.make("audit")
  .add(list)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Audit log", description: "Administrators' acts; entries never change." })
  ) {}
