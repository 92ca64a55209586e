import { encodeEvent } from "../../engine/actor/EventChain.ts"
import type { Choice } from "../../engine/arena/ArenaEvent.ts"
import { compete, type CompetitionInput } from "../../engine/arena/Winner.ts"
import { auditChoice } from "../../engine/simulation/ChoiceAudit.ts"
import { type NaiveOrder, readCommitment, readOrder, type Wire } from "../../engine/simulation/NaiveOrder.ts"
import { terms } from "./ArenaArbitraries.ts"

export const wire = <T extends object>(value: T): Wire<T> => JSON.parse(encodeEvent(value))

/** The order of a field of commitments, as the auditor reads it. */
const orderOf = (input: CompetitionInput): NaiveOrder => {
  const order = readOrder(wire(terms(input.terms)))
  for (const one of input.commitments) order.commitments.set(one.commitmentId, readCommitment(wire(one)))
  return order
}

/** What the engine makes of a field. */
export const choiceOf = (input: CompetitionInput, at: number): Choice => {
  const { winner, clearingPrice, ranking, fairness } = compete(input)
  const { excluded: _, ...told } = fairness
  return { reference: input.reference, referenceAt: at, winner, clearingPrice, ranking, fairness: told }
}

/** The rules that a choice breaks in the auditor's eyes. */
export const brokenBy = (
  input: CompetitionInput,
  choice: Choice,
  price: bigint = input.reference
): ReadonlyArray<string> => {
  const broken: Array<string> = []
  const order = orderOf(input)
  const at = order.terms.expiryAt
  auditChoice(
    {
      order,
      choice: wire(choice),
      prices: [{ at, price, safe: true }],
      machineOwners: input.machineOwners,
      tieHash: input.tieHash,
      fairness: { rule: input.rule, machines: input.register.capable, turnout: input.register.turnout }
    },
    (invariant) => void broken.push(invariant)
  )
  return broken
}
