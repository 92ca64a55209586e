import { encodeEvent } from "../actor/EventChain.ts"
import type { StateRow } from "../replay/StateTable.ts"
import type { OrderSettled, OrderVoided } from "./ArenaEvent.ts"
import type { Commitment } from "./Commitment.ts"
import type { OrderState } from "./Order.ts"

/** An order with what its rows hold beyond the actor's state. */
export interface ReplayedOrder {
  readonly state: OrderState
  /** The sequence of each commitment's event, by id. */
  readonly submitted: Map<string, number>
  ending: OrderSettled | OrderVoided | undefined
}

const text = (value: bigint | number | null | undefined): string | null =>
  value === null || value === undefined ? null : `${value}`

/** The order's row of `arena_orders`. A void order shows no winner, though its choice found one. */
export const orderRow = ({ state, ending }: ReplayedOrder): StateRow => {
  const { terms, choice, status } = state
  const isVoid = ending?._tag === "OrderVoided"
  return {
    table: "arena_orders",
    values: [
      terms.orderId,
      terms.assetType,
      terms.asset,
      JSON.stringify(terms.details),
      ...[terms.quantity, terms.entryPrice, terms.openedAt, terms.expiryAt, terms.settlementAt].map(text),
      status,
      terms.maker.owner,
      terms.maker.address,
      terms.tieKeyHash,
      ending?.tieKey ?? null,
      text(choice?.reference),
      text(choice?.referenceAt),
      isVoid ? null : (choice?.winner ?? null),
      isVoid ? null : text(choice?.clearingPrice),
      choice === null ? null : encodeEvent(choice.fairness),
      ending?._tag === "OrderSettled" ? text(ending.price) : null,
      ending === undefined ? null : ending._tag === "OrderSettled" ? text(ending.profit) : "0",
      text(ending?.yieldDistributed),
      isVoid ? ending.reason : null,
      text(terms.makerDiscount)
    ]
  }
}

/** The rows of `arena_commitments` of an order. */
export const commitmentRows = ({ state, submitted }: ReplayedOrder): ReadonlyArray<StateRow> => {
  const ranking = new Map(
    (state.choice?.ranking ?? []).map(({ commitmentId, score }, index) => [commitmentId, { score, rank: index + 1 }])
  )
  return [...state.commitments.values()].map((commitment) =>
    commitmentRow(commitment, submitted.get(commitment.commitmentId), ranking.get(commitment.commitmentId))
  )
}

/** A row of `arena_commitments`: with the sequence of its event, and where it stands once a winner is chosen. */
export const commitmentRow = (
  commitment: Commitment,
  seq: number | undefined,
  standing?: { readonly rank: number; readonly score: bigint }
): StateRow => ({
  table: "arena_commitments",
  values: [
    ...submittedValues(commitment, seq),
    commitment.status,
    commitment.reason,
    text(standing?.rank),
    text(standing?.score),
    `${commitment.profit}`,
    `${commitment.yieldEarned}`
  ]
})

const submittedValues = (commitment: Commitment, seq: number | undefined): ReadonlyArray<string | null> => {
  const { trader } = commitment
  return [
    commitment.commitmentId,
    commitment.orderId,
    text(seq),
    trader.owner,
    trader.userId,
    trader.botId,
    trader.address,
    trader.type,
    ...[commitment.proposedPrice, commitment.exitPrice, commitment.quantity, commitment.slippage].map(text),
    commitment.swapExecutor,
    text(commitment.collateral),
    text(commitment.acceptedAt)
  ]
}
