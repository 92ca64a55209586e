import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { oauthWire, wire } from "./ApiError.ts"
import { Tokens } from "./Auth.ts"
import { open, Policy } from "./Authorization.ts"
import { AnswersSecret, ChangesOnGet, TakesAnyQuery } from "./Conventions.ts"
import { optional } from "./Optional.ts"
import { SitePath } from "./SitePath.ts"
import { EmailAddress, text } from "./Text.ts"

/** A code as a provider gives it to the browser. It is a secret until it is used. */
const Code = Schema.RedactedFromValue(text(1, 4096), { label: "code" })

/** Holds the sign-in sealed. */
const State = text(1, 2_048)

/** The `Host` of a shop; whether it is one is decided by the settings. */
const Shop = text(1, 253)

/** Specification 4.1. `state` and `iss` are those of the provider's redirect. RFC 9207. */
const ProviderCallback = Schema.Struct({
  code: Code,
  state: optional(State),
  iss: optional(text(1, 512))
}).annotate({ identifier: "ProviderCallback" })

/** Specification 4.1. Beside `shop` and `code`, the further parameters of the shop's redirect. */
const ShopCallback = Schema.Struct({
  shop: Shop,
  code: Code,
  state: optional(State),
  timestamp: optional(text(1, 20)),
  host: optional(text(1, 512)),
  hmac: optional(text(1, 128))
}).annotate({ identifier: "ShopCallback" })

/** What a provider's redirect carries back to our own page: a code, or its refusal. RFC 6749, section 4.1.2. */
const Returned = {
  code: optional(Code),
  state: optional(State),
  iss: optional(text(1, 512)),
  error: optional(text(1, 100))
}

const ReturnedFromShop = {
  shop: Shop,
  code: Code,
  state: optional(State)
}

const redirect = (status: 302 | 303) =>
  HttpApiSchema.WithHeaders(HttpApiSchema.Empty(status), { location: Schema.String }).annotate({
    description: "The browser goes on to `location`."
  })

const Page = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" })).annotate({
  description: "A page for people."
})

const callbackErrors = [
  oauthWire("invalid_request"),
  oauthWire("invalid_grant"),
  oauthWire("access_denied"),
  oauthWire("not_found"),
  oauthWire("unavailable")
]

const pageErrors = [
  wire("invalid_request"),
  wire("invalid_grant"),
  wire("access_denied"),
  wire("not_found"),
  wire("unavailable")
]

const google = HttpApiEndpoint.get("google", "/auth/google", {
  query: { return_to: optional(SitePath) },
  success: redirect(302),
  error: [wire("not_found"), wire("unavailable")]
})
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Sign in at the identity provider",
      description:
        "Sets a cookie that binds the sign-in to this browser, and redirects to the provider with state, nonce and PKCE. " +
        "The provider sends the browser to the callback page with `code` and `state`."
    })
  )

const googleReturn = HttpApiEndpoint.get("googleReturn", "/auth/google/callback", {
  query: Returned,
  success: redirect(303),
  error: pageErrors
})
  .annotate(AnswersSecret, true)
  .annotate(ChangesOnGet, true)
  .annotate(TakesAnyQuery, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "The callback page of the platform itself",
      description: "Begins a session by cookie and goes on to `return_to`, else to /docs. An extension."
    })
  )

const googleCallback = HttpApiEndpoint.post("googleCallback", "/api/v1/auth/google/callback", {
  payload: ProviderCallback,
  success: Tokens,
  error: callbackErrors
})
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Get tokens for the identity provider's code",
      description:
        "With the cookie of /auth/google, from the same browser: `state`, when sent, must be that of the redirect. Without " +
        "it `state` is required, and no cookie is set: a program keeps the state that it began with, and sends no other. " +
        "Neither is 403 access_denied."
    })
  )

const sandboxLogin = HttpApiEndpoint.get("sandboxLogin", "/api/auth/google", {
  query: { return_to: optional(SitePath) },
  success: Page,
  error: wire("not_found")
})
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "The sandbox's own identity provider",
      description: "A page that asks who to sign in as. Off in production."
    })
  )

const SandboxPerson = Schema.Struct({
  email: EmailAddress,
  name: optional(text(1, 200)),
  state: State
}).annotate({ identifier: "SandboxPerson" })

const sandboxConsent = HttpApiEndpoint.post("sandboxConsent", "/api/auth/google", {
  payload: SandboxPerson.pipe(HttpApiSchema.asFormUrlEncoded()),
  success: redirect(303),
  error: [wire("access_denied"), wire("not_found")]
})
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Answer the sandbox's own identity provider",
      description: "Redirects to the callback page with `code` and `state`. Off in production."
    })
  )

const shop = HttpApiEndpoint.get("shop", "/auth/ecommerce", {
  query: { shop: Shop, return_to: optional(SitePath) },
  success: redirect(302),
  error: [wire("invalid_request"), wire("not_found")]
})
  .annotate(AnswersSecret, true)
  .annotate(TakesAnyQuery, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Sign in at a shop",
      description: "Sets a cookie that binds the sign-in to this browser, and redirects to the shop. An extension."
    })
  )

const shopReturn = HttpApiEndpoint.get("shopReturn", "/auth/ecommerce/callback", {
  query: ReturnedFromShop,
  success: redirect(303),
  error: pageErrors
})
  .annotate(AnswersSecret, true)
  .annotate(ChangesOnGet, true)
  .annotate(TakesAnyQuery, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "The shop's callback page of the platform itself",
      description:
        "Takes every parameter of the shop's redirect, all under its `hmac`. Begins a session by cookie and goes on to " +
        "`return_to`, else to /docs. An extension."
    })
  )

const shopCallback = HttpApiEndpoint.post("shopCallback", "/api/v1/auth/ecommerce/callback", {
  payload: ShopCallback,
  success: Tokens,
  error: callbackErrors
})
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Get tokens for a shop's code",
      description:
        "Needs the cookie of /auth/ecommerce, from the same browser and for the same shop. `state` and `hmac`, when sent, " +
        "must be those of the redirect. Links the shop to the user."
    })
  )

const sandboxShop = HttpApiEndpoint.get("sandboxShop", "/api/auth/ecommerce", {
  query: { shop: Shop, state: State },
  success: Page,
  error: [wire("access_denied"), wire("not_found")]
})
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "The sandbox's own shops",
      description:
        "A page that asks who owns the shop, to which /auth/ecommerce redirects. Off in production, and where an " +
        "e-commerce platform is set."
    })
  )

const sandboxShopConsent = HttpApiEndpoint.post("sandboxShopConsent", "/api/auth/ecommerce", {
  payload: SandboxPerson.pipe(HttpApiSchema.asFormUrlEncoded()),
  success: redirect(303),
  error: [wire("access_denied"), wire("not_found")]
})
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Answer for a shop of the sandbox",
      description: "Redirects to the callback page with `shop`, `code`, `state`, `timestamp` and `hmac`."
    })
  )

/** Signing in through an identity provider or a shop. Specification 4.1, 5, points 4 and 5. */
export class ProvidersApi extends HttpApiGroup.make("providers")
  .add(google, googleReturn, googleCallback, sandboxLogin, sandboxConsent, shop, shopReturn, shopCallback)
  .add(sandboxShop, sandboxShopConsent)
  .annotate(Policy, open)
  .annotateMerge(
    OpenApi.annotations({ title: "Providers", description: "Signing in through an identity provider or a shop." })
  ) {}
