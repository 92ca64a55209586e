import { Clock, Effect, Layer } from "effect"
import { HISTORY_FILES } from "../../api/ArenaHistory.ts"
import { Settings } from "../../Config.ts"
import { link } from "../../database/ChainLink.ts"
import * as Worker from "../../Worker.ts"
import { DAY, sealed } from "./HistoryDay.ts"
import { HistoryFiles } from "./HistoryFiles.ts"
import { HistoryRepository } from "./HistoryRepository.ts"

/** How often a day that is complete is looked for. */
const INTERVAL = "1 minute"

/** Milliseconds that a day must be over: a clock that was set back so far still opens no auction that settles in it. */
const CLOCK_SLACK = 60_000

/** Seals the first day that is not sealed, if it is complete. Returns whether it was. */
export const sealNext = Effect.gen(function* () {
  const repository = yield* HistoryRepository
  const { kept, measure } = yield* HistoryFiles
  const { sealedBids } = (yield* Settings).arena
  const before = yield* repository.last
  const next = yield* repository.unsealedAfter(before?.day ?? -1)
  const now = yield* Clock.currentTimeMillis
  if (next === undefined || next.isLive || now < (next.day + 1) * DAY + CLOCK_SLACK) return false
  const key = { day: next.day, bids: sealedBids ? ("sealed" as const) : ("open" as const) }
  const contents = yield* measure(key, yield* kept(next.day, HISTORY_FILES))
  // Read after the auctions: what ended them stands before it.
  const journal = yield* repository.position
  yield* repository.add(sealed({ ...key, ...contents, journal }, before, link))
  return true
}).pipe(Effect.withSpan("HistorySealing.sealNext"))

/** Seals every day that is complete, oldest first. */
export const sealDue = Effect.repeat(sealNext, { while: (wasSealed) => wasSealed })

/** Seals days in the background, once they are complete. */
export const running = Layer.effectDiscard(Worker.every(INTERVAL, "The arena's history", sealDue))
