import { Effect, Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { Api } from "../../api/Api.ts"
import { ApiError } from "../../api/ApiError.ts"
import { sitePathOf } from "../../api/SitePath.ts"
import { Settings } from "../../Config.ts"
import * as HandlerGroup from "../../http/HandlerGroup.ts"
import { setCookie } from "../sessions/ResponseCookie.ts"
import { Sessions } from "../sessions/Sessions.ts"
import { TokenGrants } from "../tokens/TokenGrants.ts"
import type { User } from "../users/User.ts"
import type { SignInOutdated } from "../users/UserError.ts"
import { providerCallback, shopCallback } from "./CallbackPage.ts"
import { ExternalIdentities } from "./ExternalIdentities.ts"
import { IdentityProvider } from "./IdentityProvider.ts"
import { PendingSignIns } from "./PendingSignIns.ts"
import type { Pending } from "./PendingSignIns.ts"
import { CodeRefused, type ProviderClaims, ProviderUnavailable } from "./ProviderClaims.ts"
import * as SandboxPage from "./SandboxPage.ts"
import { SandboxProvider } from "./SandboxProvider.ts"
import { ShopPlatform } from "./ShopPlatform.ts"

type Request = HttpServerRequest.HttpServerRequest
type Services =
  | PendingSignIns
  | IdentityProvider
  | SandboxProvider
  | ShopPlatform
  | ExternalIdentities
  | TokenGrants
  | Sessions
  | Settings

/** Where a browser goes that did not say. */
const HOME = "/docs"

/** Where a browser goes at the end, as it resolves what was asked for. */
const homewards = (asked: string | undefined): string => (asked === undefined ? HOME : (sitePathOf(asked) ?? HOME))

const denied = (message: string) => Effect.fail(new ApiError("access_denied", message))

/** Writes down what callers are not told. */
const noted = (error: unknown): Effect.Effect<void> => {
  if (error instanceof CodeRefused) return Effect.logInfo("A code was refused", error.reason)
  return error instanceof ProviderUnavailable
    ? Effect.logWarning("A provider cannot be asked", error.reason)
    : Effect.void
}

/** An account that changed meanwhile is refused as every other sign-in is. */
const outdated = ({ message }: SignInOutdated) => denied(message)

const off = (what: string) => new ApiError("not_found", `This server has no ${what}: sign in with a password.`)
const noProvider = off("identity provider")
const noShops = off("e-commerce platform")

const browser = ({ headers }: Request) => ({
  cookie: headers["cookie"],
  origin: headers["origin"],
  host: headers["host"]
})

const goTo = (location: string, status: 302 | 303) => HttpServerResponse.empty({ status, headers: { location } })

/** The ways that end at the identity provider's callback. */
const PROVIDERS = ["provider", "sandbox"] as const

interface Resumed {
  readonly pending: Pending
  /** Whether the request comes from the browser that began the sign-in. */
  readonly isBound: boolean
}

/** The sign-in that a request goes on with: its browser's, or without the cookie that of its state. */
const resumed = Effect.fnUntraced(function* (state: string | undefined, request: Request) {
  const pendings = yield* PendingSignIns
  const headers = browser(request)
  const isBound = pendings.isBound(headers)
  if (state === undefined && !isBound) {
    return yield* denied("Send the state of the redirect beside the code, or the cookie of /auth/google.")
  }
  if (state === undefined || isBound) {
    return { pending: yield* pendings.resume(PROVIDERS, headers, state), isBound: true } satisfies Resumed
  }
  return { pending: yield* pendings.reopen(PROVIDERS, state), isBound: false } satisfies Resumed
})

/** Ends the pending sign-in before anybody is asked about its code, so that it is used once, and finds the user. */
const complete = Effect.fnUntraced(function* <E, R>(
  { isBound, pending }: Resumed,
  exchange: Effect.Effect<ProviderClaims, E, R>
) {
  const pendings = yield* PendingSignIns
  const identities = yield* ExternalIdentities
  const gone = yield* pendings.complete(pending)
  if (isBound) yield* setCookie(gone)
  return { user: yield* identities.signIn(yield* Effect.tapError(exchange, noted)), pending, isBound }
})

interface SignedIn {
  readonly user: User
  readonly isBound: boolean
}

/** The answer of a callback is that of a login: tokens, and to the browser that began it the session's cookie. */
const tokensFor = Effect.fnUntraced(function* ({ isBound, user }: SignedIn) {
  const tokens = yield* Effect.flatMap(TokenGrants, (grants) => grants.login(user))
  if (isBound) yield* setCookie(yield* Effect.flatMap(Sessions, (sessions) => sessions.begin(user)))
  return tokens
})

const sessionFor = Effect.fnUntraced(function* (user: User, { returnTo }: Pending) {
  yield* setCookie(yield* Effect.flatMap(Sessions, (sessions) => sessions.begin(user)))
  return goTo(returnTo, 303)
})

const startProvider = Effect.fnUntraced(function* (returnTo: string | undefined) {
  const { connected } = yield* IdentityProvider
  if (connected === undefined) {
    const { open } = yield* SandboxProvider
    const query = returnTo === undefined ? "" : `?${new URLSearchParams({ return_to: returnTo })}`
    return open === undefined ? yield* Effect.fail(noProvider) : goTo(`/api/auth/google${query}`, 302)
  }
  const { cookie, pending } = yield* Effect.flatMap(PendingSignIns, ({ begin }) =>
    begin("provider", homewards(returnTo))
  )
  const url = yield* connected.authorizationUrl(pending)
  yield* setCookie(cookie)
  return goTo(url.href, 302)
}, Effect.tapError(noted))

interface Returned {
  readonly code: Redacted.Redacted
  readonly state: string | undefined
  readonly iss: string | undefined
}

const finishProvider = Effect.fnUntraced(function* (found: Resumed, { code, iss }: Returned) {
  const { connected } = yield* IdentityProvider
  const { open } = yield* SandboxProvider
  const { pending } = found
  const exchange: Effect.Effect<ProviderClaims, CodeRefused | ProviderUnavailable> | undefined =
    pending.way === "sandbox"
      ? open?.exchange(Redacted.value(code), pending)
      : connected?.exchange(Redacted.value(code), iss, pending)
  return exchange === undefined ? yield* Effect.fail(noProvider) : yield* complete(found, exchange)
})

const hasProvider = Effect.gen(function* () {
  const { connected } = yield* IdentityProvider
  const { open } = yield* SandboxProvider
  if (connected === undefined && open === undefined) return yield* Effect.fail(noProvider)
})

/** On our own page: the browser that began it, and no other. */
const finishHere = Effect.fnUntraced(function* (returned: Returned, request: Request) {
  yield* hasProvider
  const { resume } = yield* PendingSignIns
  const pending = yield* resume(PROVIDERS, browser(request), returned.state)
  return yield* finishProvider({ pending, isBound: true }, returned)
})

const finishAnywhere = Effect.fnUntraced(function* (returned: Returned, request: Request) {
  yield* hasProvider
  return yield* finishProvider(yield* resumed(returned.state, request), returned)
})

const startSandbox = Effect.fnUntraced(function* (returnTo: string | undefined) {
  const { open } = yield* SandboxProvider
  if (open === undefined) return yield* Effect.fail(noProvider)
  const { server, signIn } = yield* Settings
  const { cookie, pending } = yield* Effect.flatMap(PendingSignIns, ({ begin }) =>
    begin("sandbox", homewards(returnTo))
  )
  yield* setCookie(cookie)
  const headers = SandboxPage.headersFor(providerCallback(server, signIn))
  return HttpServerResponse.text(SandboxPage.render(pending), { contentType: "text/html; charset=utf-8", headers })
})

interface Consent {
  readonly email: string
  readonly name?: string
  readonly state: string
}

const consentSandbox = Effect.fnUntraced(function* ({ email, name, state }: Consent, request: Request) {
  const { open } = yield* SandboxProvider
  if (open === undefined) return yield* Effect.fail(noProvider)
  const { server, signIn } = yield* Settings
  const pending = yield* Effect.flatMap(PendingSignIns, ({ resume }) => resume(["sandbox"], browser(request), state))
  const callback = new URL(providerCallback(server, signIn))
  const person = { email, name }
  callback.searchParams.set("code", yield* open.codeFor(person, pending))
  callback.searchParams.set("state", state)
  return goTo(callback.href, 303)
})

const shopHost = Effect.fnUntraced(function* (field: string, text: string) {
  const { connected } = yield* ShopPlatform
  if (connected === undefined) return yield* Effect.fail(noShops)
  const shop = connected.hostOf(text)
  if (shop !== undefined) return { connected, shop }
  return yield* Effect.fail(new ApiError("invalid_request", `${field}: Expected the host of a shop`))
})

const startShop = Effect.fnUntraced(function* (text: string, returnTo: string | undefined) {
  const { connected, shop } = yield* shopHost("query.shop", text)
  const pendings = yield* PendingSignIns
  const { cookie, pending } = yield* pendings.begin("shop", homewards(returnTo), shop)
  yield* setCookie(cookie)
  return goTo(connected.authorizationUrl(shop, pending).href, 302)
})

/** The shop's own page, where the sandbox has shops. */
const startSandboxShop = Effect.fnUntraced(function* (state: string) {
  const { sandbox } = yield* ShopPlatform
  if (sandbox === undefined) return yield* Effect.fail(noShops)
  const { server, signIn } = yield* Settings
  const pending = yield* Effect.flatMap(PendingSignIns, ({ reopen }) => reopen(["shop"], state))
  const headers = SandboxPage.headersFor(shopCallback(server, signIn))
  return HttpServerResponse.text(SandboxPage.render(pending), { contentType: "text/html; charset=utf-8", headers })
})

const consentSandboxShop = Effect.fnUntraced(function* ({ email, name, state }: Consent, request: Request) {
  const { sandbox } = yield* ShopPlatform
  if (sandbox === undefined) return yield* Effect.fail(noShops)
  const pending = yield* Effect.flatMap(PendingSignIns, ({ resume }) => resume(["shop"], browser(request), state))
  return goTo((yield* sandbox.redirectFor({ email, name }, pending.shop ?? "", pending)).href, 303)
})

interface ReturnedFromShop {
  readonly shop: string
  readonly code: Redacted.Redacted
  readonly state?: string | undefined
}

type Signed = ReadonlyArray<readonly [string, string]>

const finishShop = Effect.fnUntraced(function* (
  { code, shop: text, state }: ReturnedFromShop,
  field: string,
  signed: Signed | undefined,
  request: Request
) {
  const { connected, shop } = yield* shopHost(field, text)
  if (signed !== undefined && !(yield* connected.isSigned(signed))) {
    return yield* denied("The parameters do not carry the shop's signature, or are old: begin again.")
  }
  const pending = yield* Effect.flatMap(PendingSignIns, ({ resume }) => resume(["shop"], browser(request), state))
  if (pending.shop !== shop) return yield* denied("The sign-in was begun at another shop: begin again.")
  return yield* complete({ pending, isBound: true }, connected.exchange(shop, Redacted.value(code), pending))
})

const queryOf = ({ url }: Request): Signed => [...new URLSearchParams(url.slice(url.indexOf("?") + 1))]

/** The signature, where it is given, is over everything that is sent beside it. */
const bodyOf = ({ code, ...rest }: ReturnedFromShop & { readonly hmac?: string }): Signed | undefined =>
  rest.hmac === undefined
    ? undefined
    : Object.entries({ ...rest, code: Redacted.value(code) }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const]
      )

/** The providers group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "providers",
  Effect.fnUntraced(function* (handlers) {
    const context = yield* Effect.context<Services>()
    const serve = Effect.provideContext(context)
    return handlers.handleAll({
      google: ({ query }) => serve(startProvider(query.return_to)),
      googleReturn: ({ query: { code, error, iss, state }, request }) =>
        serve(
          Effect.gen(function* () {
            if (error !== undefined) return yield* denied("The provider did not let you sign in: begin again.")
            if (code === undefined || state === undefined)
              return yield* Effect.fail(new ApiError("invalid_request", "query.code: Expected a code and its state"))
            const { pending, user } = yield* finishHere({ code, state, iss }, request)
            return yield* sessionFor(user, pending)
          }).pipe(Effect.catchTag("SignInOutdated", outdated))
        ),
      googleCallback: ({ payload: { code, iss, state }, request }) =>
        serve(
          finishAnywhere({ code, state, iss }, request).pipe(
            Effect.flatMap(tokensFor),
            Effect.catchTag("SignInOutdated", outdated)
          )
        ),
      sandboxLogin: ({ query }) => serve(startSandbox(query.return_to)),
      sandboxConsent: ({ payload, request }) => serve(consentSandbox(payload, request)),
      shop: ({ query }) => serve(startShop(query.shop, query.return_to)),
      shopReturn: ({ query, request }) =>
        serve(
          finishShop(query, "query.shop", queryOf(request), request).pipe(
            Effect.flatMap(({ pending, user }) => sessionFor(user, pending)),
            Effect.catchTag("SignInOutdated", outdated)
          )
        ),
      shopCallback: ({ payload, request }) =>
        serve(
          finishShop(payload, "payload.shop", bodyOf(payload), request).pipe(
            Effect.flatMap(tokensFor),
            Effect.catchTag("SignInOutdated", outdated)
          )
        ),
      sandboxShop: ({ query }) => serve(startSandboxShop(query.state)),
      sandboxShopConsent: ({ payload, request }) => serve(consentSandboxShop(payload, request))
    })
  })
)
