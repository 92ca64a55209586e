import { Layer } from "effect"
import { Beneficiaries } from "./Beneficiaries.ts"
import * as BeneficiaryHandlers from "./BeneficiaryHandlers.ts"
import { BeneficiaryRepository } from "./BeneficiaryRepository.ts"
import { ExchangeDesk } from "./ExchangeDesk.ts"
import * as FxHandlers from "./FxHandlers.ts"
import { FxQuoteRepository } from "./FxQuoteRepository.ts"
import { FxQuotes } from "./FxQuotes.ts"
import * as TransferHandlers from "./TransferHandlers.ts"
import { TransferRepository } from "./TransferRepository.ts"
import { Transfers } from "./Transfers.ts"
import * as WithdrawalHandlers from "./WithdrawalHandlers.ts"
import { WithdrawalRepository } from "./WithdrawalRepository.ts"
import { Withdrawals } from "./Withdrawals.ts"

/** The tables that recorded events write. */
export const projected = Layer.mergeAll(TransferRepository.layer, FxQuoteRepository.layer, WithdrawalRepository.layer)

/** The context's services. */
export const services = Layer.mergeAll(Transfers.layer, Withdrawals.layer).pipe(
  Layer.provideMerge(FxQuotes.layer),
  Layer.provideMerge(Layer.mergeAll(ExchangeDesk.layer, Beneficiaries.layer)),
  Layer.provide(Layer.merge(projected, BeneficiaryRepository.layer))
)

/** The handlers of its groups. */
export const handlers = Layer.mergeAll(
  TransferHandlers.layer,
  FxHandlers.layer,
  BeneficiaryHandlers.layer,
  WithdrawalHandlers.layer
)
