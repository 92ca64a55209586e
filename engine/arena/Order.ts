import { AccountId } from "../ledger/Account.ts"
import { Amount, ZERO } from "../money/Amount.ts"
import { Commitments } from "./Commitments.ts"
import type { ArenaEvent, Choice } from "./ArenaEvent.ts"
import type { OrderTerms } from "./OrderTerms.ts"

export const ORDER_STATUSES = ["open", "competing", "settling", "settled"] as const

/** open → competing → settling → settled; a status never goes back. */
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** An order with everything that was committed to it, as its actor knows it. */
export interface OrderState {
  readonly terms: OrderTerms
  /** The number of events recorded. */
  version: number
  status: OrderStatus
  /** By id, in the sequence of acceptance. */
  readonly commitments: Commitments
  /** The highest ordinal of a commitment. */
  lastOrdinal: number
  choice: Choice | null
}

/** The stream of an order's events. */
export const orderStream = (orderId: string): string => `order/${orderId}`

/** The ledger's id of the market maker's hold, before and after the choice. */
export const escrowHold = (orderId: string, stage: "offered" | "sold"): string => `escrow/${stage}/${orderId}`

/** The ledger account that collateral is held for. */
export const VAULT: AccountId = "platform/USD/vault"

export const opened = (terms: OrderTerms): OrderState => ({
  terms,
  version: 1,
  status: "open",
  commitments: new Commitments(terms),
  lastOrdinal: 0,
  choice: null
})

/**
 * Applies one recorded event to an order, in place.
 *
 * The state belongs to one actor, and is rebuilt from its events: nothing else changes it.
 */
export const evolve = (state: OrderState, event: ArenaEvent): void => {
  state.version += 1
  switch (event._tag) {
    case "OrderOpened":
      return
    case "CommitmentSubmitted": {
      const { commitment } = event
      state.status = "competing"
      state.lastOrdinal = commitment.ordinal
      state.commitments.add(commitment)
      return
    }
    case "OrderClosed":
      state.status = "settling"
      return
    case "WinnerChosen":
      state.choice = event.choice
      choose(state, event)
      return
    case "OrderSettled":
    case "OrderVoided":
      finish(state, event)
  }
}

const choose = (state: OrderState, { choice, yields }: ArenaEvent & { _tag: "WinnerChosen" }): void => {
  const earned = new Map<string, Amount>()
  for (const { commitmentId, trader } of yields) earned.set(commitmentId, trader)
  for (const { commitmentId, reason } of choice.ranking) {
    const won = commitmentId === choice.winner
    state.commitments.amend(commitmentId, {
      status: won ? "won" : "lost",
      reason: won ? null : reason,
      yieldEarned: earned.get(commitmentId) ?? ZERO
    })
  }
}

const finish = (state: OrderState, event: ArenaEvent & { _tag: "OrderSettled" | "OrderVoided" }): void => {
  state.status = "settled"
  for (const { commitmentId, status } of state.commitments.values()) {
    if (status === "won") {
      state.commitments.amend(commitmentId, {
        status: "settled",
        ...(event._tag === "OrderSettled" && { profit: event.profit })
      })
    }
    if (status === "active") state.commitments.amend(commitmentId, { status: "lost", reason: "void" })
  }
  for (const { commitmentId, trader } of event.yields) state.commitments.amend(commitmentId, { yieldEarned: trader })
}
