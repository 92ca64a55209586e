import { Context, Effect, Layer } from "effect"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import type { CommitmentStatus, LossReason } from "../../engine/arena/Commitment.ts"
import { type Amount, toNumber } from "../../engine/money/Amount.ts"
import { wireOf } from "../../engine/wire/JsonEncoder.ts"
import { StreamedCommitment, StreamedOrder } from "../api/ArenaStreamProtocol.ts"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { CommitmentView } from "./CommitmentRepository.ts"
import { competing, type Onlooker } from "./CommitmentObject.ts"
import { detailed } from "./OrderDetail.ts"
import { changesOnlyItself, type OrderChange, type OrderEvent, OrderHistory, submitted } from "./OrderHistory.ts"
import { paged, pageReader, type PublicOrder } from "./OrderPages.ts"
import { OrderSnapshotRepository, type PastNeed, type SnapshotFilter } from "./OrderSnapshotRepository.ts"

/** What became of a commitment, for who made it. Prices and profit are JSON numbers in USD. */
export interface Outcome {
  readonly status: Exclude<CommitmentStatus, "active">
  readonly reason: LossReason | null
  readonly profit: number
  readonly clearingPrice: number | null
  readonly settlementPrice: number | null
}

/** A commitment after an event, as JSON, and for whom something came of it. */
export interface ChangedCommitment {
  readonly commitmentId: string
  readonly userId: string
  /** The company. */
  readonly owner: string
  readonly botId: string | null
  readonly json: typeof StreamedCommitment.Encoded
  /** Null where the event only accepted it. */
  readonly outcome: Outcome | null
}

/** What one event changed of what is public, as JSON. */
export interface PublicChange {
  readonly order: typeof StreamedOrder.Encoded | null
  readonly commitments: ReadonlyArray<ChangedCommitment>
}

/** Who takes a snapshot: the position it is of, then its orders by pages, at least one, counted from 1. */
export interface SnapshotReader<E, R> {
  readonly begin: (seq: number) => Effect.Effect<void, E, R>
  readonly page: (orders: ReadonlyArray<PublicOrder>, page: number, pages: number) => Effect.Effect<void, E, R>
}

/**
 * Orders as everybody may see them, at one position of the log of events or after each of its events: the very JSON of
 * `GET /api/arena/orders/{order_id}`, where bids are sealed as a company without bids of its own gets it. Specification
 * 4.3.
 */
export class PublicOrders extends Context.Service<
  PublicOrders,
  {
    /**
     * What each event changed. Events of one order must be in order and without a gap among them; what came before them
     * is read where it is needed.
     */
    readonly changes: (events: ReadonlyArray<OrderEvent>) => Effect.Effect<ReadonlyArray<PublicChange>, Unavailable>
    /** Reads the orders of one instant. The database's transaction lasts as long as the reader takes. */
    readonly snapshot: <E, R>(
      filter: SnapshotFilter,
      reader: SnapshotReader<E, R>
    ) => Effect.Effect<void, E | Unavailable, R>
  }
>()("emporion/arena/PublicOrders") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* OrderSnapshotRepository
      const { sealedBids } = (yield* Settings).arena
      const onlooker: Onlooker = { sealedBids, owner: null }
      const pageOf = yield* pageReader(onlooker)

      const changes = Effect.fnUntraced(function* (events: ReadonlyArray<OrderEvent>) {
        const needs = needsOf(events)
        const past = yield* repository.past(needs)
        const histories = new Map<string, OrderHistory>()
        for (const { orderId } of needs) {
          const history = rebuilt(past.get(orderId) ?? [])
          if (history !== undefined) histories.set(orderId, history)
        }
        return events.map((event) => encodedChange(changeOf(histories, event), onlooker))
      })

      const snapshot = <E, R>(filter: SnapshotFilter, reader: SnapshotReader<E, R>) =>
        repository.consistently((seq) =>
          Effect.gen(function* () {
            const pages = paged(yield* repository.select(filter))
            yield* reader.begin(seq)
            for (const [index, ids] of pages.entries()) {
              yield* reader.page(yield* pageOf(ids), index + 1, pages.length)
            }
          })
        )

      return PublicOrders.of({ changes, snapshot })
    })
  )
}

const orderIdOf = (event: ArenaEvent): string => {
  if (event._tag === "OrderOpened") return event.terms.orderId
  return event._tag === "CommitmentSubmitted" ? event.commitment.orderId : event.orderId
}

const needsCommitments = ({ _tag }: ArenaEvent): boolean =>
  _tag === "WinnerChosen" || _tag === "OrderSettled" || _tag === "OrderVoided"

/** What must be known of each order before the first of its events, for those that need it. */
const needsOf = (events: ReadonlyArray<OrderEvent>): ReadonlyArray<PastNeed> => {
  const needs = new Map<string, PastNeed>()
  const first = new Map<string, number>()
  for (const each of events) {
    const orderId = orderIdOf(each.event)
    const before = first.get(orderId) ?? each.version
    first.set(orderId, before)
    if (changesOnlyItself(each) || before === 1) continue
    const openingOnly = (needs.get(orderId)?.openingOnly ?? true) && !needsCommitments(each.event)
    needs.set(orderId, { orderId, before, openingOnly })
  }
  return [...needs.values()]
}

const rebuilt = (events: ReadonlyArray<ArenaEvent>): OrderHistory | undefined => {
  const [first, ...rest] = events
  if (first?._tag !== "OrderOpened") return undefined
  const history = new OrderHistory(first)
  for (const event of rest) history.apply(event)
  return history
}

const changeOf = (histories: Map<string, OrderHistory>, next: OrderEvent): OrderChange => {
  const { event } = next
  if (event._tag === "OrderOpened") histories.set(event.terms.orderId, new OrderHistory(event))
  const history = histories.get(orderIdOf(event))
  if (history !== undefined) return history.change(next)
  return { order: null, commitments: event._tag === "CommitmentSubmitted" ? [submitted(event.commitment)] : [] }
}

const encodeOrder = wireOf(StreamedOrder)
const encodeCommitment = wireOf(StreamedCommitment)

const numberOrNull = (amount: Amount | null): number | null => (amount === null ? null : toNumber(amount))

const outcomeOf = (commitment: CommitmentView, order: OrderChange["order"]): Outcome | null =>
  commitment.status === "active"
    ? null
    : {
        status: commitment.status,
        reason: commitment.reason,
        profit: toNumber(commitment.profit),
        clearingPrice: numberOrNull(order?.clearingPrice ?? null),
        settlementPrice: numberOrNull(order?.settlementPrice ?? null)
      }

const encodedChange = ({ commitments, order }: OrderChange, onlooker: Onlooker): PublicChange => ({
  order: order === null ? null : encodeOrder(detailed(order, [], onlooker)),
  commitments: commitments.map((commitment) => ({
    commitmentId: commitment.commitmentId,
    userId: commitment.userId,
    owner: commitment.owner,
    botId: commitment.botId,
    json: encodeCommitment({ order_id: commitment.orderId, ...competing(commitment, onlooker) }),
    outcome: outcomeOf(commitment, order)
  }))
})
