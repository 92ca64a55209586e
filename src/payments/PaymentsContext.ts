import { Layer } from "effect"
import { StreamRepository } from "../database/StreamRepository.ts"
import { PaymentDriver } from "./PaymentDriver.ts"
import { PaymentProviders } from "./PaymentProviders.ts"
import { PaymentRepository } from "./PaymentRepository.ts"
import { PaymentScheduleRepository } from "./PaymentScheduleRepository.ts"
import { Payments } from "./Payments.ts"
import { PaymentSituations } from "./PaymentSituations.ts"
import { PaymentWorker } from "./PaymentWorker.ts"
import { SandboxCardRepository } from "./SandboxCardRepository.ts"

/** The tables that recorded events write. */
export const projected = PaymentRepository.layer

/** The context's services. Nothing goes on by itself until {@link PaymentWorker.running}. */
export const services = Layer.mergeAll(Payments.layer, PaymentWorker.layer).pipe(
  Layer.provideMerge(PaymentDriver.layer),
  Layer.provideMerge(PaymentSituations.layer),
  Layer.provide(
    Layer.merge(StreamRepository.layer, PaymentProviders.layer.pipe(Layer.provide(SandboxCardRepository.layer)))
  ),
  Layer.provide(Layer.merge(PaymentRepository.layer, PaymentScheduleRepository.layer))
)
