import { Clock, Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { Entry, Idempotency, Precondition } from "../../engine/actor/Journal.ts"
import type { InsufficientFunds } from "../../engine/ledger/Book.ts"
import type { Metadata } from "../../engine/metadata/Metadata.ts"
import { chargeShortage } from "../../engine/subscriptions/ChargeShortage.ts"
import type { Interval } from "../../engine/subscriptions/Period.ts"
import { after, subscriptionStream, type SubscriptionState } from "../../engine/subscriptions/Subscription.ts"
import { type SubscriptionTerms } from "../../engine/subscriptions/SubscriptionTerms.ts"
import { cancel, create, renew } from "../../engine/subscriptions/SubscriptionDecision.ts"
import type {
  IllegalSubscriptionAct,
  InvalidSubscription,
  NotAllowed,
  PiecesMissing,
  PriceNotCovered
} from "../../engine/subscriptions/SubscriptionError.ts"
import type { SubscriptionEvent } from "../../engine/subscriptions/SubscriptionEvent.ts"
import type { Page } from "../api/Paging.ts"
import { Pricing } from "../commerce/Pricing.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import type { FilterTooWide } from "../database/MetadataColumn.ts"
import { dieOnRefusal, retryStale, writeEntry } from "../database/EntryWriting.ts"
import type { UnitOfWork } from "../database/UnitOfWork.ts"
import * as Identifier from "../Identifier.ts"
import { MoneyGate, type MoneyGateClosed } from "../identity/MoneyGate.ts"
import * as Refusal from "./SubscriptionError.ts"
import {
  type ActPage,
  type SubscriptionFilter,
  type SubscriptionPage,
  SubscriptionRepository
} from "./SubscriptionRepository.ts"

/** Who asks. */
export interface Caller {
  readonly userId: string
  readonly companyId: string
  readonly isAdmin: boolean
}

/** What somebody wants to buy each period. */
export interface NewSubscription {
  readonly companyId: string
  readonly productId: string
  readonly quantity: number
  readonly every: Interval
  readonly periods: number | null
  /** Now, without it. */
  readonly startAt: number | undefined
  readonly metadata?: Metadata
}

/** Keeps the answer of what was decided under the caller's key. */
export type Keep = (decided: SubscriptionState) => Idempotency | undefined

type ChargeRefused = PriceNotCovered | PiecesMissing | MoneyGateClosed

export type CreateRefused = Refusal.NotOwnCompany | Refusal.NoSuchProduct | InvalidSubscription | ChargeRefused
export type ChangeRefused = Refusal.SubscriptionNotFound | NotAllowed | IllegalSubscriptionAct

/** What companies buy from one another each period. */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /** Agrees on the price of now, and charges the first period where it is due. */
    readonly create: (
      caller: Caller,
      wanted: NewSubscription,
      keep: Keep
    ) => Effect.Effect<SubscriptionState, CreateRefused | Unavailable>
    /** One that the caller's company buys or sells, any for an administrator. */
    readonly find: (
      caller: Caller,
      id: string
    ) => Effect.Effect<SubscriptionState, Refusal.SubscriptionNotFound | Unavailable>
    /** The companies whose metadata a company sees with the subscriptions of its list. */
    readonly keepers: (filter: SubscriptionFilter) => Effect.Effect<ReadonlyArray<string>, FilterTooWide | Unavailable>
    readonly list: (
      filter: SubscriptionFilter,
      page: Page
    ) => Effect.Effect<SubscriptionPage, Unavailable | UnknownCursor>
    readonly history: (
      caller: Caller,
      id: string,
      page: Page
    ) => Effect.Effect<ActPage, Refusal.SubscriptionNotFound | Unavailable | UnknownCursor>
    /** Ends one at once, or with the period that was paid last. */
    readonly cancel: (
      caller: Caller,
      id: string,
      atPeriodEnd: boolean,
      keep: Keep
    ) => Effect.Effect<SubscriptionState, ChangeRefused | Unavailable>
    /** Charges the next period now. */
    readonly renew: (
      caller: Caller,
      id: string,
      keep: Keep
    ) => Effect.Effect<SubscriptionState, ChangeRefused | ChargeRefused | Unavailable>
  }
>()("emporion/subscriptions/Subscriptions") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

/** What is missing: money or pieces. */
const missing = (short: InsufficientFunds) => Effect.fail(chargeShortage(short))

/** Writes a step on the state that it was decided on, with its answer; gives the state after it. */
const write = Effect.fnUntraced(function* (
  state: SubscriptionState | undefined,
  { commands, event }: Entry<SubscriptionEvent>,
  keep: Keep,
  preconditions: ReadonlyArray<Precondition> = []
) {
  const decided = after(state, event)
  yield* writeEntry({
    stream: subscriptionStream(event.subscriptionId),
    version: state?.version ?? 0,
    preconditions,
    entry: { commands, event, idempotency: keep(decided) }
  })
  return decided
})

const termsOf = Effect.fnUntraced(function* (caller: Caller, wanted: NewSubscription, at: number) {
  const { companyId, every, metadata, periods, productId, quantity, startAt } = wanted
  const quote = (yield* (yield* Pricing).quotes(companyId, [productId])).get(productId)
  if (quote === undefined) return yield* new Refusal.NoSuchProduct({ productId })
  const { price, product } = quote
  const terms: SubscriptionTerms = {
    subscriptionId: yield* Identifier.make("sub"),
    buyer: { companyId, userId: caller.userId },
    seller: { companyId: product.companyId, userId: product.userId },
    productId,
    quantity,
    unitPrice: price,
    every,
    periods,
    startAt: startAt ?? at,
    ...(metadata === undefined ? {} : { metadata })
  }
  return { terms, precondition: { stream: product.stream, version: product.version } }
})

const created = Effect.fnUntraced(function* (caller: Caller, wanted: NewSubscription, keep: Keep) {
  if (wanted.companyId !== caller.companyId) return yield* new Refusal.NotOwnCompany({ companyId: wanted.companyId })
  yield* (yield* MoneyGate).open(caller.userId)
  const { forgetProduct } = yield* Pricing
  const attempt = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const { precondition, terms } = yield* termsOf(caller, wanted, at)
    return yield* write(undefined, yield* Effect.fromResult(create(terms, at)), keep, [precondition])
  })
  return yield* attempt.pipe(
    Effect.tapErrorTag("StaleVersion", () => Effect.sync(() => forgetProduct(wanted.productId))),
    retryStale,
    Effect.catchTag("InsufficientFunds", missing),
    dieOnRefusal
  )
})

const found = Effect.fnUntraced(function* ({ companyId, isAdmin }: Caller, id: string) {
  const state = yield* (yield* SubscriptionRepository).find(id)
  if (state === undefined) return yield* new Refusal.SubscriptionNotFound({ id })
  const { buyer, seller } = state.terms
  if (isAdmin || companyId === buyer.companyId || companyId === seller.companyId) return state
  return yield* new Refusal.SubscriptionNotFound({ id })
})

const cancelled = (caller: Caller, id: string, atPeriodEnd: boolean, keep: Keep) =>
  Effect.gen(function* () {
    const state = yield* found(caller, id)
    const at = yield* Clock.currentTimeMillis
    return yield* write(state, yield* Effect.fromResult(cancel(state, atPeriodEnd, { ...caller, at })), keep)
  }).pipe(retryStale, dieOnRefusal)

const renewed = (caller: Caller, id: string, keep: Keep) =>
  Effect.gen(function* () {
    const state = yield* found(caller, id)
    const at = yield* Clock.currentTimeMillis
    const entry = yield* Effect.fromResult(renew(state, { ...caller, at }))
    yield* (yield* MoneyGate).open(caller.userId)
    return yield* write(state, entry, keep)
  }).pipe(retryStale, Effect.catchTag("InsufficientFunds", missing), dieOnRefusal)

type Services = SubscriptionRepository | Pricing | MoneyGate | UnitOfWork | SecureRandom

const make = Effect.gen(function* () {
  const repository = yield* SubscriptionRepository
  const context = yield* Effect.context<Services>()
  const inside = <A, E>(effect: Effect.Effect<A, E, Services>) => Effect.provideContext(effect, context)

  return Subscriptions.of({
    create: Effect.fn("Subscriptions.create")((caller, wanted, keep) => inside(created(caller, wanted, keep))),
    find: Effect.fn("Subscriptions.find")((caller, id) => inside(found(caller, id))),
    keepers: repository.keepers,
    list: Effect.fn("Subscriptions.list")((filter, page) => repository.list(filter, page)),
    history: Effect.fn("Subscriptions.history")(function* (caller, id, page) {
      yield* inside(found(caller, id))
      return yield* repository.history(id, page)
    }),
    cancel: Effect.fn("Subscriptions.cancel")((caller, id, atPeriodEnd, keep) =>
      inside(cancelled(caller, id, atPeriodEnd, keep))
    ),
    renew: Effect.fn("Subscriptions.renew")((caller, id, keep) => inside(renewed(caller, id, keep)))
  })
})
