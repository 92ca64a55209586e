import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import { type Commitment, COMMITMENT_STATUSES, LossReason, type Trader } from "./Commitment.ts"
import type { OrderTerms } from "./OrderTerms.ts"

/** Where each number of a commitment is among all of its own. */
const PROPOSED_PRICE = 0
const EXIT_PRICE = 1
const QUANTITY = 2
const SLIPPAGE = 3
const COLLATERAL = 4
const PROFIT = 5
const YIELD_EARNED = 6
const ORDINAL = 7
const ACCEPTED_AT = 8
/** As a place in {@link COMMITMENT_STATUSES}. */
const STATUS = 9
/** As a place in {@link LossReason}, -1 for none. */
const REASON = 10
const NUMBERS = 11

/** From how many commitments on an order has an index: most have few, and a map of one takes as much as all else of it. */
const INDEXED = 8

const REASONS = LossReason.literals

const placeOf = (reason: LossReason | null): number => (reason === null ? -1 : REASONS.indexOf(reason))

/** What changes once a commitment was accepted. */
export type CommitmentChange = Partial<Pick<Commitment, "status" | "reason" | "profit" | "yieldEarned">>

/** What finds commitments without a look at each. */
interface Index {
  /** Places by id. */
  readonly places: Map<string, number>
  /** How many there are of each owner. */
  readonly counts: Map<string, number>
  readonly decisions: Set<string>
}

/**
 * The commitments of an order, by id and in the sequence of acceptance; each look makes a {@link Commitment} anew.
 *
 * They are kept as numbers in one array. Orders take twenty thousand of them, and an object with five amounts for each would be
 * most of what a writer's memory holds, and of what its runtime walks through to collect garbage.
 */
export class Commitments implements ReadonlyMap<string, Commitment> {
  readonly #order: Pick<OrderTerms, "orderId" | "assetType">
  readonly #ids: Array<string> = []
  readonly #traders: Array<Trader> = []
  readonly #executors: Array<string> = []
  /** Undefined below {@link INDEXED}. */
  #index: Index | undefined
  /** Made when first needed, as `#large`: most orders need neither. */
  #decisions: Map<number, string> | undefined
  #numbers = new Float64Array(NUMBERS)
  /** Amounts that no double holds, by their place in `#numbers`, where NaN stands for them: none that came from outside. */
  #large: Map<number, Amount> | undefined

  /** @param terms - what all of them have in common */
  constructor(order: Pick<OrderTerms, "orderId" | "assetType">) {
    this.#order = order
  }

  get size(): number {
    return this.#ids.length
  }

  has(commitmentId: string): boolean {
    return this.#placeOf(commitmentId) !== undefined
  }

  get(commitmentId: string): Commitment | undefined {
    const place = this.#placeOf(commitmentId)
    return place === undefined ? undefined : this.#at(place)
  }

  /** How many there are of an owner. */
  countOf(owner: string): number {
    if (this.#index !== undefined) return this.#index.counts.get(owner) ?? 0
    let count = 0
    for (const trader of this.#traders) if (trader.owner === owner) count += 1
    return count
  }

  /** Whether one of them carries out this decision of a bot. */
  hasDecision(decisionId: string): boolean {
    if (this.#index !== undefined) return this.#index.decisions.has(decisionId)
    for (const decided of this.#decisions?.values() ?? []) if (decided === decisionId) return true
    return false
  }

  /** Whose they are. */
  owners(): ReadonlySet<string> {
    return new Set(this.#traders.map(({ owner }) => owner))
  }

  keys(): MapIterator<string> {
    return this.#ids.values()
  }

  *values(): MapIterator<Commitment> {
    for (let place = 0; place < this.#ids.length; place += 1) yield this.#at(place)
  }

  *entries(): MapIterator<[string, Commitment]> {
    for (const [place, commitmentId] of this.#ids.entries()) yield [commitmentId, this.#at(place)]
  }

  [Symbol.iterator](): MapIterator<[string, Commitment]> {
    return this.entries()
  }

  forEach(take: (commitment: Commitment, commitmentId: string, all: Commitments) => void): void {
    for (const [commitmentId, commitment] of this) take(commitment, commitmentId, this)
  }

  /** Takes one that was accepted, in place of one of the same id if there is such. */
  add(commitment: Commitment): void {
    const known = this.#placeOf(commitment.commitmentId)
    const place = known ?? this.#ids.length
    this.#ids[place] = commitment.commitmentId
    this.#traders[place] = commitment.trader
    this.#executors[place] = commitment.swapExecutor
    this.#decisions?.delete(place)
    if (commitment.decisionId !== undefined) (this.#decisions ??= new Map()).set(place, commitment.decisionId)
    const first = place * NUMBERS
    if (first === this.#numbers.length) this.#grow()
    const numbers = this.#numbers
    this.#setAmount(first + PROPOSED_PRICE, commitment.proposedPrice)
    this.#setAmount(first + EXIT_PRICE, commitment.exitPrice)
    this.#setAmount(first + QUANTITY, commitment.quantity)
    this.#setAmount(first + SLIPPAGE, commitment.slippage)
    this.#setAmount(first + COLLATERAL, commitment.collateral)
    this.#setAmount(first + PROFIT, commitment.profit)
    this.#setAmount(first + YIELD_EARNED, commitment.yieldEarned)
    numbers[first + ORDINAL] = commitment.ordinal
    numbers[first + ACCEPTED_AT] = commitment.acceptedAt
    numbers[first + STATUS] = COMMITMENT_STATUSES.indexOf(commitment.status)
    numbers[first + REASON] = placeOf(commitment.reason)
    this.#keepIndex(place, known !== undefined)
  }

  /** Changes where a commitment stands, if it is here. */
  amend(commitmentId: string, { profit, reason, status, yieldEarned }: CommitmentChange): void {
    const place = this.#placeOf(commitmentId)
    if (place === undefined) return
    const first = place * NUMBERS
    if (status !== undefined) this.#numbers[first + STATUS] = COMMITMENT_STATUSES.indexOf(status)
    if (reason !== undefined) this.#numbers[first + REASON] = placeOf(reason)
    if (profit !== undefined) this.#setAmount(first + PROFIT, profit)
    if (yieldEarned !== undefined) this.#setAmount(first + YIELD_EARNED, yieldEarned)
  }

  clear(): void {
    this.#ids.length = 0
    this.#index = undefined
    this.#traders.length = 0
    this.#executors.length = 0
    this.#decisions = undefined
    this.#numbers = new Float64Array(NUMBERS)
    this.#large = undefined
  }

  #placeOf(commitmentId: string): number | undefined {
    if (this.#index !== undefined) return this.#index.places.get(commitmentId)
    const place = this.#ids.indexOf(commitmentId)
    return place === -1 ? undefined : place
  }

  /** @param isReplaced - another of the same id was at that place */
  #keepIndex(place: number, isReplaced: boolean): void {
    if (isReplaced) this.#index = undefined
    if (this.#index !== undefined) return this.#find(this.#index, place)
    if (this.#ids.length < INDEXED) return
    this.#index = { places: new Map(), counts: new Map(), decisions: new Set() }
    for (let each = 0; each < this.#ids.length; each += 1) this.#find(this.#index, each)
  }

  /** Has an index find what is at a place. */
  #find({ counts, decisions, places }: Index, place: number): void {
    const { owner } = this.#traders[place] as Trader
    const decisionId = this.#decisions?.get(place)
    places.set(this.#ids[place] as string, place)
    counts.set(owner, (counts.get(owner) ?? 0) + 1)
    if (decisionId !== undefined) decisions.add(decisionId)
  }

  #grow(): void {
    const larger = new Float64Array(2 * this.#numbers.length)
    larger.set(this.#numbers)
    this.#numbers = larger
  }

  #setAmount(at: number, amount: Amount): void {
    const number = Number(amount)
    const isExact = Number.isSafeInteger(number)
    this.#numbers[at] = isExact ? number : Number.NaN
    if (!isExact) (this.#large ??= new Map()).set(at, amount)
  }

  #amount(at: number): Amount {
    const number = this.#number(at)
    if (number === 0) return ZERO
    return Number.isNaN(number) ? (this.#large?.get(at) as Amount) : fromUnits(BigInt(number))
  }

  #number(at: number): number {
    return this.#numbers[at] ?? 0
  }

  #at(place: number): Commitment {
    const first = place * NUMBERS
    const decisionId = this.#decisions?.get(place)
    return {
      commitmentId: this.#ids[place] as string,
      orderId: this.#order.orderId,
      ordinal: this.#number(first + ORDINAL),
      assetType: this.#order.assetType,
      trader: this.#traders[place] as Trader,
      proposedPrice: this.#amount(first + PROPOSED_PRICE),
      exitPrice: this.#amount(first + EXIT_PRICE),
      quantity: this.#amount(first + QUANTITY),
      slippage: this.#amount(first + SLIPPAGE),
      swapExecutor: this.#executors[place] as string,
      collateral: this.#amount(first + COLLATERAL),
      acceptedAt: this.#number(first + ACCEPTED_AT),
      status: COMMITMENT_STATUSES[this.#number(first + STATUS)] as Commitment["status"],
      reason: REASONS[this.#number(first + REASON)] ?? null,
      profit: this.#amount(first + PROFIT),
      yieldEarned: this.#amount(first + YIELD_EARNED),
      ...(decisionId !== undefined && { decisionId })
    }
  }
}
