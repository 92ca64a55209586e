import { Effect, Layer } from "effect"
import { type Module, nothing } from "../Module.ts"
import { Renewals } from "./Renewals.ts"
import * as RenewalWorker from "./RenewalWorker.ts"
import * as SubscriptionHandlers from "./SubscriptionHandlers.ts"
import { subscriptionProjection } from "./SubscriptionProjection.ts"
import { SubscriptionRepository } from "./SubscriptionRepository.ts"
import { Subscriptions } from "./Subscriptions.ts"

/** Products that are bought period by period. */
export const module = {
  ...nothing,
  rows: Effect.all([subscriptionProjection]),
  services: Layer.mergeAll(Subscriptions.layer, Renewals.layer).pipe(Layer.provide(SubscriptionRepository.layer)),
  handlers: SubscriptionHandlers.layer,
  background: RenewalWorker.layer
} satisfies Module
