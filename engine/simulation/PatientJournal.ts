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
  /** Hears of what cannot be. */
  readonly report: (invariant: string, detail: string) => void
}

/** What was not answered is asked for again after so many milliseconds. */
const AGAIN_MILLIS = 500

/**
 * Writes what has to be recorded, such as what is there from the start: asks until it is, whatever fails and whichever process
 * runs. Nothing else is written in its place, and no rule refuses it: what is answered otherwise is reported.
 */
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
      Effect.match(journal.append(batch), {
        onSuccess: (outcomes) => {
          const refused = outcomes.find(({ _tag }) => _tag === "Refused")
          if (refused !== undefined) this.#wrong(batch, "is refused")
        },
        onFailure: (error) => {
          // What it follows, such as the registration that a retirement ends, may not be written yet.
          if (error._tag === "JournalUnavailable" || error.actual < error.expected) return again()
          // What was written, and its answer lost, is known by now: a commit is told before any answer.
          if (this.#left.has(first)) this.#wrong(batch, "was written before, and not by this")
        }
      })
    )
  }

  #wrong({ stream }: Batch<PlatformEvent>, what: string): void {
    this.#parts.report("opening", `what has to be recorded in ${stream} ${what}`)
  }
}
