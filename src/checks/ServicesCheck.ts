import { Effect, Redacted, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { Settings } from "../Config.ts"
import type { MailSettings } from "../MailSettings.ts"
import type { PaymentSettings } from "../PaymentSettings.ts"
import type { SignInSettings } from "../SignInSettings.ts"
import { greet } from "../mail/SmtpTransport.ts"
import { getJson } from "../oracles/BoundedJson.ts"
import { type CheckRow, type Finding, finding } from "./Finding.ts"

/** Longest wait for a service's answer, in milliseconds. */
const ANSWER_LIMIT = 5_000

const MAIL = "mail"
const PROVIDER = "sign-in"
const STRIPE = "Stripe"

const Discovered = Schema.Struct({ issuer: Schema.String })

const mail = ({ smtpUrl }: MailSettings): Effect.Effect<ReadonlyArray<Finding>> => {
  if (smtpUrl === undefined) return Effect.succeed([])
  const { host } = Redacted.value(smtpUrl)
  return greet(smtpUrl).pipe(
    Effect.map(() => finding(MAIL, "ok", `${host} takes mails`)),
    Effect.catchTag("MailFailed", ({ reason }) =>
      Effect.succeed(finding(MAIL, "warn", `${host}: ${reason}. Look at SMTP_URL; mails are tried again later.`))
    ),
    Effect.map((found) => [found])
  )
}

const withoutSlash = (url: string): string => url.replace(/\/$/, "")

/** OpenID Connect Discovery 1.0, section 4: the document names the issuer that it is of. */
const provider = ({
  provider
}: SignInSettings): Effect.Effect<ReadonlyArray<Finding>, never, HttpClient.HttpClient> => {
  if (provider === undefined) return Effect.succeed([])
  const issuer = withoutSlash(provider.issuer.href)
  return HttpClient.HttpClient.pipe(
    Effect.flatMap((client) => getJson(client, new URL(`${issuer}/.well-known/openid-configuration`), Discovered)),
    Effect.map(({ issuer: named }) =>
      withoutSlash(named) === issuer
        ? finding(PROVIDER, "ok", `${issuer} answers; only a sign-in shows whether it knows the client`)
        : finding(PROVIDER, "warn", `${issuer} names another issuer: set IDENTITY_PROVIDER_ISSUER to that one.`)
    ),
    Effect.catchTag("RequestFailed", () =>
      Effect.succeed(
        finding(PROVIDER, "warn", `${issuer} publishes no configuration: look at IDENTITY_PROVIDER_ISSUER.`)
      )
    ),
    Effect.map((found) => [found])
  )
}

/** A key that may not read the balance is one that Stripe knows. */
const stripe = ({ stripe }: PaymentSettings): Effect.Effect<ReadonlyArray<Finding>, never, HttpClient.HttpClient> => {
  if (stripe === undefined) return Effect.succeed([])
  const { apiBase, secretKey } = stripe
  const request = HttpClientRequest.get(new URL("/v1/balance", apiBase)).pipe(
    HttpClientRequest.bearerToken(Redacted.value(secretKey))
  )
  const status = HttpClient.execute(request).pipe(
    Effect.map((response) => response.status),
    Effect.timeout(ANSWER_LIMIT),
    Effect.orElseSucceed(() => undefined)
  )
  return Effect.map(status, (answered) => {
    if (answered === undefined || answered >= 500) {
      return [finding(STRIPE, "warn", `${apiBase.origin} does not answer: no card is charged by it meanwhile.`)]
    }
    return [
      answered === 200 || answered === 403
        ? finding(STRIPE, "ok", `${apiBase.origin} knows the key`)
        : finding(STRIPE, "warn", `${apiBase.origin} refuses the key (${answered}): look at STRIPE_SECRET_KEY.`)
    ]
  })
}

/** What is asked of services elsewhere. */
export const serviceChecks: ReadonlyArray<CheckRow> = [
  {
    about: MAIL,
    standing: "warn",
    when: "the server of `SMTP_URL` does not take mails",
    todo: "check SMTP_URL; the server tries mails again later."
  },
  {
    about: PROVIDER,
    standing: "warn",
    when: "`IDENTITY_PROVIDER_ISSUER` publishes no configuration, or another issuer's",
    todo: "set IDENTITY_PROVIDER_ISSUER to the issuer's own address."
  },
  {
    about: STRIPE,
    standing: "warn",
    when: "does not answer, or refuses the key",
    todo: "check STRIPE_SECRET_KEY; no card is charged meanwhile."
  }
]

/** Asks the services elsewhere that the settings name, and changes nothing there. A server starts without them. */
export const serviceFindings: Effect.Effect<ReadonlyArray<Finding>, never, Settings> = Effect.gen(function* () {
  const settings = yield* Settings
  const found = yield* Effect.all([mail(settings.mail), provider(settings.signIn), stripe(settings.payments)], {
    concurrency: "unbounded"
  }).pipe(Effect.provide(FetchHttpClient.layer))
  return found.flat()
})
