import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { Settings } from "../../../src/Config.ts"
import { PaymentProviders } from "../../../src/payments/PaymentProviders.ts"
import { SandboxCardRepository } from "../../../src/payments/SandboxCardRepository.ts"
import { itEffect } from "../../lib/Effects.ts"

const noCards = Layer.succeed(
  SandboxCardRepository,
  SandboxCardRepository.of({
    ask: () => Effect.die("nobody asks"),
    find: () => Effect.die("nobody asks"),
    approved: () => Effect.die("nobody asks")
  })
)

const namesWith = (variables: Readonly<Record<string, string>>) =>
  Effect.map(PaymentProviders, ({ names }) => names).pipe(
    Effect.provide(PaymentProviders.layer.pipe(Layer.provide(Layer.merge(noCards, Settings.layerOf(variables)))))
  )

const PRODUCTION = { APP_MODE: "production", PUBLIC_URL: "https://emporion.example" }

describe("who can be paid with", () => {
  itEffect("is the wallet and the test cards in the sandbox, the wallet alone in production", () =>
    Effect.gen(function* () {
      expect(yield* namesWith({})).toEqual(["wallet", "sandbox-card"])
      expect(yield* namesWith(PRODUCTION)).toEqual(["wallet"])
    })
  )

  itEffect("is Stripe too where its key is set", () =>
    Effect.gen(function* () {
      expect(yield* namesWith({ STRIPE_SECRET_KEY: "sk_test_12345678" })).toContain("stripe")
      expect(yield* namesWith({ ...PRODUCTION, STRIPE_SECRET_KEY: "sk_live_12345678" })).toEqual(["wallet", "stripe"])
    })
  )

  itEffect("is found by its name", () =>
    Effect.sync(() => {
      const none = PaymentProviders.made([])
      expect([none.find("wallet"), none.names]).toEqual([undefined, []])
    })
  )
})
