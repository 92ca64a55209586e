import { Result } from "effect"
import type { Recorded } from "../../actor/Journal.ts"
import { familyOf, type PlatformEvent } from "../../replay/PlatformEvent.ts"
import type { Rendered } from "../../webhooks/FanOut.ts"
import { WebhookRegistry } from "../../webhooks/WebhookRegistry.ts"
import type { WebhookMessage } from "../../webhooks/WebhookMessage.ts"
import { MOST_STREAMS, render, TYPES_OF, typesOf } from "../../webhooks/WebhookRendering.ts"
import type { KeptEvent } from "../MemoryTables.ts"
import type { SimulatedJournal } from "../SimulatedJournal.ts"
import { ReadEvents } from "./ReadEvents.ts"
import { storedOf } from "../StoredKept.ts"

/** The journal as who tells of it reads it: the events that the tables have, with what companies are told. */
export class OutboxEvents {
  readonly #journal: Pick<SimulatedJournal, "events" | "stream" | "tables">
  readonly #reads: ReadEvents

  constructor(journal: Pick<SimulatedJournal, "events" | "stream" | "tables">, reads: ReadEvents = new ReadEvents()) {
    this.#journal = journal
    this.#reads = reads
  }

  /**
   * The events after a place that are told of, or say who is told: of so many at most, and up to where that is. Orders of the
   * arena that are forgotten are none.
   */
  after(position: number, most: number): { readonly events: ReadonlyArray<Rendered>; readonly to: number } {
    const to = Math.min(this.#journal.tables.seq, position + most)
    const kept = this.#journal.events.slice(position, to)
    return { events: kept.flatMap((one) => this.#rendered(one) ?? []), to }
  }

  /** Which webhooks there are at a place. */
  registryAt(position: number): WebhookRegistry {
    const registry = new WebhookRegistry()
    for (const kept of this.#journal.events.slice(0, position)) {
      if (!kept.stream.startsWith("webhook/")) continue
      const recorded = this.#recorded(kept)
      if (recorded !== undefined) registry.hear(recorded.event)
    }
    return registry
  }

  #rendered(kept: KeptEvent): Rendered | undefined {
    const recorded = isHeard(storedOf(kept).type) ? this.#recorded(kept) : undefined
    if (recorded === undefined) return undefined
    return { recorded, messages: typesOf(recorded.event).length === 0 ? [] : this.#messages(recorded) }
  }

  #messages(recorded: Recorded<PlatformEvent>): ReadonlyArray<WebhookMessage> {
    const history = new Map<string, ReadonlyArray<PlatformEvent>>()
    for (let times = 0; times <= MOST_STREAMS; times++) {
      const rendering = render(recorded, history)
      if (rendering._tag === "Rendered") return rendering.messages
      const { stream } = rendering
      const before = this.#journal.stream(stream).filter(({ seq }) => seq <= recorded.seq)
      history.set(
        stream,
        before.flatMap((one) => this.#recorded(one)?.event ?? [])
      )
    }
    throw new TypeError(`${recorded.stream} needs more streams than there may be`)
  }

  /** An event as it was recorded; undefined of one that was forgotten. */
  #recorded(kept: KeptEvent): Recorded<PlatformEvent> | undefined {
    return kept.seq === 0 ? undefined : Result.getOrUndefined(this.#reads.of(kept))
  }
}

/** Whether anybody may be told of an event with this tag, or it says who is told. */
const isHeard = (tag: string): boolean => tag in TYPES_OF || familyOf(tag) === "webhook"
