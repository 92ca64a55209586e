import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { Settings } from "../../src/Config.ts"
import { itEffect } from "../lib/Effects.ts"

const paymentsOf = (variables: Readonly<Record<string, string>>) =>
  Effect.map(Settings, ({ payments }) => payments).pipe(Effect.provide(Settings.layerOf(variables)))

const refusal = (variables: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(paymentsOf(variables)), ({ message }) => message)

const PRODUCTION = { APP_MODE: "production", PUBLIC_URL: "https://emporion.example" }
const KEY = "sk_test_12345678"

describe("Payment settings", () => {
  itEffect("know no Stripe without a key", () =>
    Effect.gen(function* () {
      expect(yield* paymentsOf({})).toEqual({ stripe: undefined })
      expect(yield* refusal({ STRIPE_API_BASE: "http://127.0.0.1:1" })).toStartWith("STRIPE_SECRET_KEY: expected a key")
    })
  )

  itEffect("take a key and another address, and show no key", () =>
    Effect.gen(function* () {
      const { stripe } = yield* paymentsOf({ STRIPE_SECRET_KEY: KEY, STRIPE_API_BASE: "http://127.0.0.1:12111" })
      expect([stripe && Redacted.value(stripe.secretKey), stripe?.apiBase.origin]).toEqual([
        KEY,
        "http://127.0.0.1:12111"
      ])
      expect(Bun.inspect(stripe)).not.toContain(KEY)
      expect((yield* paymentsOf({ STRIPE_SECRET_KEY: KEY })).stripe?.apiBase.origin).toBe("https://api.stripe.com")
    })
  )

  itEffect("charge no real card in the sandbox, and nothing in the clear in production", () =>
    Effect.gen(function* () {
      const live = { STRIPE_SECRET_KEY: "sk_live_12345678" }
      expect(yield* refusal(live)).toBe(
        "STRIPE_SECRET_KEY: expected a test key of Stripe, because the sandbox charges no real cards."
      )
      expect((yield* paymentsOf({ ...PRODUCTION, ...live })).stripe).toBeDefined()
      expect(yield* refusal({ ...PRODUCTION, ...live, STRIPE_API_BASE: "http://stripe.example" })).toStartWith(
        "STRIPE_API_BASE: expected"
      )
      expect(yield* refusal({ STRIPE_SECRET_KEY: KEY, STRIPE_API_BASE: "https://a.example/v1" })).toStartWith(
        "STRIPE_API_BASE: expected"
      )
    })
  )
})
