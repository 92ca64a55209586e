import type { ArenaEvent, CommitmentYield } from "../arena/ArenaEvent.ts"
import type { Median } from "../arena/Median.ts"
import type { OrderState } from "../arena/Order.ts"
import type { OrderFacts } from "../arena/OrderLifecycle.ts"
import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import { recordedTies } from "./RecordedTies.ts"
import { registerOf } from "./WinnerAudit.ts"

/** What collateral earned between two times, in 10⁻⁶ USD. */
export type Accrual = OrderFacts["accrued"]

/** The events by which an order takes a step. */
export type Step = Exclude<ArenaEvent, { readonly _tag: "OrderOpened" | "CommitmentSubmitted" }>

/**
 * What the order knew of the world when it took a recorded step, read back from the step: the prices that it names, an
 * open breaker where it is the reason, the owners that counted as machines. The tie key of a choice is not known yet,
 * so its ties fall as they are recorded: `WinnerAudit` breaks them again with the key.
 */
export const factsOf = (state: OrderState, step: Step, accrual: Accrual | undefined): OrderFacts => ({
  now: step.at,
  medians: mediansOf(state, step),
  haltedAtExpiry: step._tag === "OrderVoided" && step.reason === "breaker_open_at_expiry",
  settlementsHalted: false,
  accrued: accrual ?? recordedAccrual(state, step),
  tieKey: "tieKey" in step ? step.tieKey : "",
  ...competitionOf(state, step)
})

const competitionOf = (
  { terms: { assetType, openedAt }, commitments }: OrderState,
  step: Step
): Pick<OrderFacts, "machineOwners" | "rule" | "register" | "tieHash"> => {
  if (step._tag !== "WinnerChosen") {
    const register = { assetType, capable: 0, committed: 0, turnout: new Map() }
    return { machineOwners: new Set(), rule: "weighted", register, tieHash: () => "" }
  }
  const { fairness, ranking } = step.choice
  return {
    machineOwners: new Set(fairness.machineOwners),
    rule: fairness.rule,
    register: registerOf(assetType, step.choice),
    tieHash: recordedTies(ranking, commitments, openedAt)
  }
}

const mediansOf = ({ terms, choice }: OrderState, step: Step): ReadonlyArray<Median> => {
  const median = (at: number, price: Amount): Median => ({ asset: terms.asset, at, price, safe: true })
  const reference = choice === null ? [] : [median(choice.referenceAt, choice.reference)]
  switch (step._tag) {
    case "OrderClosed":
      return []
    case "WinnerChosen":
      return [median(step.choice.referenceAt, step.choice.reference)]
    case "OrderVoided":
      return reference
    case "OrderSettled":
      // One price from the reference to the settlement date is its own mean, and reaches a take-profit that it equals.
      return choice === null || step.price === null
        ? []
        : [median(choice.referenceAt, step.price), median(terms.settlementAt, step.price)]
  }
}

/** The yields of a step taken as they are: what equal collateral earned in equal time. */
const recordedAccrual = (state: OrderState, step: Step): Accrual => {
  const earned = new Map<string, Amount>()
  for (const paid of "yields" in step ? step.yields : []) {
    const commitment = state.commitments.get(paid.commitmentId)
    if (commitment !== undefined) earned.set(`${commitment.collateral}/${commitment.acceptedAt}`, totalOf(paid))
  }
  return (collateral, from) => earned.get(`${collateral}/${from}`) ?? ZERO
}

/** Everything that the vault paid for a commitment. */
export const totalOf = ({ trader, insurance, platform, tokenHolders }: CommitmentYield): Amount =>
  fromUnits(trader + insurance + platform + tokenHolders)
