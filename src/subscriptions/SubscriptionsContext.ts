import { Layer } from "effect"
import { Renewals } from "./Renewals.ts"
import { SubscriptionRepository } from "./SubscriptionRepository.ts"
import { Subscriptions } from "./Subscriptions.ts"

/** The context's services. */
export const services = Layer.mergeAll(Subscriptions.layer, Renewals.layer).pipe(
  Layer.provide(SubscriptionRepository.layer)
)
