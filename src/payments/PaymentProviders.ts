import { Context, Effect, Layer } from "effect"
import type { PaymentProviderName } from "../../engine/payments/PaymentPlan.ts"
import { Settings } from "../Config.ts"
import type { PaymentProvider } from "../../engine/payments/PaymentProvider.ts"
import { makeSandboxCardProvider } from "./SandboxCardProvider.ts"
import { SandboxCardRepository } from "./SandboxCardRepository.ts"
import { makeStripeProvider } from "./StripeProvider.ts"
import { walletProvider } from "../../engine/payments/WalletProvider.ts"

/** Who can be paid with: the wallet always, the test cards in the sandbox, Stripe where a key is set. */
export class PaymentProviders extends Context.Service<
  PaymentProviders,
  {
    /** Undefined: it is not available here. */
    readonly find: (name: PaymentProviderName) => PaymentProvider | undefined
    /** Those that are available, in the order in which they are documented. */
    readonly names: ReadonlyArray<PaymentProviderName>
  }
>()("emporion/payments/PaymentProviders") {
  static readonly made = (providers: ReadonlyArray<PaymentProvider>): PaymentProviders["Service"] => {
    const byName = new Map(providers.map((provider) => [provider.name, provider]))
    return { find: (name) => byName.get(name), names: [...byName.keys()] }
  }

  static readonly layer: Layer.Layer<PaymentProviders, never, Settings | SandboxCardRepository> = Layer.effect(
    this,
    Effect.gen(function* () {
      const { mode, payments } = yield* Settings
      const sandbox = mode === "sandbox" ? [yield* makeSandboxCardProvider] : []
      const stripe = payments.stripe === undefined ? [] : [yield* makeStripeProvider(payments.stripe)]
      return PaymentProviders.made([walletProvider, ...sandbox, ...stripe])
    })
  )
}
