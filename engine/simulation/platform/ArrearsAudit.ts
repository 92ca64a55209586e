import type { PlatformEvent } from "../../replay/PlatformEvent.ts"
import type { Report } from "../LedgerAudit.ts"
import type { Wire } from "../NaiveOrder.ts"

/** How long before its date a buyer may be reminded at the earliest. */
const LEAD_MILLIS = 259_200_000

interface OwedInstalment {
  readonly name: string
  readonly buyer: string
  readonly dueAt: number
  isOpen: boolean
  isReminded: boolean
  isOverdue: boolean
}

/**
 * What was said of instalments, told again by the bytes of the events alone: a reminder once, in time; overdue once, when the
 * date has passed; neither of what is paid or cancelled; and nothing on credit beside what is overdue.
 */
export class ArrearsAudit {
  readonly #report: Report
  /** By order, of those on credit. */
  readonly #owed = new Map<string, ReadonlyMap<number, OwedInstalment>>()
  /** By company, what is overdue. */
  readonly #overdue = new Map<string, Set<OwedInstalment>>()

  constructor(report: Report) {
    this.#report = report
  }

  event(event: Wire<PlatformEvent>): void {
    switch (event._tag) {
      case "PurchaseOrderPlaced": {
        const { buyer, orderId, paymentTerms, schedule } = event.terms
        if (paymentTerms.type === "prepaid") return
        const [owed] = this.#overdueOf(buyer.companyId)
        if (owed !== undefined) this.#report("frozen", `${orderId} is on credit while ${owed.name} is overdue`)
        this.#owed.set(orderId, new Map(schedule.map((one) => [one.number, owedBy(buyer.companyId, orderId, one)])))
        return
      }
      case "PurchaseOrderPaid":
        for (const number of event.payment.instalments) this.#close(this.#owed.get(event.orderId)?.get(number))
        return
      case "PurchaseOrderCancelled":
        for (const one of this.#owed.get(event.orderId)?.values() ?? []) this.#close(one)
        return
      case "PurchaseOrderPaymentDue": {
        const one = this.#open(event)
        if (one === undefined) return
        if (one.isReminded || one.isOverdue) this.#report("overdue", `of ${one.name} is reminded too often`)
        if (event.at < one.dueAt - LEAD_MILLIS || event.at > one.dueAt) {
          this.#report("overdue", `of ${one.name} is reminded at ${event.at}, and it is due at ${one.dueAt}`)
        }
        one.isReminded = true
        return
      }
      case "PurchaseOrderOverdue": {
        const one = this.#open(event)
        if (one === undefined) return
        if (one.isOverdue) this.#report("overdue", `${one.name} is found overdue twice`)
        if (event.at <= one.dueAt) this.#report("overdue", `${one.name} is overdue before its date has passed`)
        one.isOverdue = true
        this.#overdueOf(one.buyer).add(one)
        return
      }
      default:
    }
  }

  /** At the end nothing is left that was due before a time, and that nobody found. */
  end(before: number): void {
    for (const instalments of this.#owed.values()) {
      for (const { dueAt, isOpen, isOverdue, name } of instalments.values()) {
        if (isOpen && !isOverdue && dueAt < before) {
          this.#report("unfinished", `${name} was due at ${dueAt}, and nobody found it unpaid by ${before}`)
        }
      }
    }
  }

  #overdueOf(companyId: string): Set<OwedInstalment> {
    const known = this.#overdue.get(companyId) ?? new Set()
    this.#overdue.set(companyId, known)
    return known
  }

  #open({
    instalment,
    orderId
  }: {
    readonly instalment: number
    readonly orderId: string
  }): OwedInstalment | undefined {
    const one = this.#owed.get(orderId)?.get(instalment)
    if (one?.isOpen === true) return one
    this.#report("overdue", `${orderId}/${instalment} is not owed, and something is found of it`)
    return undefined
  }

  #close(one: OwedInstalment | undefined): void {
    if (one === undefined) return
    one.isOpen = false
    this.#overdueOf(one.buyer).delete(one)
  }
}

const owedBy = (
  buyer: string,
  orderId: string,
  { dueAt, number }: { readonly dueAt: number; readonly number: number }
): OwedInstalment => ({
  name: `${orderId}/${number}`,
  buyer,
  dueAt,
  isOpen: true,
  isReminded: false,
  isOverdue: false
})
