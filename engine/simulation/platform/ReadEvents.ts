import { Result } from "effect"
import type { Recorded } from "../../actor/Journal.ts"
import { readEvent } from "../../replay/EventCodec.ts"
import type { PlatformEvent } from "../../replay/PlatformEvent.ts"
import type { KeptEvent } from "../MemoryTables.ts"
import { storedOf } from "../StoredKept.ts"

/** Events that are kept as they were read, at least; at most twice as many are. */
export const READ_EVENTS = 2_048

interface Read {
  readonly data: string
  readonly recorded: Result.Result<Recorded<PlatformEvent>, string>
}

/**
 * Reads events from their bytes. One of the last {@link READ_EVENTS} that were read is not read again: a stream's are asked for
 * with each of its messages. Nobody may change what it answers.
 */
export class ReadEvents {
  /** By sequence, what was read last, and what was read before that. */
  #last = new Map<number, Read>()
  #before: ReadonlyMap<number, Read> = new Map()

  /** An event as it was recorded, or why no event has these bytes. */
  of(kept: KeptEvent): Result.Result<Recorded<PlatformEvent>, string> {
    const { data, hash, seq, stream, version } = kept
    const known = this.#last.get(seq) ?? this.#before.get(seq)
    if (known?.data === data) return known.recorded
    const recorded = Result.map(readEvent(storedOf(kept)), ({ event }) => ({ seq, stream, version, hash, event }))
    if (this.#last.size >= READ_EVENTS) {
      this.#before = this.#last
      this.#last = new Map()
    }
    this.#last.set(seq, { data, recorded })
    return recorded
  }
}
