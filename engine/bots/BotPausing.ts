import { Clock, Data, Effect } from "effect"
import { type Precondition, StaleVersion } from "../actor/Journal.ts"
import { retryStale } from "../actor/StaleRetry.ts"
import { ZERO } from "../money/Amount.ts"
import { move } from "./BotLifeDecision.ts"
import { botStream } from "./BotEvent.ts"
import { type BotStore, found, type WriteFailure, writeStep } from "./BotRecords.ts"

/** Bots that are paused at the same time. */
const PAUSED_AT_ONCE = 50

/** Nothing moves with a pause. */
const NO_ROOM = { collateral: ZERO, allowance: ZERO, held: ZERO }

/** What bots were to be paused for is no more: somebody asked again. */
export class GuardReplaced extends Data.TaggedError("GuardReplaced")<{ readonly stream: string }> {}

/** Who has bots paused, and the guard that it follows from. */
export interface Pausing {
  readonly by: string | null
  readonly guard?: Precondition | undefined
}

/** Pauses one where it is active; answers whether it was. */
const pausedWhereActive = <Failure, Services = never>(
  store: BotStore<Failure, Services>,
  botId: string,
  { by, guard }: Pausing
): Effect.Effect<boolean, GuardReplaced | WriteFailure<Failure>, Services> => {
  const stream = botStream(botId)
  const attempt = Effect.gen(function* () {
    const bot = yield* found(store, botId)
    if (bot.standing.status !== "active") return false
    const at = yield* Clock.currentTimeMillis
    const entry = yield* Effect.orDie(Effect.fromResult(move(bot, "pause", NO_ROOM, false, { at, by })))
    if (entry !== undefined) yield* writeStep(store, bot, entry, { preconditions: guard === undefined ? [] : [guard] })
    return true
  })
  return retryStale(attempt, stream).pipe(
    Effect.catch((error) =>
      Effect.fail(
        error instanceof StaleVersion && error.stream !== stream ? new GuardReplaced({ stream: error.stream }) : error
      )
    )
  )
}

/**
 * Pauses a company's bots that are active; answers which they were. Fails once the guard that it follows from is
 * another.
 */
export const pauseActive = Effect.fnUntraced(function* <Failure, Services = never>(
  store: BotStore<Failure, Services>,
  companyId: string,
  pausing: Pausing
): Effect.fn.Return<ReadonlyArray<string>, GuardReplaced | WriteFailure<Failure>, Services> {
  const ids = (yield* store.active(companyId)).map(({ botId }) => botId)
  const paused = yield* Effect.forEach(ids, (botId) => pausedWhereActive(store, botId, pausing), {
    concurrency: PAUSED_AT_ONCE
  })
  return ids.filter((_, index) => paused[index])
})
