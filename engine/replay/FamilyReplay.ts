import type { Result } from "effect"
import type { Command } from "../ledger/Command.ts"
import type { PlatformEvent } from "./PlatformEvent.ts"
import type { StoredEvent } from "./StoredEvent.ts"

/** One context's part of a replay. */
export interface FamilyReplay<Event> {
  /** Decides a recorded event again: its commands to the ledger, or what is wrong with it as a clause after its name. */
  readonly decide: (event: Event, stored: StoredEvent) => Result.Result<ReadonlyArray<Command>, string>
  /** Applies an event that was decided again and that the ledger took: puts the rows that it changes. */
  readonly evolve: (event: Event, stored: StoredEvent) => void
  /** Hears of another family's event that the ledger took, after that family: puts the rows that follow from it. */
  readonly hear?: (event: PlatformEvent, stored: StoredEvent) => void
  /** Puts what is not final, once all events were taken. */
  readonly finish?: () => void
}
