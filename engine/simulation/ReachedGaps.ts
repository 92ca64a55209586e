/** What a long run had to reach, as the code names it, and did not. */

import { type EventFamily, EVENTS, membersOf } from "../replay/PlatformEvent.ts"
import { FAULT_KINDS } from "./FaultPlan.ts"
import { REFUSALS } from "./platform/RefusalCatalogue.ts"
import type { Counts } from "./ReachedRecord.ts"

/** What simulations came to together. */
export interface ReachedTogether {
  readonly events: Counts
  readonly struckBefore: Readonly<Record<string, Counts>>
  /** What companies were answered. */
  readonly companyResponses: Counts
}

/** What is missing, each by its name: `fault before event` of the pairs. */
export interface ReachedGaps {
  readonly events: ReadonlyArray<string>
  readonly refusals: ReadonlyArray<string>
  readonly pairs: ReadonlyArray<string>
}

/** The families of what companies record. */
export const COMPANY_FAMILIES: ReadonlyArray<EventFamily> = [
  "product",
  "purchase",
  "payment",
  "transfer",
  "credit",
  "subscription",
  "webhook"
]

/** The events of the companies, as their schemas name them. */
export const COMPANY_EVENTS: ReadonlyArray<string> = COMPANY_FAMILIES.flatMap((family) =>
  membersOf(EVENTS[family]).map(([tag]) => tag)
).toSorted()

/** Refusals that cannot come here, and why. */
export const UNREACHABLE_REFUSALS: Readonly<Record<string, string>> = {}

/** Faults after which something else always comes first, and why. */
export const UNPAIRED_FAULTS: Readonly<Record<string, string>> = {
  close_vault: "it records by itself that the vault is closed, which is then the next event"
}

/** What was not reached of what there is, less what cannot be. */
export const gapsOf = ({ companyResponses, events, struckBefore }: ReachedTogether): ReachedGaps => ({
  events: COMPANY_EVENTS.filter((tag) => events[tag] === undefined),
  refusals: REFUSALS.filter((name) => companyResponses[name] === undefined && !(name in UNREACHABLE_REFUSALS)),
  pairs: FAULT_KINDS.filter((kind) => !(kind in UNPAIRED_FAULTS)).flatMap((kind) =>
    COMPANY_EVENTS.filter((tag) => struckBefore[kind]?.[tag] === undefined).map((tag) => `${kind} before ${tag}`)
  )
})

/** Everything that is missing, in one list. */
export const namesOf = ({ events, pairs, refusals }: ReachedGaps): ReadonlyArray<string> => [
  ...events,
  ...refusals,
  ...pairs
]
