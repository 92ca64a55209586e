import type { PurchaseOrderTerms } from "../commerce/PurchaseOrderTerms.ts"
import type { CompanyProfile, CompanySnapshot } from "../company/CompanyEvent.ts"
import { walletOf } from "../ledger/Funding.ts"
import { creditLimitOf } from "../commerce/PurchaseOrder.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../money/Amount.ts"
import type { PaymentPlan } from "../payments/PaymentPlan.ts"
import { paymentAccount } from "../payments/Payment.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { SubscriptionTerms } from "../subscriptions/SubscriptionTerms.ts"

/** 2026-01-31T12:00:00.000Z. */
const NOW = 1_769_860_800_000
const DAY = 86_400_000
const MONTH_ON = NOW + 28 * DAY

const BUYER = "cmp_example0buyer0000000000000"
const SELLER = "cmp_example0seller000000000000"
const USER = "usr_example0buyer0000000000000"
const SELLER_USER = "usr_example0seller000000000000"
const ORDER = "pur_example0000000000000000000"
const PAYMENT = "pay_example0000000000000000000"
const PRODUCT = "prd_example0000000000000000000"
const SUBSCRIPTION = "sub_example0000000000000000000"
const WEBHOOK = "whk_example0000000000000000000"

const usd = (whole: bigint): Amount => fromUnits(whole * ONE)

const TOTAL = usd(250n)
const SHARE = { sellerId: SELLER, wallet: walletOf(SELLER_USER, "USD"), subtotal: TOTAL }

const TERMS: PurchaseOrderTerms = {
  orderId: ORDER,
  buyer: { companyId: BUYER, creditLimit: creditLimitOf(USER) },
  lines: [{ productId: PRODUCT, sellerId: SELLER, wallet: SHARE.wallet, quantity: 10, unitPrice: usd(25n) }],
  sellers: [SHARE],
  total: TOTAL,
  paymentTerms: { type: "installments", installments: 2 },
  schedule: [
    { number: 1, amount: usd(125n), dueAt: NOW },
    { number: 2, amount: usd(125n), dueAt: MONTH_ON }
  ],
  placedAt: NOW
}

const buyer = (minutes: number) => ({ at: NOW + minutes * 60_000, userId: USER, companyId: BUYER })

const placed: PlatformEvent = { _tag: "PurchaseOrderPlaced", ...buyer(0), terms: TERMS }

const paid = (minutes: number, amount: Amount, instalments: ReadonlyArray<number>): PlatformEvent => ({
  _tag: "PurchaseOrderPaid",
  ...buyer(minutes),
  orderId: ORDER,
  payment: {
    paymentId: PAYMENT,
    from: paymentAccount(PAYMENT),
    amount,
    parts: [amount],
    to: [SHARE.wallet],
    instalments
  }
})

const delivered: PlatformEvent = {
  _tag: "PurchaseOrderFulfilled",
  at: NOW + 5 * 60_000,
  userId: SELLER_USER,
  companyId: SELLER,
  orderId: ORDER
}

const cancelled: PlatformEvent = {
  _tag: "PurchaseOrderCancelled",
  ...buyer(5),
  orderId: ORDER,
  reason: "Ordered twice"
}

/** What is found of the second instalment. */
const found = (at: number) => ({ at, userId: null, companyId: BUYER, orderId: ORDER, instalment: 2 })

const reminded: PlatformEvent = { _tag: "PurchaseOrderPaymentDue", ...found(MONTH_ON - 3 * DAY) }
const overdue: PlatformEvent = { _tag: "PurchaseOrderOverdue", ...found(MONTH_ON + 30_000) }

const PLAN: PaymentPlan = {
  paymentId: PAYMENT,
  orderId: ORDER,
  payer: { userId: USER, companyId: BUYER },
  provider: "sandbox-card",
  instrument: "visa-4242",
  amount: TOTAL,
  extent: "all",
  capture: "automatic"
}

const ofPayment = (seconds: number) => ({ at: NOW + 60_000 + seconds * 1_000, paymentId: PAYMENT })

const planned: PlatformEvent = { _tag: "PaymentCreated", at: ofPayment(0).at, plan: PLAN }
const authorized: PlatformEvent = { _tag: "PaymentAuthorized", ...ofPayment(1), reference: null }
const captured: ReadonlyArray<PlatformEvent> = [
  planned,
  authorized,
  { _tag: "PaymentCaptureRequested", ...ofPayment(2), userId: null, requestId: null },
  { _tag: "PaymentCaptured", ...ofPayment(3) }
]

const REFUND = "rfd_example0000000000000000000"

const refunded: ReadonlyArray<PlatformEvent> = [
  ...captured,
  { _tag: "PaymentRefundRequested", ...ofPayment(300), refundId: REFUND, orderId: ORDER, amount: TOTAL, seller: null },
  { _tag: "PaymentRefunded", ...ofPayment(301), refundId: REFUND }
]

const SUBSCRIBED: SubscriptionTerms = {
  subscriptionId: SUBSCRIPTION,
  buyer: { companyId: BUYER, userId: USER },
  seller: { companyId: SELLER, userId: SELLER_USER },
  productId: PRODUCT,
  quantity: 2,
  unitPrice: usd(25n),
  every: "month",
  periods: null,
  startAt: NOW
}

const ofSubscription = (at: number, userId: string | null) => ({
  at,
  userId,
  companyId: BUYER,
  subscriptionId: SUBSCRIPTION
})

const subscribed: PlatformEvent = {
  _tag: "SubscriptionCreated",
  ...ofSubscription(NOW, USER),
  terms: SUBSCRIBED,
  charged: true,
  nextAt: MONTH_ON
}

const PROFILE: CompanyProfile = {
  name: "Example Trading",
  taxId: "BE0123456789",
  email: "office@example.com",
  phone: null,
  country: "BE",
  address: { street: "1 Market Square", city: "Ghent", postal_code: "9000", country: "BE" }
}

const COMPANY: CompanySnapshot = {
  profile: PROFILE,
  plan: "standard",
  managedBy: BUYER,
  createdAt: NOW,
  verifiedAt: null
}

const ofCompany = {
  at: NOW + DAY,
  by: { userId: USER, requestId: null, administers: false },
  companyId: "cmp_example0managed00000000000"
}

const assessed: PlatformEvent = {
  _tag: "CreditAssessed",
  at: NOW,
  userId: USER,
  companyId: BUYER,
  granted: usd(18_000n),
  used: ZERO,
  posted: usd(18_000n),
  request: {
    annualIncome: 60_000,
    homeOwnership: false,
    empLength: "2",
    loanAmt: 20_000,
    purpose: "business",
    desc: "Stock for spring"
  },
  card: {
    score: 642,
    defaultProbability: 31_000,
    band: "B",
    limit: usd(18_000n),
    apr: 1_150,
    points: [],
    reasons: [
      { code: "homeOwnership", text: "The home is neither owned nor mortgaged.", points: 14 },
      { code: "empLength", text: "The time in the current employment is short.", points: 9 }
    ],
    modelVersion: "2026-01",
    assessedAt: NOW
  }
}

const endpoint = { at: NOW, companyId: BUYER, webhookId: WEBHOOK }

const disabled: ReadonlyArray<PlatformEvent> = [
  {
    _tag: "WebhookCreated",
    ...endpoint,
    userId: USER,
    settings: { url: "https://example.com/hook", events: ["order.created", "order.paid"], description: "Orders" }
  },
  {
    _tag: "WebhookDisabled",
    ...endpoint,
    at: NOW + 9 * DAY,
    userId: null,
    cause: "failing",
    failingSince: NOW + 4 * DAY
  }
]

/** Streams whose last event in the list is told of. */
export interface ExampleHistory {
  /** The stream of the event that is told of, oldest first. */
  readonly events: ReadonlyArray<PlatformEvent>
  /** The order's, where that is another stream. */
  readonly order?: ReadonlyArray<PlatformEvent>
}

const first = [placed, paid(1, usd(125n), [1])]
const whole = [placed, paid(1, TOTAL, [1, 2])]

/** What could have happened before an event of each type. */
export const EXAMPLE_EVENTS = {
  "order.created": { events: [placed] },
  "order.updated": { events: first },
  "order.paid": { events: whole },
  "order.fulfilled": { events: [...whole, delivered] },
  "order.cancelled": { events: [...first, cancelled] },
  "order.payment_due": { events: [...first, reminded] },
  "order.overdue": { events: [...first, reminded, overdue] },
  "payment.authorized": { events: [planned, authorized], order: [placed] },
  "payment.captured": { events: captured, order: [placed] },
  "payment.refunded": { events: refunded, order: [...whole, cancelled] },
  "payment.failed": {
    events: [planned, { _tag: "PaymentFailed", ...ofPayment(1), reason: "insufficient_funds" }],
    order: [placed]
  },
  "company.created": {
    events: [{ _tag: "CompanyCreated", ...ofCompany, at: NOW, managedBy: BUYER, profile: PROFILE }]
  },
  "company.verified": {
    events: [{ _tag: "CompanyVerified", ...ofCompany, company: { ...COMPANY, verifiedAt: NOW + DAY } }]
  },
  "company.updated": {
    events: [
      {
        _tag: "CompanyPlanSet",
        ...ofCompany,
        before: "standard",
        after: "pro",
        company: { ...COMPANY, plan: "pro" }
      }
    ]
  },
  "subscription.created": { events: [subscribed] },
  "subscription.renewed": {
    events: [
      subscribed,
      {
        _tag: "SubscriptionRenewed",
        ...ofSubscription(MONTH_ON, null),
        period: 2,
        amount: usd(50n),
        nextAt: NOW + 59 * DAY
      }
    ]
  },
  "subscription.cancelled": {
    events: [subscribed, { _tag: "SubscriptionCancelled", ...ofSubscription(NOW + DAY, USER), reason: "requested" }]
  },
  "subscription.payment_failed": {
    events: [
      subscribed,
      {
        _tag: "SubscriptionPaymentFailed",
        ...ofSubscription(MONTH_ON, null),
        period: 2,
        amount: usd(50n),
        reason: "insufficient_funds",
        failures: 1,
        retryAt: MONTH_ON + DAY
      }
    ]
  },
  "credit.score_updated": { events: [assessed] },
  "credit.limit_changed": { events: [assessed] },
  "webhook.disabled": { events: disabled }
} as const satisfies Readonly<Record<string, ExampleHistory>>
