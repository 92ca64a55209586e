/** What a long run had to reach, as the code names it, and did not. */

import { FAULT_KINDS } from "./FaultPlan.ts"
import { causesWith } from "./EventCauses.ts"
import { REFUSALS, TAGGED_REFUSALS } from "./platform/RefusalCatalogue.ts"
import { eventsWith, UNREACHABLE_EVENTS } from "./ReachableEvents.ts"
import type { Counts } from "./ReachedRecord.ts"

/** What simulations came to together. */
export interface ReachedTogether {
  readonly events: Counts
  readonly causes: Counts
  readonly struckBefore: Readonly<Record<string, Counts>>
  /** What traders were answered, what bots' owners were, and what companies were. */
  readonly answers: Counts
  readonly botResponses: Counts
  readonly companyResponses: Counts
}

/** How many bots and companies simulations have. */
export interface Population {
  readonly bots: number
  readonly companies: number
}

/** What is missing, each by its name: `fault before event` of the pairs. */
export interface ReachedGaps {
  readonly events: ReadonlyArray<string>
  /** What an event did not come by, such as `CommitmentHaltSet by restarted`. */
  readonly causes: ReadonlyArray<string>
  readonly refusals: ReadonlyArray<string>
  readonly pairs: ReadonlyArray<string>
  /** What came, and is said never to. */
  readonly surprises: ReadonlyArray<string>
}

/** Refusals that cannot come here, and why. One that comes all the same is a gap too: the list is wrong. */
export const UNREACHABLE_REFUSALS: Readonly<Record<string, string>> = {}

/** What events cannot come by here, and why. */
export const UNREACHABLE_CAUSES: Readonly<Record<string, string>> = {
  "SubscriptionPaymentFailed by account_not_active": "no user is suspended or barred: every account that pays is active"
}

/** How often each refusal of the catalogue came. */
export const refusalCounts = ({
  answers,
  botResponses,
  companyResponses
}: Pick<ReachedTogether, "answers" | "botResponses" | "companyResponses">): Counts => {
  const counts: Record<string, number> = Object.fromEntries(REFUSALS.map((name) => [name, companyResponses[name] ?? 0]))
  for (const [tag, name] of TAGGED_REFUSALS) counts[name] = (answers[tag] ?? 0) + (botResponses[tag] ?? 0)
  return counts
}

/** Whether a population can be told a refusal. */
const isToldTo = (name: string, { bots, companies }: Population): boolean => {
  if (name.startsWith("arena/")) return true
  return /^(bots|ledger)\//.test(name) ? bots > 0 : companies > 0
}

/**
 * What was not reached of what there is, less what cannot be.
 *
 * @param population - whose events and refusals are asked for; everybody's unless it is given
 */
export const gapsOf = (reached: ReachedTogether, population: Population = { bots: 1, companies: 1 }): ReachedGaps => {
  const { causes, events, struckBefore } = reached
  const tags = eventsWith(population).toSorted()
  const refusals = refusalCounts(reached)
  return {
    events: tags.filter((tag) => events[tag] === undefined),
    causes: causesWith(tags).filter((name) => causes[name] === undefined && !(name in UNREACHABLE_CAUSES)),
    refusals: REFUSALS.filter(
      (name) => refusals[name] === 0 && isToldTo(name, population) && !(name in UNREACHABLE_REFUSALS)
    ),
    pairs: FAULT_KINDS.flatMap((kind) =>
      tags.filter((tag) => struckBefore[kind]?.[tag] === undefined).map((tag) => `${kind} before ${tag}`)
    ),
    surprises: [
      ...UNREACHABLE_EVENTS.filter((tag) => events[tag] !== undefined),
      ...Object.keys(UNREACHABLE_CAUSES).filter((name) => causes[name] !== undefined),
      ...Object.keys(UNREACHABLE_REFUSALS).filter((name) => (refusals[name] ?? 0) > 0)
    ]
  }
}

/** Everything that is missing, in one list. */
export const namesOf = ({ causes, events, pairs, refusals, surprises }: ReachedGaps): ReadonlyArray<string> => [
  ...events,
  ...causes,
  ...refusals,
  ...pairs,
  ...surprises.map((name) => `${name} (which came, and is said never to)`)
]
