import { Effect, Layer } from "effect"
import { StreamRepository } from "../database/StreamRepository.ts"
import { type Module, nothing } from "../Module.ts"
import { PaymentDriver } from "./PaymentDriver.ts"
import { PaymentProviders } from "./PaymentProviders.ts"
import { PaymentRepository } from "./PaymentRepository.ts"
import { PaymentScheduleRepository } from "./PaymentScheduleRepository.ts"
import { Payments } from "./Payments.ts"
import * as PaymentsHandlers from "./PaymentsHandlers.ts"
import { paymentsProjection } from "./PaymentsProjection.ts"
import { PaymentSituations } from "./PaymentSituations.ts"
import { PaymentWorker } from "./PaymentWorker.ts"
import { SandboxCardRepository } from "./SandboxCardRepository.ts"

/** How purchase orders are paid, and money is given back. */
export const module = {
  ...nothing,
  rows: Effect.all([paymentsProjection]),
  tables: PaymentRepository.layer,
  services: Layer.mergeAll(Payments.layer, PaymentWorker.layer).pipe(
    Layer.provideMerge(PaymentDriver.layer),
    Layer.provideMerge(PaymentSituations.layer),
    Layer.provide(
      Layer.merge(StreamRepository.layer, PaymentProviders.layer.pipe(Layer.provide(SandboxCardRepository.layer)))
    ),
    Layer.provide(Layer.merge(PaymentRepository.layer, PaymentScheduleRepository.layer))
  ),
  handlers: PaymentsHandlers.layer,
  background: PaymentWorker.running
} satisfies Module
