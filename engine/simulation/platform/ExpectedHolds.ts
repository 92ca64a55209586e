import type { Wire } from "../NaiveOrder.ts"
import type { PlatformEvent } from "../../replay/PlatformEvent.ts"

interface Held {
  readonly account: string
  readonly amount: bigint
}

/** Units of the ledger in a piece. */
const PIECE = 1_000_000n

/**
 * What companies' accounts must hold, told again by the bytes of the events alone: stock of orders that are neither
 * delivered nor cancelled, credit of instalments that are neither paid nor cancelled, a wallet's money that is authorized and not
 * taken, and what is on its way back.
 */
export class ExpectedHolds {
  readonly #held = new Map<string, bigint>()
  readonly #open = new Map<string, ReadonlyArray<Held>>()
  /** By payment: the wallet that holds for it, and how much. */
  readonly #wallets = new Map<string, Held>()

  of(account: string): bigint {
    return this.#held.get(account) ?? 0n
  }

  event(event: Wire<PlatformEvent>): void {
    switch (event._tag) {
      case "PurchaseOrderPlaced": {
        const { buyer, lines, orderId, paymentTerms, schedule } = event.terms
        for (const sellerId of new Set(lines.map((line) => line.sellerId))) {
          const own = lines.filter((line) => line.sellerId === sellerId)
          this.#hold(
            `${orderId}/stock/${sellerId}`,
            own.map(({ productId, quantity }) => ({
              account: `${sellerId}/PRODUCT:${productId}/stock`,
              amount: BigInt(quantity) * PIECE
            }))
          )
        }
        if (paymentTerms.type === "prepaid") return
        for (const { amount, number } of schedule) {
          this.#hold(`${orderId}/credit/${number}`, [{ account: buyer.creditLimit, amount: BigInt(amount) }])
        }
        return
      }
      case "PurchaseOrderPaid":
        for (const number of event.payment.instalments) this.#release(`${event.orderId}/credit/${number}`)
        return
      case "PurchaseOrderFulfilled":
        return this.#release(`${event.orderId}/stock/${event.companyId}`)
      case "PurchaseOrderCancelled":
        for (const name of this.#open.keys()) if (name.startsWith(`${event.orderId}/`)) this.#release(name)
        return
      case "PaymentCreated": {
        const { amount, payer, paymentId, provider } = event.plan
        if (provider !== "wallet") return
        this.#wallets.set(paymentId, { account: `${payer.userId}/USD/wallet`, amount: BigInt(amount) })
        return
      }
      case "PaymentAuthorized": {
        const held = this.#wallets.get(event.paymentId)
        if (held !== undefined) this.#hold(`${event.paymentId}/authorized`, [held])
        return
      }
      case "PaymentCaptured":
      case "PaymentVoided":
      case "PaymentFailed":
        return this.#release(`${event.paymentId}/authorized`)
      case "PaymentRefundRequested": {
        const account = `${event.paymentId}/USD/wallet`
        return this.#hold(`${event.paymentId}/${event.refundId}`, [{ account, amount: BigInt(event.amount) }])
      }
      case "PaymentRefunded":
      case "PaymentRefundFailed":
        return this.#release(`${event.paymentId}/${event.refundId}`)
      default:
    }
  }

  #hold(name: string, parts: ReadonlyArray<Held>): void {
    this.#open.set(name, parts)
    for (const { account, amount } of parts) this.#held.set(account, this.of(account) + amount)
  }

  #release(name: string): void {
    for (const { account, amount } of this.#open.get(name) ?? []) this.#held.set(account, this.of(account) - amount)
    this.#open.delete(name)
  }
}
