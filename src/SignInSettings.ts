import { Effect, Redacted } from "effect"
import * as Setting from "./Setting.ts"
import { SettingRefused } from "./Setting.ts"

/** The platform as a client of somebody who knows the users. */
export interface ProviderClient {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

/** Who else may say who a user is. */
export interface SignInSettings {
  /** The OpenID Connect provider behind `/auth/google`. Undefined: none, and in the sandbox its own. */
  readonly provider:
    | (ProviderClient & {
        /** `IDENTITY_PROVIDER_ISSUER`, default Google's. */
        readonly issuer: URL
      })
    | undefined
  /** `IDENTITY_PROVIDER_CALLBACK_URL`: the page the provider sends the browser back to. Undefined: ours. */
  readonly callbackUrl: URL | undefined
  /** The e-commerce platform behind `/auth/ecommerce`. Undefined: none. */
  readonly shops:
    | (ProviderClient & {
        /** `ECOMMERCE_DOMAIN`, default myshopify.com: every shop is one name below it. */
        readonly domain: string
        /** `ECOMMERCE_SHOP_URL`: asked instead of the shop's own address. For tests, in the sandbox alone. */
        readonly shopUrl: URL | undefined
      })
    | undefined
  /** `ECOMMERCE_CALLBACK_URL`: the page the shop sends the browser back to. Undefined: ours. */
  readonly shopCallbackUrl: URL | undefined
}

const GOOGLE = new URL("https://accounts.google.com")

const DOMAIN = /^(?=.{4,200}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/

const domain: Setting.Reading<string> = {
  expected: "a domain such as myshopify.com",
  parse: (text) => (DOMAIN.test(text.toLowerCase()) ? text.toLowerCase() : undefined)
}

const readClient = Effect.fnUntraced(function* (id: string, secret: string) {
  const clientId = yield* Setting.optional(id, Setting.text)
  const clientSecret = yield* Setting.optional(secret, Setting.secretText(1))
  if (clientId === undefined && clientSecret === undefined) return undefined
  if (clientId !== undefined && clientSecret !== undefined)
    return { clientId, clientSecret: Redacted.make(clientSecret) } satisfies ProviderClient
  const [variable, other] = clientId === undefined ? [id, secret] : [secret, id]
  return yield* new SettingRefused({ variable, given: undefined, expected: `a value, because ${other} is given` })
})

const sandboxAlone: Setting.Reading<URL> = {
  expected: "nothing, because it is for tests in the sandbox alone",
  parse: () => undefined,
  secret: true
}

/** A page's address as it is registered with a provider, which compares it letter by letter. */
const pageUrl = (url: Setting.Reading<URL>): Setting.Reading<URL> => ({
  ...url,
  expected: `${url.expected}, without query or fragment`,
  parse: (text) => {
    const parsed = url.parse(text)
    return parsed?.search === "" && parsed.hash === "" ? parsed : undefined
  }
})

/** Reads the settings of every way to sign in that another service takes part in. */
export const readSignIn = Effect.fnUntraced(function* (
  mode: "sandbox" | "production"
): Effect.fn.Return<SignInSettings, SettingRefused> {
  const url = mode === "production" ? Setting.url("https:") : Setting.url("http:", "https:")
  const provider = yield* readClient("IDENTITY_PROVIDER_CLIENT_ID", "IDENTITY_PROVIDER_CLIENT_SECRET")
  const issuer = yield* Setting.withDefault("IDENTITY_PROVIDER_ISSUER", url, GOOGLE)
  const shops = yield* readClient("ECOMMERCE_CLIENT_ID", "ECOMMERCE_CLIENT_SECRET")
  const shopDomain = yield* Setting.withDefault("ECOMMERCE_DOMAIN", domain, "myshopify.com")
  const shopUrl = yield* Setting.optional("ECOMMERCE_SHOP_URL", mode === "sandbox" ? url : sandboxAlone)
  return {
    provider: provider === undefined ? undefined : { ...provider, issuer },
    callbackUrl: yield* Setting.optional("IDENTITY_PROVIDER_CALLBACK_URL", pageUrl(url)),
    shops: shops === undefined ? undefined : { ...shops, domain: shopDomain, shopUrl },
    shopCallbackUrl: yield* Setting.optional("ECOMMERCE_CALLBACK_URL", pageUrl(url))
  }
})
