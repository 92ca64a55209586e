import { encodeEvent } from "../../engine/actor/EventChain.ts"
import type { ArenaEvent, OrderOpened, OrderSettled, OrderVoided } from "../../engine/arena/ArenaEvent.ts"
import type { Commitment } from "../../engine/arena/Commitment.ts"
import { evolve, opened, type OrderState } from "../../engine/arena/Order.ts"
import type { RankedCommitment } from "../../engine/arena/Winner.ts"
import type { CommitmentView } from "./CommitmentRepository.ts"
import type { OrderView } from "./OrderRepository.ts"

/** What one event changed of what is public. */
export interface OrderChange {
  /** The order after it; null where only commitments changed. */
  readonly order: OrderView | null
  /** The commitments that it changed, as they are after it. */
  readonly commitments: ReadonlyArray<CommitmentView>
}

/** A commitment as its row says it. `place` counts from 0. */
const viewOf = (commitment: Commitment, standing: RankedCommitment | undefined, place: number): CommitmentView => ({
  commitmentId: commitment.commitmentId,
  orderId: commitment.orderId,
  assetType: commitment.assetType,
  owner: commitment.trader.owner,
  userId: commitment.trader.userId,
  traderAddress: commitment.trader.address,
  traderType: commitment.trader.type,
  botId: commitment.trader.botId,
  proposedPrice: commitment.proposedPrice,
  exitPrice: commitment.exitPrice,
  quantity: commitment.quantity,
  slippage: commitment.slippage,
  collateral: commitment.collateral,
  status: commitment.status,
  reason: commitment.reason,
  rank: standing === undefined ? null : place + 1,
  score: standing === undefined ? null : standing.score,
  profit: commitment.profit,
  yieldEarned: commitment.yieldEarned,
  acceptedAt: commitment.acceptedAt
})

/** An order's event, and its place in the order's stream from 1. */
export interface OrderEvent {
  readonly version: number
  readonly event: ArenaEvent
}

/** Whether the event is a commitment that leaves its order as it is: only the first, version 2, makes it competing. */
export const changesOnlyItself = ({ event, version }: OrderEvent): boolean =>
  event._tag === "CommitmentSubmitted" && version > 2

/** A commitment as it is when it was just accepted. */
export const submitted = (commitment: Commitment): CommitmentView => viewOf(commitment, undefined, 0)

/**
 * An order's public views at any event, rebuilt from its events: the same that its rows give after that event. What only
 * commitments tell may be missing where they were left out.
 */
export class OrderHistory {
  readonly #state: OrderState
  #ending: OrderSettled | OrderVoided | undefined

  constructor({ terms }: OrderOpened) {
    this.#state = opened(terms)
  }

  /** Applies the next event. */
  apply(event: ArenaEvent): void {
    if (event._tag === "OrderOpened") return
    evolve(this.#state, event)
    if (event._tag === "OrderSettled" || event._tag === "OrderVoided") this.#ending = event
  }

  /** Applies the next event and answers what it changed. */
  change(next: OrderEvent): OrderChange {
    const touched = this.#touchedBy(next.event)
    this.apply(next.event)
    return { order: changesOnlyItself(next) ? null : this.#order(), commitments: this.#views(touched) }
  }

  /** The commitments that the event is about to change. */
  #touchedBy(event: ArenaEvent): ReadonlyArray<string> {
    switch (event._tag) {
      case "CommitmentSubmitted":
        return [event.commitment.commitmentId]
      case "WinnerChosen":
        return event.choice.ranking.map(({ commitmentId }) => commitmentId)
      case "OrderSettled":
        return event.winner === null ? [] : [event.winner.commitmentId]
      case "OrderVoided":
        return [...this.#state.commitments.values()]
          .filter(({ status }) => status === "active" || status === "won")
          .map(({ commitmentId }) => commitmentId)
      case "OrderOpened":
      case "OrderClosed":
        return []
    }
  }

  #views(ids: ReadonlyArray<string>): ReadonlyArray<CommitmentView> {
    const ranking = ids.length === 0 ? [] : (this.#state.choice?.ranking ?? [])
    const places = new Map(ranking.map(({ commitmentId }, place) => [commitmentId, place]))
    return ids.flatMap((id) => {
      const commitment = this.#state.commitments.get(id)
      const place = places.get(id) ?? -1
      return commitment === undefined ? [] : [viewOf(commitment, ranking[place], place)]
    })
  }

  #order(): OrderView {
    const { choice, status, terms } = this.#state
    const ending = this.#ending
    const isVoid = ending?._tag === "OrderVoided"
    return {
      orderId: terms.orderId,
      assetType: terms.assetType,
      details: JSON.stringify(terms.details),
      quantity: terms.quantity,
      entryPrice: terms.entryPrice,
      openedAt: terms.openedAt,
      expiryAt: terms.expiryAt,
      settlementAt: terms.settlementAt,
      status,
      makerAddress: terms.maker.address,
      tieKeyHash: terms.tieKeyHash,
      tieKey: ending?.tieKey ?? null,
      makerDiscount: terms.makerDiscount ?? null,
      referencePrice: choice?.reference ?? null,
      clearingPrice: isVoid ? null : (choice?.clearingPrice ?? null),
      settlementPrice: ending?._tag === "OrderSettled" ? ending.price : null,
      winnerCommitmentId: isVoid ? null : (choice?.winner ?? null),
      voidReason: isVoid ? ending.reason : null,
      fairness: choice === null ? null : encodeEvent(choice.fairness)
    }
  }
}
