import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { wire } from "./ApiError.ts"
import { NewPassword, Phone } from "./Auth.ts"
import { admin, Authorization, Policy, scopes } from "./Authorization.ts"
import { Country } from "./Country.ts"
import { optional } from "./Optional.ts"
import { pageQuery } from "./Paging.ts"
import { EmailAddress, lines, text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const nullable = Schema.NullOr(Schema.String)

const STATUSES = ["pending_kyc", "active", "suspended", "rejected"] as const

/** Specification 2.4: no other fields are taken. */
const NewUser = Schema.Struct({
  email: EmailAddress,
  password: NewPassword,
  cellphone: Phone,
  firstname: text(1, 99),
  lastname: text(1, 100),
  country: Country,
  address: lines(1, 200),
  accountname: optional(text(1, 200)),
  language: optional(text(1, 35)),
  profileurl: optional(text(1, 2048)),
  appsprofile: optional(text(1, 2048)),
  accesstoken: optional(
    Schema.RedactedFromValue(text(1, 4096), { label: "accesstoken" }).annotate({
      description: "Taken and not kept: a user signs in with the email and password."
    })
  )
}).annotate({ identifier: "NewUser" })

/** A person of a company. Specification 2.4, and what the platform knows beside it. */
export const Person = Schema.Struct({
  id: Schema.String,
  email: nullable,
  email_verified: Schema.Boolean,
  cellphone: nullable,
  firstname: nullable,
  lastname: nullable,
  contact_name: nullable,
  country: nullable,
  address: nullable,
  accountname: nullable,
  language: nullable,
  profileurl: nullable,
  appsprofile: nullable,
  company_id: Schema.String,
  company_name: Schema.String,
  role: Schema.Literals(["admin", "buyer", "seller", "service"]),
  status: Schema.Literals(STATUSES),
  wallet_address: nullable,
  created_at: UtcTimestamp
}).annotate({ identifier: "Person" })

const UserId = { userId: text(1, 64) }

const CompanyId = text(1, 64).annotate({
  description: "Extension: for administrators, whose users. By default one's own."
})

const add = HttpApiEndpoint.post("addUser", "/v1/users", {
  query: { company_id: optional(CompanyId) },
  payload: NewUser,
  success: Person,
  error: [wire("not_found"), wire("conflict"), wire("unavailable")]
})
  .annotate(Policy, scopes("users:write"))
  .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Add a user to the company",
      description:
        "A buyer who awaits KYC, and gets a mail to verify the address. A sign-in of the new user may do no more than " +
        "the token that added it."
    })
  )

const list = HttpApiEndpoint.get("listUsers", "/v1/users", {
  query: {
    company_id: optional(CompanyId),
    status: optional(Schema.Literals(STATUSES)),
    ...pageQuery
  },
  success: HttpApiSchema.WithHeaders(Schema.Array(Person), { "x-total-count": Schema.FiniteFromString }),
  error: wire("not_found")
})
  .annotate(Policy, scopes("users:read"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "List the company's users, oldest first",
      description: "Administrators list everybody's. API clients' own principals are not among them."
    })
  )

const get = HttpApiEndpoint.get("getUser", "/v1/users/:userId", {
  params: UserId,
  success: Person,
  error: wire("not_found")
})
  .annotate(Policy, scopes("users:read"))
  .annotateMerge(OpenApi.annotations({ summary: "One user of the company" }))

const moved = [wire("not_found"), wire("conflict"), wire("unavailable")] as const

const verify = HttpApiEndpoint.put("verifyUser", "/v1/users/verify/:userId", {
  params: UserId,
  success: Person,
  error: moved
}).annotateMerge(
  OpenApi.annotations({
    summary: "Verify a user",
    description:
      "pending_kyc becomes active. There must be a KYC record that was not rejected; one that awaits review is verified " +
      "with the user. A user who is active already stays so."
  })
)

const reject = HttpApiEndpoint.put("rejectUser", "/v1/users/verify/:userId/reject", {
  params: UserId,
  success: Person,
  error: moved
}).annotateMerge(
  OpenApi.annotations({
    summary: "Reject a user",
    description: "pending_kyc becomes rejected, for good, and so does a KYC record that awaits review."
  })
)

const suspend = HttpApiEndpoint.put("suspendUser", "/v1/users/:userId/suspend", {
  params: UserId,
  success: Person,
  error: moved
}).annotateMerge(
  OpenApi.annotations({
    summary: "Suspend a user",
    description:
      "active becomes suspended. Every token, session and stream of the user and of API clients that the user made is " +
      "refused at once."
  })
)

const reactivate = HttpApiEndpoint.put("reactivateUser", "/v1/users/:userId/reactivate", {
  params: UserId,
  success: Person,
  error: moved
}).annotateMerge(
  OpenApi.annotations({
    summary: "Reactivate a user",
    description: "suspended becomes active. Sign-ins that ended stay so."
  })
)

const setRole = HttpApiEndpoint.put("setUserRole", "/v1/users/:userId/role", {
  params: UserId,
  payload: Schema.Struct({ role: Schema.Literals(["admin", "buyer", "seller"]) }).annotate({
    identifier: "RoleChange"
  }),
  success: Person,
  error: [...moved, wire("unprocessable")]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Set a user's role",
    description:
      "The role comes whole: a limit on what sign-ins may do is lifted. Every token and session of the user ends."
  })
)

/** A company's users. Specification 2.4, 4.2. */
export class UsersApi extends HttpApiGroup.make("users")
  .add(add, list, get)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Users", description: "The people of a company." })) {}

/** What administrators do to users. Specification 3, 4.2. */
export class UserAdministrationApi extends HttpApiGroup.make("userAdministration")
  .add(verify, reject, suspend, reactivate, setRole)
  .annotate(Policy, admin)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "User administration",
      description: "For administrators. Every change is written to the audit log."
    })
  ) {}
