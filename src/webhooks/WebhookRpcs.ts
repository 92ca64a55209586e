import { Effect } from "effect"
import { EVERY_TYPE } from "../../engine/webhooks/WantedEvents.ts"
import { webhookEvents } from "../api/rpc/WebhookEvents.ts"
import { streaming } from "../rpc/RpcHandler.ts"
import { EventListening } from "./EventListening.ts"

/** What webhooks answer on the fast lane. Specification 6.1. */
export const webhookRpcs = Effect.map(EventListening, ({ listen }) => [
  streaming(webhookEvents, ({ after, events = [EVERY_TYPE] }, { mayGoOn, principal }) =>
    listen({ companyId: principal.companyId, events, after }, mayGoOn)
  )
])
