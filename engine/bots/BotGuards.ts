/** The guard of a company's bots: a dead-man switch that pauses them unless it is set again in time. */

import { Clock, Effect } from "effect"
import { type Recorded, StaleVersion } from "../actor/Journal.ts"
import { type BotGuardSet, botGuardStream } from "./BotEvent.ts"
import { GuardReplaced, pauseActive } from "./BotPausing.ts"
import type { BotStore, WriteFailure } from "./BotRecords.ts"

const MILLIS = 1_000

/** Has all bots of a company paused after so many seconds, unless asked again; 0 seconds: no more. */
export const setGuard = Effect.fnUntraced(function* <Failure, Services = never>(
  { write }: BotStore<Failure, Services>,
  companyId: string,
  by: string,
  seconds: number
): Effect.fn.Return<Recorded<BotGuardSet>, WriteFailure<Failure>, Services> {
  const at = yield* Clock.currentTimeMillis
  const deadlineAt = seconds === 0 ? null : at + seconds * MILLIS
  const event: BotGuardSet = { _tag: "BotGuardSet", at, by, companyId, deadlineAt }
  return yield* write({ stream: botGuardStream(companyId), version: null, entry: { commands: [], event } })
})

/**
 * Does what a guard is for, where it is due. Whoever asked again meanwhile is left alone: no bot is paused after that. The
 * guard ends after it, so that a crash between repeats it.
 */
export const endDueGuard = Effect.fnUntraced(function* <Failure, Services = never>(
  store: BotStore<Failure, Services>,
  companyId: string
): Effect.fn.Return<void, GuardReplaced | WriteFailure<Failure>, Services> {
  const { deadlineAt, version } = yield* store.guard(companyId)
  const at = yield* Clock.currentTimeMillis
  if (deadlineAt === null || deadlineAt > at) return
  const stream = botGuardStream(companyId)
  yield* pauseActive(store, companyId, { by: null, guard: { stream, version } })
  const event: BotGuardSet = { _tag: "BotGuardSet", at, by: null, companyId, deadlineAt: null }
  yield* store
    .write({ stream, version, entry: { commands: [], event } })
    .pipe(Effect.catch((error) => Effect.fail(error instanceof StaleVersion ? new GuardReplaced({ stream }) : error)))
})
