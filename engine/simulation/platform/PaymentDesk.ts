import { Clock, Effect } from "effect"
import type { JournalUnavailable } from "../../actor/Journal.ts"
import { KeyedLock } from "../../actor/KeyedLock.ts"
import { retryStale } from "../../actor/StaleRetry.ts"
import { fromUnits } from "../../money/Amount.ts"
import { sellerIdsOf } from "../../commerce/PurchaseOrder.ts"
import type { PurchaseRecord } from "../../commerce/PurchaseRecord.ts"
import { type PaymentState, paymentStream } from "../../payments/Payment.ts"
import { decide } from "../../payments/PaymentDecision.ts"
import { drivePayment } from "../../payments/PaymentDriving.ts"
import { WalletTooLow } from "../../payments/PaymentError.ts"
import type { PaymentEvent } from "../../payments/PaymentEvent.ts"
import type { PaymentProvider } from "../../payments/PaymentProvider.ts"
import { begin, buying, conclude, giveBack, repeated } from "../../payments/PaymentRequests.ts"
import type { PaymentSituation, PaymentWorld, RecordFailure } from "../../payments/PaymentWorld.ts"
import type { PlatformEvent } from "../../replay/PlatformEvent.ts"
import { isRefusal } from "../../wire/Refusal.ts"
import type { CardFate } from "./CardFate.ts"
import type { CompanyRequest } from "./CompanyPlan.ts"
import { type Caller, counted, type DeskWorld, FirstMeanings, type Served, type WriteFailure } from "./DeskWorld.ts"
import { unfinishedStep } from "./PaymentRest.ts"
import { type PaymentLease, PaymentTimes } from "./PaymentTimes.ts"
import type { TradeDesk } from "./TradeDesk.ts"

type Asked<A extends CompanyRequest["act"]> = Extract<CompanyRequest, { readonly act: A }>

export interface PaymentDeskParts {
  readonly world: DeskWorld
  readonly trade: TradeDesk
  readonly wallet: PaymentProvider
  readonly cards: PaymentProvider
  /** How the issuer of a payment's card behaves; undefined where none was charged. */
  readonly fateOf: (paymentId: string) => CardFate | undefined
}

/** Pays orders over providers, as far as these let it, and goes on by itself. */
export class PaymentDesk {
  readonly #parts: PaymentDeskParts
  readonly #times: PaymentTimes
  /** The payment that a request means, or the order that it pays and a key of before. */
  readonly #meant = new FirstMeanings<string | undefined>()
  readonly #paid = new FirstMeanings<{ readonly orderId: string | undefined; readonly before: string | undefined }>()
  readonly #driven: PaymentWorld<JournalUnavailable, PaymentLease>
  #locks = new KeyedLock()

  constructor(parts: PaymentDeskParts) {
    const { cards, trade, wallet, world } = parts
    this.#parts = parts
    const times = new PaymentTimes((paymentId) => {
      const seq = world.projection.paymentSeq(paymentId)
      return seq === 0 ? undefined : { seq, isDirect: world.projection.payment(paymentId)?.state.isDirect === true }
    })
    this.#times = times
    this.#driven = {
      find: (paymentId) => Effect.sync(() => world.projection.payment(paymentId)),
      provider: (name) => (name === "wallet" ? wallet : cards),
      pay: (orderId, money, payer) => ledgerDies(trade.pay(orderId, money, payer)),
      record: (state, event) => this.#record(state, event),
      schedule: {
        attempts: (paymentId) => Effect.sync(() => times.attempts(paymentId)),
        lease: (paymentId, until) => Effect.sync(() => times.lease(paymentId, until)),
        release: (...released) => Effect.sync(() => times.release(...released)),
        postpone: (paymentId, dueAt, attempts) => Effect.sync(() => times.postpone(paymentId, dueAt, attempts))
      }
    }
  }

  /** Another process begins: what the one before was at goes on without a lock. */
  restart(): void {
    this.#locks = new KeyedLock()
  }

  /** Whether a payment will go on by itself before long. */
  get isOwing(): boolean {
    for (const paymentId of this.#times.waiting) if (!this.isAtRest(paymentId)) return true
    return false
  }

  /** Whether nothing is left to do about a payment but to look for disputes, and to ask for what its card never does. */
  isAtRest(paymentId: string): boolean {
    const situation = this.#parts.world.projection.payment(paymentId)
    return situation === undefined || unfinishedStep(situation, this.#parts.fateOf(paymentId)) === undefined
  }

  /** Something was recorded, by whichever process: the payments that it is about come due when somebody looks. */
  committed(events: Iterable<PlatformEvent>): void {
    for (const event of events) for (const paymentId of this.#about(event)) this.#times.recorded(paymentId)
  }

  #about(event: PlatformEvent): ReadonlyArray<string> {
    if (event._tag === "PaymentCreated") return [event.plan.paymentId]
    if (event._tag === "PurchaseOrderPaid" || event._tag === "PurchaseOrderCancelled") {
      const { orderOf } = this.#parts.world.projection
      return [...orderOf].flatMap(([paymentId, orderId]) => (orderId === event.orderId ? [paymentId] : []))
    }
    return event._tag.startsWith("Payment") && "paymentId" in event ? [event.paymentId] : []
  }

  /** The payments about which something is to be done. */
  due(now: number): ReadonlyArray<string> {
    return this.#times.due(now)
  }

  /** Goes on with a payment unless somebody is at it. */
  resume(paymentId: string): Effect.Effect<void, RecordFailure<JournalUnavailable>> {
    return Effect.suspend(() => (this.#locks.isHeld(paymentId) ? Effect.void : this.#drive(paymentId, true)))
  }

  #drive(paymentId: string, looks: boolean): Effect.Effect<void, RecordFailure<JournalUnavailable>> {
    return Effect.suspend(() => this.#locks.with(paymentId, drivePayment(this.#driven, paymentId, looks)))
  }

  #record(
    state: PaymentState | undefined,
    event: PaymentEvent,
    claims: ReadonlyArray<string> = []
  ): Effect.Effect<void, RecordFailure<JournalUnavailable>> {
    return Effect.gen({ self: this }, function* () {
      const entry = yield* Effect.fromResult(decide(state, event))
      const paymentId = event._tag === "PaymentCreated" ? event.plan.paymentId : event.paymentId
      yield* this.#parts.world.write({ stream: paymentStream(paymentId), version: state?.version ?? 0, claims, entry })
    })
  }

  pay(by: Caller, asked: Asked<"pay">, key: string): Served {
    const { capture, card, extent, oldKey, order: number, stranger } = asked
    const { cards, wallet, world } = this.#parts
    const provider = card === undefined ? wallet : cards
    const { before, orderId } = this.#paid.of(key, () => ({
      before: oldKey ? counted([...world.projection.orderOf.keys()], number) : undefined,
      orderId: this.#order(by, number, stranger)?.state.terms.orderId
    }))
    const paymentId = before ?? `pay_${key}`
    if (orderId === undefined) return Effect.succeed("NoOrder")
    const begun = retryStale(
      Effect.gen({ self: this }, function* () {
        const order = world.projection.orders.get(orderId)?.state
        if (order === undefined) return false
        yield* Effect.fromResult(buying(order, by.companyId))
        const payer = { userId: by.userId, companyId: order.terms.buyer.companyId }
        const plan = { paymentId, orderId, payer, provider: provider.name, instrument: card ?? null, extent, capture }
        const known = world.projection.payment(paymentId)
        if (known !== undefined) return yield* Effect.as(Effect.fromResult(repeated(known.state, plan)), true)
        const at = yield* Clock.currentTimeMillis
        const counts = world.projection.counts(orderId)
        const { claim, event } = yield* Effect.fromResult(begin(order, plan, counts, provider.takes, at))
        yield* this.#record(undefined, event, [claim])
        return true
      })
    )
    return Effect.flatMap(begun, (isThere) =>
      isThere ? Effect.as(this.#drive(paymentId, false), "PaymentCreated") : Effect.succeed("NoOrder")
    )
  }

  conclude(by: Caller, { act, payment, stranger }: Asked<"capture" | "void">, key: string): Served {
    const isAuthorized = ({ state: { stage } }: PaymentSituation) => stage === "authorized"
    const asked = this.#meant.of(key, () => this.#payment(by, payment, stranger, "buyer", isAuthorized))
    if (asked === undefined) return Effect.succeed("NoPayment")
    const done = retryStale(
      Effect.gen({ self: this }, function* () {
        const situation = this.#parts.world.projection.payment(asked)
        if (situation === undefined) return
        const of = { at: yield* Clock.currentTimeMillis, userId: by.userId, requestId: `req_${key}` }
        const event = yield* Effect.fromResult(conclude(situation.state, act, by.companyId, of))
        if (event !== undefined) yield* this.#record(situation.state, event)
      })
    )
    return Effect.as(Effect.andThen(done, this.#drive(asked, false)), `Payment_${act}`)
  }

  refund(by: Caller, { amount, payment, stranger }: Asked<"refund">, key: string): Served {
    const isCaptured = ({ state: { stage } }: PaymentSituation) => stage === "captured"
    const asked = this.#meant.of(key, () => this.#payment(by, payment, stranger, "seller", isCaptured))
    if (asked === undefined) return Effect.succeed("NoPayment")
    const done = retryStale(
      Effect.gen({ self: this }, function* () {
        const situation = this.#parts.world.projection.payment(asked)
        if (situation === undefined) return
        const at = yield* Clock.currentTimeMillis
        const wanted = { refundId: `rfd_${key}`, amount, at }
        const event = yield* Effect.fromResult(giveBack(situation, by.companyId, by, wanted))
        if (event !== undefined) yield* this.#record(situation.state, event)
      })
    ).pipe(
      Effect.catchTag("InsufficientFunds", ({ available }) =>
        Effect.fail(new WalletTooLow({ available: fromUnits(available) }))
      )
    )
    return Effect.as(Effect.andThen(done, this.#drive(asked, false)), "PaymentRefundRequested")
  }

  #order({ companyId }: Caller, number: number, stranger: boolean): PurchaseRecord | undefined {
    const orders = [...this.#parts.world.projection.orders.values()].filter(
      ({ state: { terms } }) => (terms.buyer.companyId === companyId) !== stranger
    )
    return counted(orders, number)
  }

  /** A payment in which the caller has this part, or not: if there are any, one of those that are ready for the act. */
  #payment(
    { companyId }: Caller,
    number: number,
    stranger: boolean,
    role: "buyer" | "seller",
    isReady: (situation: PaymentSituation) => boolean
  ): string | undefined {
    const { projection } = this.#parts.world
    const isOwn = ({ order: { terms }, state: { plan } }: PaymentSituation): boolean =>
      role === "buyer" ? plan.payer.companyId === companyId : sellerIdsOf(terms).has(companyId)
    const own = Array.from(projection.orderOf.keys(), (id) => projection.payment(id)).flatMap((situation) =>
      situation !== undefined && isOwn(situation) !== stranger ? [situation] : []
    )
    const ready = own.filter(isReady)
    return counted(ready.length === 0 || number % 5 === 0 ? own : ready, number)?.state.plan.paymentId
  }
}

/** What an order refuses goes back; that the ledger refuses anything else of what a payment has cannot be. */
const ledgerDies = (served: Served) =>
  served.pipe(
    Effect.catch((failure) =>
      isRefusal(failure) || failure._tag === "JournalUnavailable"
        ? Effect.fail(failure)
        : Effect.die(failure satisfies WriteFailure)
    )
  )
