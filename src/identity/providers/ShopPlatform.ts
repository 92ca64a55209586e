import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { machineTime } from "../../../engine/journal/TimeLead.ts"
import { Settings } from "../../Config.ts"
import type { SignInSettings } from "../../SignInSettings.ts"
import { secretHash } from "../../SecretHash.ts"
import { issuer } from "../tokens/Issuer.ts"
import { boundedFetch } from "./BoundedFetch.ts"
import { shopCallback } from "./CallbackPage.ts"
import type { Pending } from "./PendingSignIns.ts"
import { CodeRefused, ProviderUnavailable } from "./ProviderClaims.ts"
import type { ProviderClaims } from "./ProviderClaims.ts"
import { SandboxProvider } from "./SandboxProvider.ts"
import type { SandboxPerson } from "./SandboxProvider.ts"
import * as ShopHost from "./ShopHost.ts"
import * as ShopSignature from "./ShopSignature.ts"

/** How long a shop may take for its answer, in milliseconds. */
const TIMEOUT_MILLISECONDS = 5_000

/** The shop's person, not the shop, is asked for: without it a shop answers a token of its own. */
const ACCESS_MODE = { "grant_options[]": "per-user" } as const

/** What a shop answers for a code. Its token is not kept. */
const Answer = Schema.fromJsonString(
  Schema.Struct({
    associated_user: Schema.Struct({
      id: Schema.Union([Schema.Int, Schema.String]),
      email: Schema.String,
      email_verified: Schema.Boolean,
      account_owner: Schema.Boolean,
      first_name: Schema.optionalKey(Schema.NullOr(Schema.String)),
      last_name: Schema.optionalKey(Schema.NullOr(Schema.String))
    })
  })
)
const decode = Schema.decodeUnknownEffect(Answer)

type Client = NonNullable<SignInSettings["shops"]>

const baseOf = (client: Client, shop: string): URL => client.shopUrl ?? new URL(`https://${shop}`)

const unavailable = (reason: string) => new ProviderUnavailable({ reason })

const post = (url: URL, body: string) =>
  Effect.tryPromise({
    try: (signal) =>
      boundedFetch(url.href, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body,
        redirect: "manual",
        signal
      }).then((response) => response.text().then((text) => ({ status: response.status, text }))),
    catch: (error) => unavailable(error instanceof Error ? error.message : "no answer")
  }).pipe(
    Effect.timeoutOrElse({
      duration: TIMEOUT_MILLISECONDS,
      orElse: () => Effect.fail(unavailable(`no answer in ${TIMEOUT_MILLISECONDS} ms`))
    })
  )

const exchange = Effect.fnUntraced(function* (client: Client, shop: string, code: string) {
  const url = new URL("/admin/oauth/access_token", baseOf(client, shop))
  const sent = { client_id: client.clientId, client_secret: Redacted.value(client.clientSecret), code }
  const { status, text } = yield* post(url, JSON.stringify(sent))
  if (status === 400 || status === 401) return yield* new CodeRefused({ reason: `the shop answered ${status}` })
  if (status !== 200) return yield* unavailable(`the shop answered ${status}`)
  const { associated_user: person } = yield* Effect.mapError(decode(text), () =>
    unavailable("the shop answered no person")
  )
  if (!person.account_owner) return yield* new CodeRefused({ reason: "the person does not own the shop" })
  const name = [person.first_name, person.last_name].filter((part) => part !== undefined && part !== null).join(" ")
  return {
    issuer: shop,
    subject: String(person.id),
    email: person.email,
    emailVerified: person.email_verified,
    name: name.trim() === "" ? undefined : name,
    mayLink: true,
    shop
  } satisfies ProviderClaims
})

/** Below which every shop of the sandbox is one name. */
const SANDBOX_DOMAIN = "myshopify.com"

/** The sandbox's own shops: their owners are believed, as its own identity provider believes. */
const makeSandbox = Effect.gen(function* () {
  const { secretKey, server, signIn } = yield* Settings
  const { open } = yield* SandboxProvider
  if (open === undefined) return ShopPlatform.of({ connected: undefined, sandbox: undefined })
  const secret = Buffer.from(secretHash(secretKey, "emporion/sandbox-shop")("secret")).toString("hex")
  const page = `${issuer(server)}/api/auth/ecommerce`
  const connected: Connected = {
    hostOf: (text) => ShopHost.parse(text, SANDBOX_DOMAIN),
    authorizationUrl: (shop, { state }) => new URL(`${page}?${new URLSearchParams({ shop, state })}`),
    isSigned: (parameters) => Effect.map(machineTime, (now) => ShopSignature.verify(parameters, secret, now)),
    exchange: (shop, code, pending) =>
      Effect.map(open.exchange(code, pending), (claims) => ({ ...claims, issuer: `${page}/${shop}`, shop }))
  }
  return ShopPlatform.of({
    connected,
    sandbox: {
      redirectFor: Effect.fn("ShopPlatform.redirectFor")(function* (person, shop, pending) {
        const code = yield* open.codeFor(person, pending)
        const timestamp = String(Math.floor((yield* machineTime) / 1_000))
        const sent = Object.entries({ code, shop, state: pending.state, timestamp })
        const callback = shopCallback(server, signIn)
        callback.search = new URLSearchParams([...sent, ["hmac", ShopSignature.sign(sent, secret)]]).toString()
        return callback
      })
    }
  })
})

const make = Effect.gen(function* () {
  const { server, signIn } = yield* Settings
  const client = signIn.shops
  if (client === undefined) return yield* makeSandbox
  const callback = shopCallback(server, signIn).href
  return ShopPlatform.of({
    sandbox: undefined,
    connected: {
      hostOf: (text) => ShopHost.parse(text, client.domain),
      authorizationUrl: (shop, { state }) => {
        const url = new URL("/admin/oauth/authorize", baseOf(client, shop))
        const query = { client_id: client.clientId, redirect_uri: callback, state, ...ACCESS_MODE }
        url.search = new URLSearchParams(query).toString()
        return url
      },
      isSigned: (parameters) =>
        Effect.map(machineTime, (now) => ShopSignature.verify(parameters, Redacted.value(client.clientSecret), now)),
      exchange: Effect.fn("ShopPlatform.exchange")((shop, code) => exchange(client, shop, code))
    }
  })
})

interface Connected {
  /** The shop's host, when it is one of the platform's. */
  readonly hostOf: (text: string) => string | undefined
  /** Where the shop's owner goes to sign in. */
  readonly authorizationUrl: (shop: string, pending: Pending) => URL
  /** Whether a redirect's parameters carry the shop's signature. */
  readonly isSigned: (parameters: ReadonlyArray<readonly [string, string]>) => Effect.Effect<boolean>
  /** Who a code of the shop stands for: its owner, and nobody else. */
  readonly exchange: (
    shop: string,
    code: string,
    pending: Pending
  ) => Effect.Effect<ProviderClaims, CodeRefused | ProviderUnavailable>
}

/** The e-commerce platform of the settings, whose shops are asked at their own address. Specification 5, point 5. */
export class ShopPlatform extends Context.Service<
  ShopPlatform,
  {
    /** Undefined: the settings name none, in production. */
    readonly connected: Connected | undefined
    /** The sandbox's own shops. Undefined in production, and where the settings name a platform. */
    readonly sandbox:
      | {
          /** Where a shop sends its owner back to, with its signature. */
          readonly redirectFor: (person: SandboxPerson, shop: string, pending: Pending) => Effect.Effect<URL>
        }
      | undefined
  }
>()("emporion/identity/ShopPlatform") {
  static readonly layer: Layer.Layer<ShopPlatform, never, Settings | SandboxProvider> = Layer.effect(this, make)
}
