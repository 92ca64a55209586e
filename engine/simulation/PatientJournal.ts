import { Effect } from "effect"
import type { ChainedEvent } from "../actor/CommitGroup.ts"
import type { Batch, Journal } from "../actor/Journal.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Fork } from "./VirtualScheduler.ts"

export interface PatientJournalParts {
  readonly clock: VirtualClock
  readonly journal: Journal<PlatformEvent>
  readonly fork: Fork
}

/** What was not answered is asked for again after so many milliseconds. */
const AGAIN_MILLIS = 500

/** Writes what has to be recorded, such as what is there from the start: asks until it is, whatever fails and whichever process runs. */
export class PatientJournal {
  readonly #parts: PatientJournalParts
  /** What is not recorded yet, by its first event. */
  readonly #left = new Map<object, Batch<PlatformEvent>>()

  constructor(parts: PatientJournalParts) {
    this.#parts = parts
  }

  /** Each batch has an entry, and a version or a claim, so that it is not written twice. */
  write(batches: ReadonlyArray<Batch<PlatformEvent>>): void {
    for (const batch of batches) {
      const [first] = batch.entries
      if (first === undefined) continue
      this.#left.set(first.event, batch)
      this.#ask(first.event)
    }
  }

  /** Events became durable. */
  committed(recorded: ReadonlyArray<ChainedEvent<PlatformEvent>>): void {
    if (this.#left.size > 0) for (const { event } of recorded) this.#left.delete(event)
  }

  /** Another process begins, which hears of nothing that the one before was asked for. */
  restart(): void {
    for (const first of this.#left.keys()) this.#ask(first)
  }

  #ask(first: object): void {
    const { clock, fork, journal } = this.#parts
    const batch = this.#left.get(first)
    if (batch === undefined) return
    const again = () => void clock.schedule(clock.elapsed + AGAIN_MILLIS, () => this.#ask(first))
    fork(
      Effect.catchTags(journal.append(batch), {
        JournalUnavailable: () => Effect.sync(again),
        // It was written, and the answer was lost.
        StaleVersion: () => Effect.void
      })
    )
  }
}
