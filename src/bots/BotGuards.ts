import { Clock, Effect } from "effect"
import { type BotGuardSet, botGuardStream } from "../../engine/bot/BotEvent.ts"
import { dieOnRefusal, writeEntry } from "../database/EntryWriting.ts"
import { BotRepository } from "./BotRepository.ts"
import type { Caller } from "./BotMaking.ts"
import { allPaused } from "./BotMoving.ts"

const MILLIS = 1_000

const set = (event: BotGuardSet, version: number | null) =>
  writeEntry({ stream: botGuardStream(event.companyId), version, entry: { commands: [], event } })

/** Has all bots of the caller's company paused after so many seconds, unless asked again; 0 seconds: no more. */
export const guarded = Effect.fnUntraced(function* ({ companyId, userId }: Caller, seconds: number) {
  const at = yield* Clock.currentTimeMillis
  const deadlineAt = seconds === 0 ? null : at + seconds * MILLIS
  yield* set({ _tag: "BotGuardSet", at, by: userId, companyId, deadlineAt }, null)
  return deadlineAt
}, dieOnRefusal)

/**
 * Does what a guard is for, where it is due. Whoever asked again meanwhile is left alone: no bot is paused after that. The
 * guard ends after it, so that a crash between repeats it.
 */
export const guardDue = Effect.fnUntraced(function* (companyId: string) {
  const { deadlineAt, version } = yield* (yield* BotRepository).guard(companyId)
  const at = yield* Clock.currentTimeMillis
  if (deadlineAt === null || deadlineAt > at) return
  yield* allPaused(companyId, { by: null, guard: { stream: botGuardStream(companyId), version } })
  yield* set({ _tag: "BotGuardSet", at, by: null, companyId, deadlineAt: null }, version)
}, dieOnRefusal)
