import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CompanyAddress } from "../../engine/company/CompanyEvent.ts"
import { oauthWire, wire } from "./ApiError.ts"
import { open, Policy, SCOPES } from "./Authorization.ts"
import { AnswersSecret } from "./Conventions.ts"
import { Country } from "./Country.ts"
import { clearable, optional } from "./Optional.ts"
import { EmailAddress, lines, text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

/** A password to be set. It never appears in a log or a message. */
export const NewPassword = Schema.RedactedFromValue(text(8, 256), { label: "password" })

/** A password, secret or token as it is presented. */
export const Presented = Schema.RedactedFromValue(text(1, 1024), { label: "secret" })

/** Specification 2.3, as it is answered. */
export const PostalAddress = CompanyAddress

const postal = { street: lines(1, 200), city: text(1, 100), state: text(1, 100), postal_code: text(1, 20) }

/** Specification 2.3, as it is given. */
export const NewPostalAddress = Schema.Struct({
  street: optional(postal.street),
  city: optional(postal.city),
  state: optional(postal.state),
  postal_code: optional(postal.postal_code),
  country: optional(Country)
}).annotate({ identifier: "NewPostalAddress" })

/** Parts of an address that are to be otherwise: the others stay, and null or "" removes one. */
export const PostalAddressChange = Schema.Struct({
  street: clearable(postal.street),
  city: clearable(postal.city),
  state: clearable(postal.state),
  postal_code: clearable(postal.postal_code),
  country: clearable(Country)
}).annotate({ identifier: "PostalAddressChange" })

export const Phone = text(1, 32)

/** Specification 2.3. */
const Registration = Schema.Struct({
  email: EmailAddress,
  password: NewPassword,
  company_name: text(1, 200),
  contact_name: optional(text(1, 200)),
  phone: optional(Phone),
  tax_id: optional(text(1, 64)),
  address: optional(NewPostalAddress)
}).annotate({ identifier: "Registration" })

/** Specification 2.3, the registration response. */
export const Registered = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  company_name: Schema.String,
  status: Schema.Literals(["pending_kyc", "active", "suspended", "rejected"]),
  ecommerce_company_id: Schema.NullOr(Schema.String),
  created_at: UtcTimestamp
}).annotate({ identifier: "Registered" })

const tokenFields = {
  access_token: Schema.String,
  token_type: Schema.Literal("Bearer"),
  expires_in: Schema.Int.annotate({ description: "Seconds; 1800." }),
  refresh_token: Schema.String.annotate({
    description:
      "Good once, within 30 days of the sign-in: its use answers the next one, which replaces it. An old one that is used " +
      "again ends the sign-in."
  })
}

/** Specification 2.1. */
export const Tokens = Schema.Struct(tokenFields).annotate({ identifier: "TokenResponse" })

const userSummary = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  company_name: Schema.String,
  role: Schema.Literals(["admin", "buyer", "seller", "service"])
})

/** Specification 2.3, the login response. */
export const LoggedIn = Schema.Struct({ ...tokenFields, user: userSummary }).annotate({ identifier: "LoginResponse" })

/** An access token for the session of the browser's cookie. */
const SessionToken = Schema.Struct({
  access_token: tokenFields.access_token,
  token_type: tokenFields.token_type,
  expires_in: tokenFields.expires_in
}).annotate({ identifier: "SessionToken" })

/** Specification 2.14, UsernamePasswordAuth. */
export const Login = Schema.Struct({ email: text(1, 254), password: Presented }).annotate({ identifier: "Login" })

/** Specification 4.1 and RFC 6749, sections 4.4.2 and 6. The client may authenticate by HTTP Basic instead. */
const TokenRequest = Schema.Struct({
  grant_type: text(1, 100),
  client_id: optional(text(0, 100)),
  client_secret: optional(Schema.RedactedFromValue(text(0, 1024), { label: "client_secret" })),
  refresh_token: optional(Schema.RedactedFromValue(text(0, 1024), { label: "refresh_token" })),
  scope: optional(text(0, 1000))
}).annotate({ identifier: "TokenRequest" })

/** Specification 4.1 and RFC 7009, section 2.1. */
const Revocation = Schema.Struct({
  refresh_token: optional(Presented),
  token: optional(Presented),
  token_type_hint: optional(text(0, 100))
}).annotate({ identifier: "Revocation" })

/** Specification 2.6. */
const Account = Schema.Struct({
  email: EmailAddress,
  accountName: text(1, 200),
  firstname: text(1, 99),
  lastname: text(1, 100),
  password: NewPassword,
  country: Country,
  city: text(1, 100),
  address: lines(1, 200)
}).annotate({ identifier: "Account" })

const loginErrors = [wire("unauthorized"), wire("access_denied"), wire("rate_limited"), wire("unavailable")]
const registerErrors = [wire("conflict"), wire("unavailable")]

const register = HttpApiEndpoint.post("register", "/api/v1/auth/register", {
  payload: Registration,
  success: Registered,
  error: registerErrors
}).annotateMerge(OpenApi.annotations({ summary: "Register a company and its first user" }))

const login = HttpApiEndpoint.post("login", "/api/v1/auth/login", {
  payload: Login,
  success: LoggedIn,
  error: loginErrors
})
  .annotate(AnswersSecret, true)
  .annotateMerge(OpenApi.annotations({ summary: "Get tokens for an email and password" }))

const token = HttpApiEndpoint.post("token", "/api/v1/auth/token", {
  payload: [TokenRequest, TokenRequest.pipe(HttpApiSchema.asFormUrlEncoded())],
  success: Tokens,
  error: [
    oauthWire("invalid_request"),
    oauthWire("invalid_client"),
    oauthWire("invalid_grant"),
    oauthWire("unauthorized_client"),
    oauthWire("invalid_scope"),
    oauthWire("unsupported_grant_type"),
    oauthWire("access_denied"),
    oauthWire("rate_limited"),
    oauthWire("unavailable")
  ]
})
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Get tokens for client credentials or a refresh token",
      description:
        "JSON or form body; the client authenticates in the body or by HTTP Basic. A refresh token is replaced at each " +
        "use: using it again later than 10 seconds after revokes all refresh tokens of that sign-in."
    })
  )

const revoke = HttpApiEndpoint.post("revoke", "/api/v1/auth/revoke", {
  payload: [Revocation, Revocation.pipe(HttpApiSchema.asFormUrlEncoded())],
  success: Schema.Struct({}).annotate({ identifier: "Revoked" }),
  error: [oauthWire("invalid_request"), oauthWire("unavailable")]
}).annotateMerge(
  OpenApi.annotations({ summary: "Log out", description: "An unknown or expired token is answered alike (RFC 7009)." })
)

const logout = HttpApiEndpoint.post("logout", "/v1/logout", {
  success: Schema.Struct({}).annotate({ identifier: "LoggedOut" }),
  error: [wire("access_denied"), wire("unavailable")]
})
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "End the browser's session",
      description:
        "Ends the session of the cookie that login set, and removes the cookie. A request with the cookie needs an Origin " +
        "header of this site. Without a session it is answered alike. Tokens live on: revoke the refresh token too."
    })
  )

const session = HttpApiEndpoint.post("session", "/api/v1/auth/session", {
  success: SessionToken,
  error: [wire("unauthorized"), wire("access_denied"), wire("unavailable")]
})
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Get an access token for the browser's session",
      description:
        "For pages of the platform: the session of the cookie that login set stands for its user. Needs an Origin header " +
        "of this site. There is no refresh token: ask again while the session lasts."
    })
  )

const authenticate = HttpApiEndpoint.post("authenticate", "/v1/authenticate", {
  payload: Login,
  success: LoggedIn,
  error: loginErrors
})
  .annotate(AnswersSecret, true)
  .annotateMerge(OpenApi.annotations({ summary: "The older form of login" }))

const account = HttpApiEndpoint.post("account", "/v1/account", {
  payload: Account,
  success: Registered,
  error: registerErrors
}).annotateMerge(OpenApi.annotations({ summary: "The older form of registration" }))

/** Specification 2.14, Client / authorize request. */
const Authorize = Schema.Struct({
  client_id: text(1, 100),
  client_secret: Presented,
  username: text(1, 254),
  password: Presented
}).annotate({ identifier: "AuthorizeRequest" })

const authorize = HttpApiEndpoint.post("authorize", "/v1/authorize", {
  payload: [Authorize, Authorize.pipe(HttpApiSchema.asFormUrlEncoded())],
  success: Tokens,
  error: [
    oauthWire("invalid_request"),
    oauthWire("invalid_client"),
    oauthWire("invalid_grant"),
    oauthWire("access_denied"),
    oauthWire("rate_limited"),
    oauthWire("unavailable")
  ]
})
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Get a user's tokens for an API client",
      description: "The older form: the client shows its own secret and the user's email and password."
    })
  )

/** The parts of RFC 8414 that hold here: there is no authorization endpoint. */
const Metadata = Schema.Struct({
  issuer: Schema.String,
  token_endpoint: Schema.String,
  revocation_endpoint: Schema.String,
  jwks_uri: Schema.String,
  scopes_supported: Schema.Array(Schema.Literals(SCOPES)),
  response_types_supported: Schema.Array(Schema.String),
  grant_types_supported: Schema.Array(Schema.String),
  token_endpoint_auth_methods_supported: Schema.Array(Schema.String),
  revocation_endpoint_auth_methods_supported: Schema.Array(Schema.String),
  service_documentation: Schema.String
}).annotate({ identifier: "AuthorizationServerMetadata" })

const metadata = HttpApiEndpoint.get("metadata", "/.well-known/oauth-authorization-server", {
  success: Metadata
}).annotateMerge(OpenApi.annotations({ summary: "What an OAuth client needs to know (RFC 8414)" }))

/** A public signing key. RFC 8037. */
const Jwk = Schema.Struct({
  kty: Schema.Literal("OKP"),
  crv: Schema.Literal("Ed25519"),
  x: Schema.String,
  kid: Schema.String,
  alg: Schema.Literal("EdDSA"),
  use: Schema.Literal("sig")
}).annotate({ identifier: "Jwk" })

const jwks = HttpApiEndpoint.get("jwks", "/.well-known/jwks.json", {
  success: Schema.Struct({ keys: Schema.Array(Jwk) }).annotate({ identifier: "Jwks" })
}).annotateMerge(OpenApi.annotations({ summary: "The keys that verify access tokens" }))

/** Registration, login and tokens. Specification 4.1, 5. */
export class AuthApi extends HttpApiGroup.make("auth")
  .add(register, login, token, session, authorize, revoke, logout, authenticate, account, jwks, metadata)
  .annotate(Policy, open)
  .annotateMerge(OpenApi.annotations({ title: "Authentication", description: "Registration, login and tokens." })) {}
