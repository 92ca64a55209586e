import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { wire } from "./ApiError.ts"
import { admin, Authorization, Policy } from "./Authorization.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const Plan = Schema.Literals(["standard", "pro", "enterprise"])

const Company = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  plan: Plan,
  created_at: UtcTimestamp
}).annotate({ identifier: "Company" })

const setPlan = HttpApiEndpoint.put("setCompanyPlan", "/v1/companies/:id/plan", {
  params: { id: text(1, 64) },
  payload: Schema.Struct({ plan: Plan }).annotate({ identifier: "PlanChange" }),
  success: Company,
  error: [wire("not_found"), wire("unavailable")]
})
  .annotate(Policy, admin)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Set a company's plan",
      description: "For administrators. Rate limits follow from the next request on. Written to the audit log."
    })
  )

/** Companies. Specification 4.2, 8. */
export class CompaniesApi extends HttpApiGroup.make("companies")
  .add(setPlan)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Companies", description: "Companies and their plans." })) {}
