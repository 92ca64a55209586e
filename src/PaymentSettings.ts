import { Effect, Redacted } from "effect"
import * as Setting from "./Setting.ts"
import { SettingRefused } from "./Setting.ts"

/** Who charges cards. */
export interface PaymentSettings {
  /** Stripe. Undefined: its payments are refused. */
  readonly stripe:
    | {
        /** `STRIPE_SECRET_KEY`: in the sandbox a test key. */
        readonly secretKey: Redacted.Redacted
        /** `STRIPE_API_BASE`, default https://api.stripe.com: https in production. */
        readonly apiBase: URL
      }
    | undefined
}

const STRIPE = new URL("https://api.stripe.com")

const TEST_KEY = /^(?:sk|rk)_test_[A-Za-z0-9_]{8,200}$/
const ANY_KEY = /^(?:sk|rk)_(?:test|live)_[A-Za-z0-9_]{8,200}$/

const secretKey = (mode: "sandbox" | "production"): Setting.Reading<string> => ({
  expected:
    mode === "production"
      ? "a secret or restricted key of Stripe"
      : "a test key of Stripe, because the sandbox charges no real cards",
  parse: (text) => ((mode === "production" ? ANY_KEY : TEST_KEY).test(text) ? text : undefined),
  secret: true
})

/** The package takes an origin and no path. */
const origin = (...protocols: ReadonlyArray<string>): Setting.Reading<URL> => {
  const url = Setting.url(...protocols)
  return {
    ...url,
    expected: `${url.expected}, without path, user or query`,
    parse: (text) => {
      const parsed = url.parse(text)
      return parsed !== undefined && parsed.href === `${parsed.origin}/` ? parsed : undefined
    }
  }
}

/** Reads the settings of those who charge cards. */
export const readPayments = Effect.fnUntraced(function* (
  mode: "sandbox" | "production"
): Effect.fn.Return<PaymentSettings, SettingRefused> {
  const key = yield* Setting.optional("STRIPE_SECRET_KEY", secretKey(mode))
  const protocols = mode === "production" ? ["https:"] : ["http:", "https:"]
  const apiBase = yield* Setting.optional("STRIPE_API_BASE", origin(...protocols))
  if (key === undefined && apiBase !== undefined) {
    const expected = "a key of Stripe, because STRIPE_API_BASE is given"
    return yield* new SettingRefused({ variable: "STRIPE_SECRET_KEY", given: undefined, expected })
  }
  return { stripe: key === undefined ? undefined : { secretKey: Redacted.make(key), apiBase: apiBase ?? STRIPE } }
})
