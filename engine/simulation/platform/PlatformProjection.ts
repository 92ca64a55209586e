import type { ChainedEvent } from "../../actor/CommitGroup.ts"
import { type Arrears, arrearsIn } from "../../commerce/Arrears.ts"
import { listed, type Product, productStream, revised, takingsOf } from "../../commerce/Product.ts"
import type { Quote } from "../../commerce/OrderPlacing.ts"
import { begun, copied, type PurchaseRecord, record } from "../../commerce/PurchaseRecord.ts"
import { stockOf } from "../../commerce/Stock.ts"
import { type CreditStanding, evolve as evolveCredit, unassessed } from "../../credit/CreditStanding.ts"
import { takesOf } from "../../payments/OrderPart.ts"
import { orderPayments, type OrderPayments } from "../../payments/PaymentRows.ts"
import type { PaymentCounts } from "../../payments/PaymentRequests.ts"
import type { PaymentSituation } from "../../payments/PaymentWorld.ts"
import { isOf, type PlatformEvent } from "../../replay/PlatformEvent.ts"
import { after, type SubscriptionState } from "../../subscriptions/Subscription.ts"
import { after as afterWebhook, type WebhookState } from "../../webhooks/Webhook.ts"
import type { HeldQuote, MadeTransfer } from "../../transfers/Sending.ts"

const OPEN: ReadonlySet<string> = new Set(["created", "authorized", "capturing", "voiding"])

const isOfWebhooks = isOf("webhook")
const isOfSubscriptions = isOf("subscription")

/** What the events make of the companies' affairs, as their services read it. */
export class PlatformProjection {
  readonly products = new Map<string, Product>()
  readonly orders = new Map<string, PurchaseRecord>()
  readonly subscriptions = new Map<string, SubscriptionState>()
  readonly webhooks = new Map<string, WebhookState>()
  readonly quotes = new Map<string, HeldQuote>()
  /** What a sender sent under an id, by `sender/id`. */
  readonly transfers = new Map<string, MadeTransfer>()
  readonly #credit = new Map<string, CreditStanding>()
  readonly #payments = new Map<string, OrderPayments>()
  /** The order of each payment. */
  readonly orderOf = new Map<string, string>()

  apply(recorded: ReadonlyArray<ChainedEvent<PlatformEvent>>): void {
    for (const { event, seq } of recorded) {
      this.#take(event)
      const about = orderPayments.of(event)
      if (about === undefined) continue
      const orderId = this.#orderOf(event)
      const before = this.#payments.get(orderId)
      const state = orderPayments.after(before, { event, seq })
      this.#payments.set(orderId, state)
      for (const paymentId of state.payments.keys()) this.orderOf.set(paymentId, orderId)
    }
  }

  #orderOf(event: PlatformEvent): string {
    if (event._tag === "PurchaseOrderPlaced") return event.terms.orderId
    if (event._tag === "PaymentCreated") return event.plan.orderId
    if ("orderId" in event && event._tag.startsWith("PurchaseOrder")) return String(event.orderId)
    return "paymentId" in event ? (this.orderOf.get(event.paymentId) ?? "") : ""
  }

  #take(event: PlatformEvent): void {
    if (isOfSubscriptions(event)) {
      const { subscriptionId } = event
      this.subscriptions.set(subscriptionId, after(this.subscriptions.get(subscriptionId), event))
      return
    }
    if (isOfWebhooks(event)) {
      this.webhooks.set(event.webhookId, afterWebhook(this.webhooks.get(event.webhookId), event))
      return
    }
    switch (event._tag) {
      case "ProductListed":
        this.products.set(event.productId, listed(event))
        return
      case "ProductRevised": {
        const before = this.products.get(event.productId)
        if (before !== undefined) this.products.set(event.productId, revised(before, event))
        return
      }
      case "PurchaseOrderPlaced":
        this.orders.set(event.terms.orderId, begun(event))
        return
      case "PurchaseOrderPaid":
      case "PurchaseOrderFulfilled":
      case "PurchaseOrderCancelled":
      case "PurchaseOrderPaymentDue":
      case "PurchaseOrderOverdue": {
        const before = this.orders.get(event.orderId)
        if (before === undefined) return
        // Whoever decides on what was read before keeps it as it was.
        const order = copied(before)
        record(order, event)
        this.orders.set(event.orderId, order)
        return
      }
      case "CreditAssessed":
      case "CreditLimitSet":
        evolveCredit(this.credit(event.companyId), event)
        return
      case "RateQuoted":
        this.quotes.set(event.quoteId, { ...event, used: false })
        return
      case "MoneyTransferred": {
        const held = event.quoteId === null ? undefined : this.quotes.get(event.quoteId)
        if (held !== undefined) this.quotes.set(held.quoteId, { ...held, used: true })
        this.transfers.set(`${event.sender}/${event.transferId}`, event)
        return
      }
      default:
    }
  }

  /** What of a company's orders is overdue. */
  arrears(companyId: string): Arrears {
    const states = Array.from(this.orders.values(), ({ state }) => state)
    // Each company has one user, and buys for itself alone.
    const own = states.filter(({ terms }) => terms.buyer.companyId === companyId)
    const found = own.reduce((sum, { foundOverdue }) => sum + foundOverdue.size, 0)
    return arrearsIn(companyId, found, own)
  }

  /** The credit of a company's users. */
  credit(companyId: string): CreditStanding {
    const known = this.#credit.get(companyId)
    if (known !== undefined) return known
    const made = unassessed(companyId)
    this.#credit.set(companyId, made)
    return made
  }

  /** What products cost, of those that there are. */
  quoted(productIds: Iterable<string>): ReadonlyMap<string, Quote> {
    const quotes = new Map<string, Quote>()
    for (const id of productIds) {
      const product = this.products.get(id)
      if (product === undefined) continue
      const { companyId, price, productId, userId, version } = product
      const stream = productStream(productId)
      const accounts = { takings: takingsOf(product), stock: stockOf(companyId, productId) }
      quotes.set(id, { price, product: { productId, companyId, userId, price, version, stream, ...accounts } })
    }
    return quotes
  }

  payment(paymentId: string): PaymentSituation | undefined {
    const orderId = this.orderOf.get(paymentId) ?? ""
    const state = this.#payments.get(orderId)?.payments.get(paymentId)?.state
    const purchase = this.orders.get(orderId)
    if (state === undefined || purchase === undefined) return undefined
    return { state, order: purchase.state, purchase, takes: takesOf(purchase.state, state.plan.extent) }
  }

  /** The last event that may ask something of a payment. */
  paymentSeq(paymentId: string): number {
    return this.#payments.get(this.orderOf.get(paymentId) ?? "")?.payments.get(paymentId)?.seq ?? 0
  }

  counts(orderId: string): PaymentCounts {
    const payments = [...(this.#payments.get(orderId)?.payments.values() ?? [])]
    return { total: payments.length, open: payments.filter(({ state }) => OPEN.has(state.stage)).length }
  }
}
