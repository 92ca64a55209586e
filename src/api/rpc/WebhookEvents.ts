import { Schema } from "effect"
import { Rpc } from "effect/rpc"
import { WANTED_EVENTS } from "../../../engine/webhooks/WantedEvents.ts"
import { WEBHOOK_EVENT_TYPES } from "../../../engine/webhooks/WebhookEventType.ts"
import { Policy, scopes } from "../Authorization.ts"
import { optional } from "../Optional.ts"
import { Refused } from "./Refused.ts"

const HeardEvent = Schema.Struct({
  id: Schema.String,
  type: Schema.Literals(WEBHOOK_EVENT_TYPES),
  body: Schema.String.annotate({ description: "The envelope, byte for byte as a delivery carries it." })
})

const Place = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

/**
 * What webhooks of the caller's company that want these types are told, from now on or from after a place. The first
 * piece comes at once and tells the place; later ones come with events, and each 15 seconds. After a lost connection,
 * ask again from after the place of the last piece. Specification 6.1.
 */
export const webhookEvents = Rpc.make("webhookEvents", {
  payload: {
    events: optional(Schema.Array(Schema.Literals(WANTED_EVENTS)).check(Schema.isMaxLength(WANTED_EVENTS.length)), {
      description: "Absent: every one."
    }),
    after: optional(Place)
  },
  success: Schema.Struct({ seq: Place, events: Schema.Array(HeardEvent) }),
  error: Refused,
  stream: true
}).annotate(Policy, scopes("orders:read"))
