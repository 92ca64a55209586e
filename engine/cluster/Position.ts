/** How far the journal goes that an answer comes from, as callers are told it and send it with a later request. */

import { Effect } from "effect"

/** How long a request waits for the position that it names, in milliseconds. */
export const POSITION_WAIT = 500

/** The pause between two looks, in milliseconds. */
const LOOK = 5

/** A position in a journal. */
export interface Position {
  /** The name of the log of events. It is another one where the database is another one. */
  readonly epoch: string
  /** The sequence of an event; 0 before the first. */
  readonly seq: number
}

const FORM = /^([0-9A-Za-z]{1,64})-(0|[1-9]\d{0,15})$/

/** A position as it is sent: `<epoch>-<seq>`. */
export const positionText = ({ epoch, seq }: Position): string => `${epoch}-${seq}`

/** Reads a position; undefined where the text is none. */
export const positionOf = (text: string): Position | undefined => {
  const [, epoch, digits] = FORM.exec(text) ?? []
  const seq = Number(digits)
  return epoch === undefined || !Number.isSafeInteger(seq) ? undefined : { epoch, seq }
}

/** Whether a journal does not go as far as a position. Nobody can tell of a position in another log. */
export const isBehind = (journal: Position, { epoch, seq }: Position): boolean =>
  journal.epoch === epoch && journal.seq < seq

/** Waits until a journal goes as far as a position, {@link POSITION_WAIT} at most. Answers whether it does. */
export const reaches = (journal: () => Position, asked: Position): Effect.Effect<boolean> =>
  Effect.suspend(() => {
    if (!isBehind(journal(), asked)) return Effect.succeed(true)
    const looking = Effect.repeat(Effect.sleep(LOOK), { while: () => isBehind(journal(), asked) })
    return Effect.timeoutOrElse(Effect.as(looking, true), {
      duration: POSITION_WAIT,
      orElse: () => Effect.succeed(false)
    })
  })

/** How far a node has answered its callers, so that it never answers anybody from before. */
export class AcknowledgedPosition {
  #position: Position | undefined

  /** An answer showed this position. What is known of another log no longer counts. */
  note(shown: Position): void {
    const known = this.#position
    if (known === undefined || known.epoch !== shown.epoch || known.seq < shown.seq) this.#position = shown
  }

  /** What the next answer must not be older than, for a caller who may name a position as well. */
  required(asked: Position | undefined): Position | undefined {
    const known = this.#position
    if (known === undefined || asked === undefined) return known ?? asked
    return isBehind(known, asked) ? asked : known
  }
}
