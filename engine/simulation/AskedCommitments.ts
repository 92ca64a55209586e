import type { Commitment } from "../arena/Commitment.ts"
import type { Amount } from "../money/Amount.ts"
import type { Report } from "./LedgerAudit.ts"
import type { Wire } from "./NaiveOrder.ts"

/** A commitment that an operator asks for as a bot. */
export interface Asked {
  /** Comes back as the commitment's executor. */
  readonly id: string
  /** Of the operator. */
  readonly companyId: string
  readonly botId: string
  readonly orderId: string
  readonly proposedPrice: Amount
  readonly exitPrice: Amount
  readonly quantity: Amount
  readonly slippage: Amount
}

/** What operators asked for, each of which is made once at most, on its very terms, as a bot of the operator's company. */
export class AskedCommitments {
  readonly #report: Report
  readonly #asked = new Map<string, Asked>()
  readonly #made = new Set<string>()

  constructor(report: Report) {
    this.#report = report
  }

  asked(item: Asked): void {
    this.#asked.set(item.id, item)
  }

  /** A bot of a company committed, and not because it decided to. */
  made(companyId: string, one: Wire<Commitment>): void {
    const { commitmentId, swapExecutor: id } = one
    const item = this.#asked.get(id)
    if (item === undefined) return this.#report("operator", `nobody asked for ${commitmentId}`)
    if (this.#made.has(id)) this.#report("committed_twice", `${id} was committed before`)
    this.#made.add(id)
    const isSame =
      item.companyId === companyId &&
      item.botId === one.trader.botId &&
      item.orderId === one.orderId &&
      item.proposedPrice === BigInt(one.proposedPrice) &&
      item.exitPrice === BigInt(one.exitPrice) &&
      item.quantity === BigInt(one.quantity) &&
      item.slippage === BigInt(one.slippage)
    if (!isSame) this.#report("operator", `${commitmentId} is not what ${item.companyId} asked for`)
  }
}
