import { Result } from "effect"
import { encodeEvent } from "../../engine/actor/EventChain.ts"
import type { Entry } from "../../engine/actor/Journal.ts"
import { piecesOf, productAsset, stockOf } from "../../engine/commerce/Stock.ts"
import type { AccountId } from "../../engine/ledger/Account.ts"
import { Book, type LedgerError } from "../../engine/ledger/Book.ts"

import { custodyOf, walletOf } from "../../engine/ledger/Funding.ts"
import { type Amount, fromUnits, ONE } from "../../engine/money/Amount.ts"
import type { StoredEvent } from "../../engine/replay/StoredEvent.ts"
import { after, subscriptionStream, type SubscriptionState } from "../../engine/subscriptions/Subscription.ts"
import { type SubscriptionTerms } from "../../engine/subscriptions/SubscriptionTerms.ts"
import { cancel, create, dueStep, failed, renew } from "../../engine/subscriptions/SubscriptionDecision.ts"
import type { FailureReason, SubscriptionEvent } from "../../engine/subscriptions/SubscriptionEvent.ts"

/** A day in milliseconds. */
export const DAY = 86_400_000
export const START = Date.UTC(2026, 0, 31, 9)

export const BUYER = { companyId: "cmp_buyer", userId: "usr_buyer" }
export const SELLER = { companyId: "cmp_seller", userId: "usr_seller" }

/** Ten pieces of 2.50 USD a month from 31 January. */
export const TERMS: SubscriptionTerms = {
  subscriptionId: "sub_1",
  buyer: BUYER,
  seller: SELLER,
  productId: "prd_1",
  quantity: 10,
  unitPrice: fromUnits(2_500_000n),
  every: "month",
  periods: null,
  startAt: START
}

const WALLET = walletOf(BUYER.userId, "USD")
const TAKINGS = walletOf(SELLER.userId, "USD")
const STOCK = stockOf(SELLER.companyId, TERMS.productId)

/** One subscription on a real ledger. */
export class SubscriptionScenario {
  readonly book = new Book()
  readonly terms: SubscriptionTerms
  readonly events: Array<SubscriptionEvent> = []
  readonly stored: Array<StoredEvent> = []
  state: SubscriptionState | undefined
  now: number
  #moves = 0

  constructor(change: Partial<SubscriptionTerms> = {}, dollars = 1_000, pieces = 1_000, now = START) {
    this.terms = { ...TERMS, ...change }
    this.now = now
    this.pay(dollars)
    this.restock(pieces)
  }

  get wallet(): bigint {
    return this.book.account(WALLET).balance
  }

  get takings(): bigint {
    return this.book.account(TAKINGS).balance
  }

  get stock(): bigint {
    return this.book.account(STOCK).balance
  }

  /** The periods that were charged, in their sequence. */
  get charged(): ReadonlyArray<number> {
    return this.events.flatMap((event) => {
      if (event._tag === "SubscriptionRenewed") return [event.period]
      return event._tag === "SubscriptionCreated" && event.charged ? [1] : []
    })
  }

  /** Gives the buyer so many dollars. */
  pay(dollars: number): void {
    this.#move(custodyOf("USD"), WALLET, fromUnits(BigInt(dollars) * ONE))
  }

  /** Takes everything from the buyer. */
  empty(): void {
    this.#move(WALLET, custodyOf("USD"), this.book.account(WALLET).balance)
  }

  restock(pieces: number): void {
    this.#move(custodyOf(productAsset(TERMS.productId)), STOCK, piecesOf(pieces))
  }

  create(): boolean {
    return this.#take(create(this.terms, this.now))
  }

  renew(userId = BUYER.userId): boolean {
    return (
      this.state !== undefined && this.#take(renew(this.state, { userId, companyId: BUYER.companyId, at: this.now }))
    )
  }

  cancel(atPeriodEnd = false): boolean {
    return this.state !== undefined && this.#take(cancel(this.state, atPeriodEnd, { ...BUYER, at: this.now }))
  }

  /** What the worker does until nothing is due, in a buyer's standing. */
  work(isActive = true): void {
    for (let step = this.#due(); step !== undefined; step = this.#due()) {
      const isCharge = step.event._tag === "SubscriptionRenewed"
      const reason = isCharge && !isActive ? "account_not_active" : this.#refusal(step)
      if (reason !== undefined) this.#record(failed(this.state!, reason, this.now))
    }
  }

  /** Lets time pass with the worker looking each day. */
  pass(days: number, isActive = true): void {
    for (let day = 0; day < days; day++) {
      this.now += DAY
      this.work(isActive)
    }
  }

  #due() {
    return this.state === undefined ? undefined : dueStep(this.state, this.now)
  }

  /** Records a step, or says why the ledger does not take it. */
  #refusal(entry: Entry<SubscriptionEvent>): FailureReason | undefined {
    const applied = this.book.apply(entry.commands)
    if (Result.isSuccess(applied)) return void this.#record(entry)
    if (applied.failure._tag !== "InsufficientFunds") throw applied.failure
    return applied.failure.account === STOCK ? "out_of_stock" : "insufficient_funds"
  }

  #take(decided: Result.Result<Entry<SubscriptionEvent>, unknown>): boolean {
    if (Result.isFailure(decided)) return false
    const applied: Result.Result<void, LedgerError> = this.book.apply(decided.success.commands)
    if (Result.isFailure(applied)) return false
    this.#record(decided.success)
    return true
  }

  #record({ event }: Entry<SubscriptionEvent>): void {
    this.state = after(this.state, event)
    this.events.push(event)
    const { version } = this.state
    const stream = subscriptionStream(event.subscriptionId)
    this.stored.push({ seq: version, stream, version, type: event._tag, data: encodeEvent(event), hash: "" })
  }

  #move(from: AccountId, to: AccountId, amount: Amount): void {
    if (amount === 0n) return
    this.#moves += 1
    Result.getOrThrow(
      this.book.apply([{ _tag: "Transfer", id: `move/${this.#moves}`, from, to, amount, purpose: "mint" }])
    )
  }
}
