import { Layer } from "effect"
import { Renewals } from "./Renewals.ts"
import { SubscriptionProjectionRepository } from "./SubscriptionProjectionRepository.ts"
import { SubscriptionRepository } from "./SubscriptionRepository.ts"
import { Subscriptions } from "./Subscriptions.ts"

/** The tables that recorded events write. */
export const projected = SubscriptionProjectionRepository.layer

/** The context's services. */
export const services = Layer.mergeAll(Subscriptions.layer, Renewals.layer).pipe(
  Layer.provide(SubscriptionRepository.layer)
)
