import { Context, Effect, Redacted } from "effect"
import { refusal } from "../../../engine/wire/Refusal.ts"
import { HttpEffect, HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import * as HandlerGroup from "../../http/HandlerGroup.ts"
import { Api } from "../../api/Api.ts"
import { ApiError, refuse } from "../../api/ApiError.ts"
import { Registered } from "../../api/Auth.ts"
import { Settings } from "../../Config.ts"
import type { IdempotencyRepository } from "../../http/IdempotencyRepository.ts"
import { keepWithin } from "../../http/KeptResponse.ts"
import { RequestState } from "../../RequestState.ts"
import { setCookie } from "./ResponseCookie.ts"
import { metadataOf } from "../tokens/AuthorizationServer.ts"
import * as BasicCredentials from "../tokens/BasicCredentials.ts"
import { EmailVerification } from "../accounts/EmailVerification.ts"
import { issuer } from "../tokens/Issuer.ts"
import { LoginAttempts } from "./LoginAttempts.ts"
import { SigningKeys } from "../tokens/SigningKeys.ts"
import * as TokenEndpoint from "../tokens/TokenEndpoint.ts"
import { TokenGrants } from "../tokens/TokenGrants.ts"
import type { ClientCredentials } from "../tokens/TokenGrants.ts"
import * as SessionCookie from "./SessionCookie.ts"
import { Sessions } from "./Sessions.ts"
import type { User } from "../users/User.ts"
import { Users } from "../users/Users.ts"
import type { Registration } from "../users/Users.ts"

/** The request is of a page that may not sign anybody in. */
class ForeignPage extends refusal(
  "ForeignPage",
  "access_denied",
  () => "A page of another site cannot sign in here: open this site's own, or have the origin listed."
) {}

const registered = (user: User) => ({
  id: user.id,
  email: user.email ?? "",
  company_name: user.companyName,
  status: user.status,
  ecommerce_company_id: user.ecommerceCompanyId ?? null,
  created_at: user.createdAt
})

const summary = (user: User) => ({
  id: user.id,
  email: user.email ?? "",
  company_name: user.companyName,
  role: user.role
})

const addressOf = Effect.map(Effect.context<never>(), (context) => Context.getOrUndefined(context, RequestState))

/** RFC 6749, section 5.2: a client that used the header is told the scheme it used. */
const challengeBasic = (request: HttpServerRequest.HttpServerRequest) =>
  BasicCredentials.isBasic(request.headers["authorization"])
    ? HttpEffect.appendPreResponseHandler((_, response) =>
        Effect.succeed(
          response.status === 401
            ? HttpServerResponse.setHeader(response, "www-authenticate", 'Basic realm="emporion"')
            : response
        )
      )
    : Effect.void

const register = (registration: Registration) =>
  Effect.gen(function* () {
    const { register: add } = yield* Users
    const keep = yield* keepWithin(Registered)
    const user = yield* add(registration, (made) => keep(registered(made)))
    yield* Effect.flatMap(EmailVerification, ({ send }) => send(user))
    return registered(user)
  })

/** A page of another site signs nobody in here, as it could as somebody whom it chose. */
const fromOwnPage = Effect.fnUntraced(function* ({ headers: { host, origin } }: HttpServerRequest.HttpServerRequest) {
  const { server } = yield* Settings
  if (origin === undefined || SessionCookie.isSameOrigin(server, { cookie: undefined, host, origin })) return true
  return server.corsOrigins.includes(origin) ? false : yield* new ForeignPage()
})

const login = Effect.fnUntraced(function* (
  email: string,
  password: Redacted.Redacted,
  request: HttpServerRequest.HttpServerRequest
) {
  const begins = yield* fromOwnPage(request)
  const users = yield* Users
  const grants = yield* TokenGrants
  const state = yield* addressOf
  const sessions = yield* Sessions
  const user = yield* users.login(email, password, state?.address ?? "")
  const tokens = yield* grants.login(user)
  if (begins) yield* setCookie(yield* sessions.begin(user))
  return { ...tokens, user: summary(user) }
})

const token = Effect.fnUntraced(function* (
  payload: TokenEndpoint.TokenRequest,
  request: HttpServerRequest.HttpServerRequest
) {
  const grants = yield* TokenGrants
  const attempts = yield* LoginAttempts
  const state = yield* addressOf
  yield* challengeBasic(request)
  const asked = yield* TokenEndpoint.read(payload, request.headers["authorization"])
  const granted = Effect.gen(function* () {
    return asked._tag === "Refresh"
      ? yield* grants.refresh(asked.token, asked.client, asked.scope)
      : yield* grants.clientCredentials(asked.client, asked.scope)
  })
  if (asked.client === undefined) return yield* granted
  const attempt = Effect.catchTag(granted, "InvalidClient", () => Effect.undefined)
  const answer = yield* attempts.attempt(`client ${asked.client.clientId}`, state?.address ?? "", attempt)
  return answer ?? (yield* Effect.fail(new ApiError("invalid_client")))
})

/** A wrong password is refused as RFC 6749, section 5.2, has it. */
const authorize = Effect.fnUntraced(
  function* (client: ClientCredentials, username: string, password: Redacted.Redacted) {
    const users = yield* Users
    const grants = yield* TokenGrants
    const attempts = yield* LoginAttempts
    const address = (yield* addressOf)?.address ?? ""
    const granted = grants.onBehalf(client, users.login(username, password, address))
    const attempt = Effect.catchTag(granted, "InvalidClient", () => Effect.undefined)
    const answer = yield* attempts.attempt(`client ${client.clientId}`, address, attempt)
    return answer ?? (yield* Effect.fail(new ApiError("invalid_client")))
  },
  Effect.catchTag("WrongCredentials", () => refuse("invalid_grant", "The username or the password is wrong.")),
  Effect.catchTag("SignInOutdated", () => refuse("invalid_grant", "The account changed meanwhile: sign in again."))
)

const revoke = Effect.fnUntraced(function* (presented: Redacted.Redacted | undefined) {
  const grants = yield* TokenGrants
  if (presented === undefined) {
    return yield* Effect.fail(new ApiError("invalid_request", "payload.refresh_token: Expected a value, or a token"))
  }
  yield* grants.revoke(Redacted.value(presented))
  return {}
})

const logout = Effect.fnUntraced(function* ({ headers }: HttpServerRequest.HttpServerRequest) {
  const sessions = yield* Sessions
  const { cookie, host, origin } = headers
  yield* setCookie(yield* sessions.end({ cookie, host, origin }))
  return {}
})

/** A token for the session's user, with the scopes that the user may have now. */
const session = Effect.fnUntraced(function* ({ headers }: HttpServerRequest.HttpServerRequest) {
  const sessions = yield* Sessions
  const grants = yield* TokenGrants
  const { cookie, host, origin } = headers
  const found = yield* sessions.ofRequest("POST", { cookie, host, origin })
  if (found === undefined) return yield* Effect.fail(new ApiError("unauthorized", "There is no session: sign in."))
  return yield* grants.session(found.principal.userId)
})

/** The auth group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "auth",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* SigningKeys
    const metadata = metadataOf(issuer((yield* Settings).server))
    const context = yield* Effect.context<
      EmailVerification | IdempotencyRepository | Users | TokenGrants | LoginAttempts | Sessions | Settings
    >()
    const serve = Effect.provideContext(context)
    return handlers.handleAll({
      register: ({ payload: { company_name, contact_name, tax_id, ...rest } }) =>
        serve(register({ ...rest, companyName: company_name, contactName: contact_name, taxId: tax_id })),
      login: ({ payload, request }) => serve(login(payload.email, payload.password, request)),
      authenticate: ({ payload, request }) => serve(login(payload.email, payload.password, request)),
      token: ({ payload, request }) => serve(token(payload, request)),
      authorize: ({ payload: { client_id: clientId, client_secret: secret, username, password } }) =>
        serve(authorize({ clientId, secret }, username, password)),
      metadata: () => Effect.succeed(metadata),
      revoke: ({ payload }) => serve(revoke(payload.refresh_token ?? payload.token)),
      session: ({ request }) => serve(session(request)),
      logout: ({ request }) => serve(logout(request)),
      account: ({ payload: { email, password, accountName, firstname, lastname, address, city, country } }) =>
        serve(
          register({
            email,
            password,
            companyName: accountName,
            contactName: `${firstname} ${lastname}`,
            address: { street: address, city, country }
          })
        ),
      jwks: () => Effect.map(keys.published, (published) => ({ keys: published }))
    })
  })
)
