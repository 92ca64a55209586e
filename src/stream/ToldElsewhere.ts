import { Effect, Schedule } from "effect"
import type { Unavailable } from "../database/DatabaseError.ts"

/** How long, and how often, it is looked whether events come of which a client was told elsewhere. */
const AWAITED = Schedule.max([Schedule.spaced("10 millis"), Schedule.recurs(500)])

/** How long the log may take to say where it ends. */
const END_LIMIT = "1 second"

/** A stream of whose events clients may be told elsewhere first. */
export interface BehindOthers {
  /** The sequence of the last event of which it told. */
  readonly position: () => number
  /** Where the log itself ends. */
  readonly end: Effect.Effect<number, Unavailable>
}

/** What became of an event of which a client was told elsewhere. */
export type Arrival =
  | "here"
  /** It may be in the log, and did not come. */
  | "late"
  /** The log ends before it. */
  | "nowhere"

/** Waits for an event of which a client was told elsewhere, and says what became of it. */
export const arrivalOf = (seq: number, { end, position }: BehindOthers): Effect.Effect<Arrival> => {
  const isHere = Effect.sync(() => position() >= seq)
  const asked = end.pipe(
    Effect.map((last): Arrival => (seq > last ? "nowhere" : "late")),
    Effect.timeoutOrElse({ duration: END_LIMIT, orElse: () => Effect.succeed<Arrival>("late") }),
    Effect.orElseSucceed((): Arrival => "late")
  )
  return isHere.pipe(
    Effect.repeat({ schedule: AWAITED, while: (isIt) => !isIt }),
    Effect.andThen(isHere),
    Effect.flatMap((isIt) => (isIt ? Effect.succeed<Arrival>("here") : asked))
  )
}
