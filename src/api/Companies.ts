import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CompanyPlan } from "../../engine/company/CompanyEvent.ts"
import { CompanyAnswer } from "../../engine/company/CompanyObject.ts"
import { wire } from "./ApiError.ts"
import { NewPostalAddress, Phone } from "./Auth.ts"
import { admin, Authorization, Policy, scopes } from "./Authorization.ts"
import { Country } from "./Country.ts"
import { clearable, optional } from "./Optional.ts"
import { pageQuery } from "./Paging.ts"
import { EmailAddress, text } from "./Text.ts"

const NewCompany = Schema.Struct({
  name: text(1, 200),
  tax_id: optional(text(1, 64)),
  email: optional(EmailAddress),
  phone: optional(Phone),
  country: optional(Country),
  address: optional(NewPostalAddress)
}).annotate({ identifier: "NewCompany" })

const CompanyChange = Schema.Struct({
  name: optional(text(1, 200)),
  tax_id: clearable(text(1, 64)),
  email: clearable(EmailAddress),
  phone: clearable(Phone),
  country: clearable(Country),
  address: clearable(NewPostalAddress)
}).annotate({ identifier: "CompanyChange" })

const CompanyId = { id: text(1, 64) }

const create = HttpApiEndpoint.post("createCompany", "/v1/companies", {
  payload: NewCompany,
  success: CompanyAnswer,
  error: [wire("conflict"), wire("unavailable")]
})
  .annotate(Policy, scopes("orders:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Make a company that the caller's company manages",
      description:
        "Such as a distributor's customer, or a subsidiary: the caller's company may read and change it and order for " +
        "it. Administrators make companies that nobody manages. Whoever signs up makes a company by registering."
    })
  )

const list = HttpApiEndpoint.get("listCompanies", "/v1/companies", {
  query: {
    q: optional(text(1, 100).annotate({ description: "A part of the name, in whatever case." })),
    ...pageQuery
  },
  success: HttpApiSchema.WithHeaders(Schema.Array(CompanyAnswer), { "x-total-count": Schema.FiniteFromString })
})
  .annotate(Policy, scopes("orders:read"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "List the caller's company and those that it manages, oldest first",
      description: "Administrators list all."
    })
  )

const get = HttpApiEndpoint.get("getCompany", "/v1/companies/:id", {
  params: CompanyId,
  success: CompanyAnswer,
  error: wire("not_found")
})
  .annotate(Policy, scopes("orders:read"))
  .annotateMerge(OpenApi.annotations({ summary: "The caller's company, or one that it manages" }))

const moved = [wire("not_found"), wire("unavailable")] as const

const change = HttpApiEndpoint.patch("changeCompany", "/v1/companies/:id", {
  params: CompanyId,
  payload: CompanyChange,
  success: CompanyAnswer,
  error: moved
})
  .annotate(Policy, scopes("orders:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change the caller's company, or one that it manages",
      description:
        'A field that is left out stays as it is, null or "" empties it; an address is replaced whole. What an administrator ' +
        "changes of others is written to the audit log."
    })
  )

const setPlan = HttpApiEndpoint.put("setCompanyPlan", "/v1/companies/:id/plan", {
  params: CompanyId,
  payload: Schema.Struct({ plan: CompanyPlan }).annotate({ identifier: "PlanChange" }),
  success: CompanyAnswer,
  error: moved
})
  .annotate(Policy, admin)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Set a company's plan",
      description: "For administrators. Rate limits follow from the next request on. Written to the audit log."
    })
  )

const setEntitlements = HttpApiEndpoint.put("setCompanyEntitlements", "/v1/companies/:id/entitlements", {
  params: CompanyId,
  payload: Schema.Struct({ machine_trader: Schema.Boolean }).annotate({ identifier: "EntitlementsChange" }),
  success: CompanyAnswer,
  error: moved
})
  .annotate(Policy, admin)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Withdraw or give back what a company's plan gives",
      description:
        "For administrators. Without machine_trader a company makes and starts no bots, and its active ones are " +
        "suspended. Given back, they can be resumed. Written to the audit log."
    })
  )

const verify = HttpApiEndpoint.put("verifyCompany", "/v1/companies/:id/verify", {
  params: CompanyId,
  success: CompanyAnswer,
  error: moved
})
  .annotate(Policy, admin)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Verify a company",
      description: "For administrators. pending becomes verified, for good. Written to the audit log."
    })
  )

/** Companies. Specification 4.2, 8. */
export class CompaniesApi extends HttpApiGroup.make("companies")
  .add(create, list, get, change, setPlan, setEntitlements, verify)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Companies", description: "Companies, those that they manage, and their plans." })
  ) {}
