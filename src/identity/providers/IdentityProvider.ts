import { Cache, Context, Duration, Effect, Exit, Layer, Redacted } from "effect"
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError
} from "openid-client"
import type { Configuration, IDToken, UserInfoResponse } from "openid-client"
import { Settings } from "../../Config.ts"
import type { SignInSettings } from "../../SignInSettings.ts"
import { boundedFetch } from "./BoundedFetch.ts"
import { providerCallback } from "./CallbackPage.ts"
import { challengeOf } from "./PendingSignIns.ts"
import type { Pending } from "./PendingSignIns.ts"
import { CodeRefused, ProviderUnavailable } from "./ProviderClaims.ts"
import type { ProviderClaims } from "./ProviderClaims.ts"

/** How long the provider may take for one answer, in seconds. */
const TIMEOUT_SECONDS = 5

/** How long the provider's published configuration is believed. */
const CONFIGURATION_LIFE = Duration.hours(1)

const SCOPE = "openid email profile"

/** What openid-client refuses in an answer, as against an answer that never came. */
const REFUSALS: ReadonlySet<unknown> = new Set([
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED"
])

const nameOf = (error: unknown): string => {
  if (error instanceof ResponseBodyError) return `${error.error} (${error.status})`
  if (error instanceof ClientError) return `${error.code ?? error.name}: ${error.message}`
  return error instanceof Error ? `${error.name}: ${error.message}` : "an unknown failure"
}

/** Why there is no token: the code is at fault, or the provider. */
const explain = (error: unknown): CodeRefused | ProviderUnavailable => {
  const isRefusal =
    (error instanceof ResponseBodyError && error.error === "invalid_grant") ||
    (error instanceof ClientError && REFUSALS.has(error.code))
  return isRefusal ? new CodeRefused({ reason: nameOf(error) }) : new ProviderUnavailable({ reason: nameOf(error) })
}

const connect = ({ clientId, clientSecret, issuer }: NonNullable<SignInSettings["provider"]>) =>
  Effect.tryPromise({
    try: () =>
      discovery(issuer, clientId, Redacted.value(clientSecret), undefined, {
        timeout: TIMEOUT_SECONDS,
        [customFetch]: boundedFetch,
        execute: [enableNonRepudiationChecks, ...(issuer.protocol === "http:" ? [allowInsecureRequests] : [])]
      }),
    catch: (error) => new ProviderUnavailable({ reason: nameOf(error) })
  })

const textOf = (claim: unknown): string | undefined => (typeof claim === "string" && claim !== "" ? claim : undefined)

const claimsOf = (token: IDToken, more: UserInfoResponse | undefined): ProviderClaims => {
  const told = more ?? token
  return {
    issuer: token.iss,
    subject: token.sub,
    email: textOf(told["email"]),
    emailVerified: told["email_verified"] === true,
    name: textOf(told["name"]),
    mayLink: true,
    shop: undefined
  }
}

/** The person behind a code. The signature, issuer, audience, nonce and times of the ID token are openid-client's to check. */
const exchange = Effect.fnUntraced(function* (configuration: Configuration, returned: URL, pending: Pending) {
  const tokens = yield* Effect.tryPromise({
    try: () =>
      authorizationCodeGrant(configuration, returned, {
        pkceCodeVerifier: pending.verifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true
      }),
    catch: explain
  })
  const token = tokens.claims()
  if (token === undefined) return yield* new CodeRefused({ reason: "no ID token" })
  if (token["email"] !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined)
    return claimsOf(token, undefined)
  const more = yield* Effect.tryPromise({
    try: () => fetchUserInfo(configuration, tokens.access_token, token.sub),
    catch: explain
  })
  return claimsOf(token, more)
})

const make = Effect.gen(function* () {
  const { server, signIn } = yield* Settings
  const { provider } = signIn
  if (provider === undefined) return IdentityProvider.of({ connected: undefined })
  const callback = providerCallback(server, signIn)
  const known = yield* Cache.makeWith(() => connect(provider), {
    capacity: 1,
    timeToLive: (exit) => (Exit.isSuccess(exit) ? CONFIGURATION_LIFE : Duration.zero)
  })
  const configuration = Cache.get(known, "configuration")
  return IdentityProvider.of({
    connected: {
      authorizationUrl: Effect.fn("IdentityProvider.authorizationUrl")(function* ({ nonce, state, verifier }) {
        return buildAuthorizationUrl(yield* configuration, {
          redirect_uri: callback.href,
          scope: SCOPE,
          state,
          nonce,
          code_challenge: challengeOf(verifier),
          code_challenge_method: "S256"
        })
      }),
      exchange: Effect.fn("IdentityProvider.exchange")(function* (code, iss, pending) {
        const found = yield* configuration
        const returned = new URL(callback)
        returned.searchParams.set("code", code)
        returned.searchParams.set("state", pending.state)
        returned.searchParams.set("iss", iss ?? found.serverMetadata().issuer)
        return yield* exchange(found, returned, pending)
      })
    }
  })
})

interface Connected {
  /** Where the browser goes to sign in. */
  readonly authorizationUrl: (pending: Pending) => Effect.Effect<URL, ProviderUnavailable>
  /** Who a code stands for. `iss` is the issuer that the redirect named, if it named one. RFC 9207. */
  readonly exchange: (
    code: string,
    iss: string | undefined,
    pending: Pending
  ) => Effect.Effect<ProviderClaims, CodeRefused | ProviderUnavailable>
}

/**
 * The OpenID Connect provider of the settings, by the authorization code flow with state, nonce and PKCE. It is asked
 * when somebody signs in, so that the server starts without it. Specification 5, point 4.
 */
export class IdentityProvider extends Context.Service<
  IdentityProvider,
  {
    /** Undefined: the settings name none. */
    readonly connected: Connected | undefined
  }
>()("emporion/identity/IdentityProvider") {
  static readonly layer: Layer.Layer<IdentityProvider, never, Settings> = Layer.effect(this, make)
}
