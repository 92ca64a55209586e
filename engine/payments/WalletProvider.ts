import { Effect, Result } from "effect"
import type { PaymentProvider, ProviderOutcome } from "./PaymentProvider.ts"

const approved: Effect.Effect<ProviderOutcome> = Effect.succeed({ _tag: "Approved", reference: null })

const always = () => approved

/**
 * The payer's USD wallet. Its money is in the ledger, which holds, moves and returns it in the transaction that records
 * the payment's event: here nothing is left to ask, and the ledger alone declines.
 */
export const walletProvider: PaymentProvider = {
  name: "wallet",
  instrument: (given) =>
    given === undefined ? Result.succeed(null) : Result.fail({ expected: "none for the wallet" }),
  takes: () => true,
  authorize: always,
  capture: always,
  void: always,
  refund: always,
  find: always,
  dispute: () => Effect.succeed(undefined)
}
