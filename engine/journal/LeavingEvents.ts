import { type Finding, findingAt, type StoredEvent } from "../replay/StoredEvent.ts"

/** Events that nothing reads back once their rows are archived. */
export const LEAVING: ReadonlyArray<string> = ["CompanyUpdated"]

/** Events that are read back until their stream ends, by {@link ENDING}. */
export const LEAVING_AT_END: ReadonlyArray<string> = ["CommitmentSubmitted"]

/** What ends an order's stream. These events stay. */
export const ENDING: ReadonlyArray<string> = ["OrderSettled", "OrderVoided"]

/**
 * Whether the events that an archive has and the table of events lacks are those that may have left it: some kinds as they
 * are, commitments once their order has ended in the archive. Take every event of the archive once, in order.
 */
export class LeavingEvents {
  /** The first event that left each stream that has not ended yet. */
  readonly #open = new Map<string, StoredEvent>()

  /** Takes an event that the archive has; answers what is wrong if the table should have it too. */
  take(event: StoredEvent, isStored: boolean): Finding | undefined {
    if (ENDING.includes(event.type)) this.#open.delete(event.stream)
    if (isStored || LEAVING.includes(event.type)) return undefined
    if (!LEAVING_AT_END.includes(event.type))
      return findingAt(event, "is in the journal's archive and not in the tables")
    if (!this.#open.has(event.stream)) this.#open.set(event.stream, event)
    return undefined
  }

  /** What left the stream of an order that has not ended there. Call it once all events were taken. */
  get finding(): Finding | undefined {
    for (const event of this.#open.values()) {
      return findingAt(
        event,
        "is in the journal's archive and not in the tables, although its order has not ended there"
      )
    }
    return undefined
  }
}
