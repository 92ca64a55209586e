import type { Commitment } from "../../engine/arena/Commitment.ts"
import { evolve, type OrderState } from "../../engine/arena/Order.ts"
import { nextStep, type OrderFacts } from "../../engine/arena/OrderLifecycle.ts"
import { ZERO } from "../../engine/money/Amount.ts"
import { median, NO_MACHINES, order, terms, tieHash, TIE_KEY } from "./ArenaArbitraries.ts"

/** A quiet world at the order's expiry, without a price. */
export const facts = (change: Partial<OrderFacts> = {}): OrderFacts => ({
  now: terms().expiryAt,
  medians: [],
  haltedAtExpiry: false,
  settlementsHalted: false,
  machineOwners: new Set(),
  rule: "weighted",
  register: NO_MACHINES,
  tieKey: TIE_KEY,
  tieHash,
  accrued: () => ZERO,
  ...change
})

/** An order that these were committed to. */
export const competing = (...commitments: ReadonlyArray<Commitment>): OrderState => {
  const state = order()
  for (const one of commitments) evolve(state, { _tag: "CommitmentSubmitted", at: one.acceptedAt, commitment: one })
  return state
}

/** Takes one step, which must be due. */
export const step = (state: OrderState, change: Partial<OrderFacts> = {}) => {
  const entry = nextStep(state, facts(change))
  if (entry === undefined) throw new Error("no step is due")
  evolve(state, entry.event)
  return entry
}

/** Closed at expiry. */
export const settling = (...commitments: ReadonlyArray<Commitment>): OrderState => {
  const state = competing(...commitments)
  step(state)
  return state
}

/** Chosen at 100 USD, exactly at expiry. */
export const chosen = (...commitments: ReadonlyArray<Commitment>): OrderState => {
  const state = settling(...commitments)
  step(state, { medians: [median(terms().expiryAt, "100")] })
  return state
}
