/** Which events a simulation can record, as their schemas name them. */

import { type EventFamily, EVENTS, membersOf } from "../replay/PlatformEvent.ts"

/** The families of what the arena records, with or without bots and companies. */
export const ARENA_FAMILIES: ReadonlyArray<EventFamily> = ["order", "funds", "halt", "vault", "machine"]

/** The families of what bots record. */
export const BOT_FAMILIES: ReadonlyArray<EventFamily> = ["bot", "credits"]

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

/** Families of which nothing can come in a simulation, and why. */
export const UNREACHABLE_FAMILIES: Readonly<Partial<Record<EventFamily, string>>> = {
  company: "companies of a simulation are there from its start: nobody signs up, is verified, or has another plan",
  erasure: "nobody of a simulation has a name, an address or an account that could be forgotten"
}

/** The events of some families, in the order of the families. */
export const eventsOf = (families: ReadonlyArray<EventFamily>): ReadonlyArray<string> =>
  families.flatMap((family) => membersOf(EVENTS[family]).map(([tag]) => tag))

/** Every event that no simulation can record. */
export const UNREACHABLE_EVENTS: ReadonlyArray<string> = eventsOf(
  Object.keys(UNREACHABLE_FAMILIES) as ReadonlyArray<EventFamily>
)

/** Every event that a simulation with bots and companies can record, in the order of the names. */
export const REACHABLE_EVENTS: ReadonlyArray<string> = eventsOf([
  ...ARENA_FAMILIES,
  ...BOT_FAMILIES,
  ...COMPANY_FAMILIES
]).toSorted()

/** What there is of bots and of companies. */
interface Population {
  readonly bots?: number
  readonly companies?: number
}

/** The events that a simulation with such a population can record. */
export const eventsWith = ({ bots = 0, companies = 0 }: Population): ReadonlyArray<string> =>
  eventsOf([...ARENA_FAMILIES, ...(bots > 0 ? BOT_FAMILIES : []), ...(companies > 0 ? COMPANY_FAMILIES : [])])
