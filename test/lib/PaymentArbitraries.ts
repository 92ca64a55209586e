import fc from "fast-check"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { fromUnits, MAX } from "../../engine/money/Amount.ts"
import { CAPTURE_MODES, EXTENTS, PAYMENT_PROVIDERS } from "../../engine/payments/PaymentPlan.ts"
import type { PaymentEvent } from "../../engine/payments/PaymentEvent.ts"
import { VOID_REASONS } from "../../engine/payments/PaymentEvent.ts"

const id = fc.stringMatching(/^[a-z]{3}_[a-z0-9]{4}$/)
const maybe = fc.option(id, { nil: null })
const amount = fc.bigInt(1n, MAX).map(fromUnits)
const wallet = id.map((owner) => walletOf(owner, "USD"))

export const paymentPlan = fc.record(
  {
    paymentId: id,
    orderId: id,
    payer: fc.record({ userId: id, companyId: id }),
    provider: fc.constantFrom(...PAYMENT_PROVIDERS),
    instrument: maybe,
    amount,
    extent: fc.constantFrom(...EXTENTS),
    capture: fc.constantFrom(...CAPTURE_MODES),
    metadata: fc.dictionary(id, id, { maxKeys: 3, noNullPrototype: true })
  },
  { requiredKeys: ["paymentId", "orderId", "payer", "provider", "instrument", "amount", "extent", "capture"] }
)

const tagged = <T extends PaymentEvent["_tag"], F>(tag: T, fields: { [K in keyof F]: fc.Arbitrary<F[K]> }) =>
  fc.record({ _tag: fc.constant(tag), at: fc.nat(), paymentId: id, ...fields } as never)

const seller = fc.record({ userId: id, companyId: id, wallet, part: amount })
const shares = fc.array(fc.record({ companyId: id, wallet, amount }), { maxLength: 3 })

/** Any event, whether a payment could take it or not. */
export const paymentEvent: fc.Arbitrary<PaymentEvent> = fc.oneof(
  fc.record({ _tag: fc.constant("PaymentCreated" as const), at: fc.nat(), plan: paymentPlan }),
  tagged("PaymentAuthorized", { reference: maybe }),
  tagged("PaymentCaptureRequested", { userId: maybe, requestId: maybe }),
  tagged("PaymentVoidRequested", { userId: maybe, requestId: maybe, reason: fc.constantFrom(...VOID_REASONS) }),
  tagged("PaymentCaptured", {}),
  tagged("PaymentFailed", { reason: id }),
  tagged("PaymentVoided", {}),
  tagged("PaymentRefundRequested", { refundId: id, amount, seller: fc.option(seller, { nil: null }) }),
  tagged("PaymentRefunded", { refundId: id }),
  tagged("PaymentRefundFailed", { refundId: id, reason: id }),
  tagged("PaymentDisputed", { disputeId: id, amount }),
  tagged("PaymentDisputeWon", { disputeId: id }),
  tagged("PaymentDisputeLost", { disputeId: id, shares })
) as fc.Arbitrary<PaymentEvent>
