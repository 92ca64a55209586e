import { Effect, Layer } from "effect"
import { type Module, nothing } from "../Module.ts"
import { Beneficiaries, sealedNumbers } from "./Beneficiaries.ts"
import * as BeneficiaryHandlers from "./BeneficiaryHandlers.ts"
import { BeneficiaryRepository } from "./BeneficiaryRepository.ts"
import { ExchangeDesk } from "./ExchangeDesk.ts"
import * as FxHandlers from "./FxHandlers.ts"
import { FxQuoteRepository } from "./FxQuoteRepository.ts"
import { FxQuotes } from "./FxQuotes.ts"
import * as TransferHandlers from "./TransferHandlers.ts"
import { TransferRepository } from "./TransferRepository.ts"
import { Transfers } from "./Transfers.ts"
import { transfersProjection } from "./TransfersProjection.ts"
import * as WithdrawalHandlers from "./WithdrawalHandlers.ts"
import { WithdrawalRepository } from "./WithdrawalRepository.ts"
import { Withdrawals } from "./Withdrawals.ts"

const repositories = Layer.mergeAll(
  TransferRepository.layer,
  FxQuoteRepository.layer,
  WithdrawalRepository.layer,
  BeneficiaryRepository.layer
)

/** Money that goes from one account to another, into another currency, or out. */
export const module = {
  ...nothing,
  sealed: [sealedNumbers],
  personal: [{ table: "beneficiaries", subject: "owner" }],
  rows: Effect.succeed([transfersProjection]),
  services: Layer.mergeAll(Transfers.layer, Withdrawals.layer).pipe(
    Layer.provideMerge(FxQuotes.layer),
    Layer.provideMerge(Layer.mergeAll(ExchangeDesk.layer, Beneficiaries.layer)),
    Layer.provide(repositories)
  ),
  handlers: Layer.mergeAll(
    TransferHandlers.layer,
    FxHandlers.layer,
    BeneficiaryHandlers.layer,
    WithdrawalHandlers.layer
  )
} satisfies Module
