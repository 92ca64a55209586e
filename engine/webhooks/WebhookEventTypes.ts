import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { WebhookEventType } from "./WebhookEventType.ts"
import type { WebhookObject } from "./WebhookMessage.ts"

/** One reason why an event of a type is told. */
export interface Emission {
  /** The recorded event behind it; null where none is, because nothing happened. */
  readonly recorded: PlatformEvent["_tag"] | null
  /** Which of these events, in a clause; all of them where it is missing. */
  readonly when?: string
  /** The operations that come to it, by method and path. */
  readonly operations: ReadonlyArray<string>
  /** What the platform does of itself that comes to it. */
  readonly itself?: string
}

/** A type of event: what it says, to whom, and what makes it. */
export interface WebhookEventTypeFacts {
  readonly type: WebhookEventType
  readonly description: string
  /** The kind of its object. */
  readonly object: WebhookObject["object"]
  /** The companies that are told. Whoever manages one of them is told too. */
  readonly told: string
  readonly emissions: ReadonlyArray<Emission>
}

const TRADERS = "the buyer and each seller"
const BUYER = "the buyer"
const SUBSCRIBERS = "the buyer and the seller"
const COMPANY = "the company"

const PAY = "POST /v1/orders/{id}/pay"
const PAYMENT = "POST /v1/payments"
const CAPTURE = "POST /v1/payments/{id}/capture"
const FULFIL = "POST /v1/orders/{id}/fulfil"
const CANCEL = "POST /v1/orders/{id}/cancel"

const ORDERS: ReadonlyArray<WebhookEventTypeFacts> = [
  {
    type: "order.created",
    description: "An order was placed. Its stock is reserved, and on credit terms the buyer's limit.",
    object: "order",
    told: TRADERS,
    emissions: [{ recorded: "PurchaseOrderPlaced", operations: ["POST /v1/orders"] }]
  },
  {
    type: "order.updated",
    description: "A part of an order was paid, or to its buyer: one of several sellers has delivered.",
    object: "order",
    told: TRADERS,
    emissions: [
      { recorded: "PurchaseOrderPaid", when: "something is still owed", operations: [PAY, PAYMENT, CAPTURE] },
      { recorded: "PurchaseOrderFulfilled", when: "another seller has not delivered", operations: [FULFIL] }
    ]
  },
  {
    type: "order.paid",
    description: "Nothing of an order is owed any more.",
    object: "order",
    told: TRADERS,
    emissions: [{ recorded: "PurchaseOrderPaid", when: "nothing is owed", operations: [PAY, PAYMENT, CAPTURE] }]
  },
  {
    type: "order.fulfilled",
    description: "Every seller has delivered; to a seller: it has.",
    object: "order",
    told: TRADERS,
    emissions: [
      {
        recorded: "PurchaseOrderFulfilled",
        when: "every seller has delivered, or to who delivered",
        operations: [FULFIL]
      }
    ]
  },
  {
    type: "order.cancelled",
    description: "An order was cancelled: stock and limit are free again, and what was paid goes back.",
    object: "order",
    told: TRADERS,
    emissions: [{ recorded: "PurchaseOrderCancelled", operations: [CANCEL] }]
  },
  {
    type: "order.payment_due",
    description: "An instalment of an order on credit is not paid yet and due within three days.",
    object: "order",
    told: BUYER,
    emissions: [{ recorded: "PurchaseOrderPaymentDue", operations: [], itself: "finds what is due before long" }]
  },
  {
    type: "order.overdue",
    description:
      "An instalment's due date has passed and it is not paid. The buyer's company orders nothing on credit until it is.",
    object: "order",
    told: "the buyer, and each seller that has a part of the instalment",
    emissions: [{ recorded: "PurchaseOrderOverdue", operations: [], itself: "finds what was due" }]
  }
]

const PAYMENTS: ReadonlyArray<WebhookEventTypeFacts> = [
  {
    type: "payment.authorized",
    description: "The provider keeps the money. With automatic capture it is taken next.",
    object: "payment",
    told: BUYER,
    emissions: [{ recorded: "PaymentAuthorized", operations: [PAYMENT] }]
  },
  {
    type: "payment.captured",
    description: "The money was taken; to a seller: the order has it, and the seller its part.",
    object: "payment",
    told: "the buyer, and each seller of its part",
    emissions: [
      { recorded: "PaymentCaptured", operations: [PAYMENT, CAPTURE] },
      { recorded: "PurchaseOrderPaid", when: "a wallet paid at once", operations: [PAY] },
      { recorded: "PurchaseOrderPaid", when: "the order takes it, to the sellers", operations: [PAYMENT, CAPTURE] }
    ]
  },
  {
    type: "payment.refunded",
    description: "Money is back at what paid it; the status says whether all of it.",
    object: "payment",
    told: "the buyer, and the sellers whose money it was, of their part",
    emissions: [
      { recorded: "PaymentRefunded", operations: ["POST /v1/payments/{id}/refund", CANCEL] },
      { recorded: "PurchaseOrderCancelled", when: "a wallet had paid at once", operations: [CANCEL] }
    ]
  },
  {
    type: "payment.failed",
    description: "The provider refused. Nothing was taken.",
    object: "payment",
    told: BUYER,
    emissions: [{ recorded: "PaymentFailed", operations: [PAYMENT, CAPTURE] }]
  }
]

const COMPANIES: ReadonlyArray<WebhookEventTypeFacts> = [
  {
    type: "company.created",
    description: "A company was made. One that registers has no endpoint yet, so that only managers hear of theirs.",
    object: "company",
    told: COMPANY,
    emissions: [
      { recorded: "CompanyCreated", operations: ["POST /v1/companies"] },
      {
        recorded: "CompanyRegistered",
        operations: [
          "POST /api/v1/auth/register",
          "POST /v1/account",
          "POST /api/v1/auth/google/callback",
          "POST /api/v1/auth/ecommerce/callback"
        ]
      }
    ]
  },
  {
    type: "company.verified",
    description: "An administrator verified a company, or the first of its users.",
    object: "company",
    told: COMPANY,
    emissions: [
      {
        recorded: "CompanyVerified",
        operations: ["PUT /v1/companies/{id}/verify", "PUT /v1/users/verify/{userId}", "PUT /v1/kyc/{id}/verify"]
      }
    ]
  },
  {
    type: "company.updated",
    description: "A company's profile, plan or status is another one.",
    object: "company",
    told: COMPANY,
    emissions: [
      { recorded: "CompanyUpdated", operations: ["PATCH /v1/companies/{id}"] },
      { recorded: "CompanyPlanSet", operations: ["PUT /v1/companies/{id}/plan"] },
      {
        recorded: "CompanyVerified",
        operations: ["PUT /v1/companies/{id}/verify", "PUT /v1/users/verify/{userId}", "PUT /v1/kyc/{id}/verify"]
      }
    ]
  }
]

const SUBSCRIPTIONS: ReadonlyArray<WebhookEventTypeFacts> = [
  {
    type: "subscription.created",
    description: "A company subscribed. A first period that is due at once was charged with it.",
    object: "subscription",
    told: SUBSCRIBERS,
    emissions: [{ recorded: "SubscriptionCreated", operations: ["POST /v1/subscriptions"] }]
  },
  {
    type: "subscription.renewed",
    description: "A period was charged. After the last the status is `completed`.",
    object: "subscription",
    told: SUBSCRIBERS,
    emissions: [
      {
        recorded: "SubscriptionRenewed",
        operations: ["POST /v1/subscriptions/{id}/renew"],
        itself: "charges a period when it is due"
      }
    ]
  },
  {
    type: "subscription.cancelled",
    description: "A subscription ended before its last period; `end_reason` says why.",
    object: "subscription",
    told: SUBSCRIBERS,
    emissions: [
      {
        recorded: "SubscriptionCancelled",
        operations: ["POST /v1/subscriptions/{id}/cancel"],
        itself: "ends one that was to end with its period, or that could not be charged"
      }
    ]
  },
  {
    type: "subscription.payment_failed",
    description: "A period could not be charged; `next_at` says when it is tried again.",
    object: "subscription",
    told: SUBSCRIBERS,
    emissions: [
      { recorded: "SubscriptionPaymentFailed", operations: [], itself: "tries to charge a period when it is due" }
    ]
  }
]

const OTHERS: ReadonlyArray<WebhookEventTypeFacts> = [
  {
    type: "credit.score_updated",
    description: "A user was scored.",
    object: "credit_profile",
    told: "the user's company",
    emissions: [{ recorded: "CreditAssessed", operations: ["POST /v1/credit/request"] }]
  },
  {
    type: "credit.limit_changed",
    description: "What a user may owe is another amount than before.",
    object: "credit_profile",
    told: "the user's company",
    emissions: [
      { recorded: "CreditAssessed", when: "the limit is another one", operations: ["POST /v1/credit/request"] }
    ]
  },
  {
    type: "webhook.disabled",
    description: "An endpoint was disabled. The company's other endpoints hear of it; it hears nothing itself.",
    object: "webhook",
    told: COMPANY,
    emissions: [
      {
        recorded: "WebhookDisabled",
        operations: ["PATCH /v1/webhooks/{id}"],
        itself: "disables one whose attempts have failed for 5 days"
      }
    ]
  },
  {
    type: "webhook.test",
    description: "Somebody tries out an endpoint. It stands for nothing.",
    object: "webhook",
    told: "the URL that is tried out",
    emissions: [{ recorded: null, operations: ["POST /v1/webhooks/test"] }]
  }
]

/** Every type of event, what it says, and what makes it. Specification 6.1, and what it leaves open. */
export const WEBHOOK_EVENTS: ReadonlyArray<WebhookEventTypeFacts> = [
  ...ORDERS,
  ...PAYMENTS,
  ...COMPANIES,
  ...SUBSCRIPTIONS,
  ...OTHERS
]
