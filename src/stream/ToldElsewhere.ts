import { Cache, Duration, Effect, Schedule } from "effect"
import { Unavailable } from "../database/DatabaseError.ts"

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

/**
 * One look at the log's end for all who ask at the same time. None is older than it may take, and so than the wait of whoever
 * joins it: what a client was told before it asked is in the log that the look finds.
 */
const sharedLook = (end: BehindOthers["end"]) => {
  const inTime = Effect.timeoutOrElse(end, {
    duration: END_LIMIT,
    orElse: () => Effect.fail(new Unavailable({ reason: "the log does not say where it ends" }))
  })
  const looks = Cache.makeWith(() => inTime, { capacity: 1, timeToLive: () => Duration.zero })
  return Effect.map(looks, (shared) => Cache.get(shared, "end"))
}

/** Makes what waits for an event of which a client was told elsewhere, and says what became of it. */
export const makeArrivals = Effect.fnUntraced(function* ({
  end,
  position
}: BehindOthers): Effect.fn.Return<(seq: number) => Effect.Effect<Arrival>> {
  const look = yield* sharedLook(end)
  return (seq) => {
    const isHere = Effect.sync(() => position() >= seq)
    const asked = look.pipe(
      Effect.map((last): Arrival => (seq > last ? "nowhere" : "late")),
      Effect.orElseSucceed((): Arrival => "late")
    )
    return isHere.pipe(
      Effect.repeat({ schedule: AWAITED, while: (isIt) => !isIt }),
      Effect.andThen(isHere),
      Effect.flatMap((isIt) => (isIt ? Effect.succeed<Arrival>("here") : asked))
    )
  }
})
