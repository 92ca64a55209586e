import type { CompanyObject } from "../company/CompanyObject.ts"
import type { CreditObject } from "../credit/CreditObject.ts"
import type { EndpointObject } from "./EndpointObject.ts"
import type { OrderObject } from "../commerce/OrderObject.ts"
import type { PaymentObject } from "../payments/PaymentObject.ts"
import type { SubscriptionObject } from "../subscriptions/SubscriptionObject.ts"
import type { WebhookEventType } from "./WebhookEventType.ts"
import { timeText } from "../wire/WireValue.ts"

/** What a body tells of: `data.object`. */
export type WebhookObject =
  | OrderObject
  | PaymentObject
  | SubscriptionObject
  | CompanyObject
  | CreditObject
  | EndpointObject

/** What one company is told because of one recorded event. */
export interface WebhookMessage {
  /** `evt_…`, the same however often it is told. */
  readonly id: string
  readonly type: WebhookEventType
  /** The company whose endpoints, and whose manager's, hear it. */
  readonly companyId: string
  /** When it happened, in milliseconds since 1970. */
  readonly createdAt: number
  /** What it tells of, as it was then. Made when asked for: most messages are heard by nobody. */
  readonly object: () => WebhookObject
}

/** The envelope of specification 2.15. */
export const envelopeOf = ({ createdAt, id, object, type }: WebhookMessage) => ({
  id,
  object: "event" as const,
  type,
  created_at: timeText(createdAt),
  data: { object: object() }
})

/** A body, byte for byte as it is signed and sent. */
export const bodyOf = (message: WebhookMessage): string => JSON.stringify(envelopeOf(message))
