import { Effect, Layer } from "effect"
import { type Module, nothing } from "../Module.ts"
import { Credit } from "./Credit.ts"
import * as CreditHandlers from "./CreditHandlers.ts"
import { creditProjection } from "./CreditProjection.ts"
import { CreditRepository } from "./CreditRepository.ts"
import * as LimitTrimming from "./LimitTrimming.ts"
import * as PaymentTermsHandlers from "./PaymentTermsHandlers.ts"

/** Score cards, and how much may be bought on credit. */
export const module = {
  ...nothing,
  rows: Effect.succeed([creditProjection]),
  services: LimitTrimming.layer.pipe(Layer.provideMerge(Credit.layer), Layer.provideMerge(CreditRepository.layer)),
  handlers: Layer.merge(CreditHandlers.layer, PaymentTermsHandlers.layer)
} satisfies Module
