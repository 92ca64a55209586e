import { Context, Effect } from "effect"
import { isBehind, type Position, positionOf, positionText, reaches } from "../../engine/cluster/Position.ts"
import { ApiError } from "../api/ApiError.ts"
import type { ArrivedRequest } from "../runtime/ServerRuntime.ts"

/** Tells callers how far the journal goes that an answer comes from, and takes what they were told before. */
export const POSITION = "emporion-position"

const MALFORMED = `headers.${POSITION}: Expected a position as an answer carried it, or no such header`

const BEHIND =
  "This node does not show what you were told before, the position of Emporion-Position: send the request again after " +
  "Retry-After, or without the header to take an older answer."

/** Seconds until a node that is behind is asked again. */
const WAIT = 1

/** The journal that a server answers from. */
export interface AnsweredJournal {
  /** The name of its log of events. */
  readonly epoch: string
  /** The sequence of its last event. */
  readonly seq: () => number
}

/** The journal whose position answers carry; undefined where one server answers alone, which is never behind. */
export const AnswerPosition = Context.Reference<AnsweredJournal | undefined>("emporion/http/AnswerPosition", {
  defaultValue: () => undefined
})

/** The positions of answers and of requests. */
export class PositionHeader {
  readonly #journal: AnsweredJournal
  #seq = -1
  #text = ""

  constructor(journal: AnsweredJournal) {
    this.#journal = journal
  }

  /** The position of an answer that is given now. */
  get text(): string {
    const seq = this.#journal.seq()
    if (seq !== this.#seq) {
      this.#seq = seq
      this.#text = positionText(this.#now)
    }
    return this.#text
  }

  /** Waits for the position that a request names, or refuses it; undefined if there is nothing to wait for. */
  awaited({ headers }: ArrivedRequest): Effect.Effect<void, ApiError> | undefined {
    const given = headers.get(POSITION)
    if (given === null) return undefined
    const asked = positionOf(given)
    if (asked === undefined) return Effect.fail(new ApiError("invalid_request", MALFORMED))
    if (!isBehind(this.#now, asked)) return undefined
    return Effect.flatMap(
      reaches(() => this.#now, asked),
      (isReached) => (isReached ? Effect.void : Effect.fail(new ApiError("unavailable", BEHIND, WAIT)))
    )
  }

  get #now(): Position {
    return { epoch: this.#journal.epoch, seq: this.#journal.seq() }
  }
}
