import { Schema } from "effect"
import { CompanyObject } from "../company/CompanyObject.ts"
import { CreditObject } from "../credit/CreditObject.ts"
import { EndpointObject } from "./EndpointObject.ts"
import { OrderObject } from "../commerce/OrderObject.ts"
import { PaymentObject } from "../payments/PaymentObject.ts"
import { SubscriptionObject } from "../subscriptions/SubscriptionObject.ts"
import { WEBHOOK_EVENT_TYPES } from "./WebhookEventType.ts"
import { Time } from "../wire/WireValue.ts"

/** The published schema of each kind of object. */
export const OBJECT_SCHEMAS = {
  order: OrderObject,
  payment: PaymentObject,
  subscription: SubscriptionObject,
  company: CompanyObject,
  credit_profile: CreditObject,
  webhook: EndpointObject
} as const

/** The published schema of a body: the envelope of specification 2.15 with an object of any kind. */
export const WebhookBody = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^evt_[0-9a-hjkmnp-tv-z]{24}$/)).annotate({
    description: "The same however often it is delivered: by it receivers know what they have."
  }),
  object: Schema.Literal("event"),
  type: Schema.Literals(WEBHOOK_EVENT_TYPES),
  created_at: Time.annotate({ description: "When it happened: an ISO 8601 time with Z." }),
  data: Schema.Struct({
    object: Schema.Union([OrderObject, PaymentObject, SubscriptionObject, CompanyObject, CreditObject, EndpointObject])
  })
}).annotate({ identifier: "WebhookEvent", description: "The body of a delivery." })
