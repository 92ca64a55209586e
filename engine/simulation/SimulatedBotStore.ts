import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { Effect } from "effect"
import { type Journal, JournalUnavailable } from "../actor/Journal.ts"
import { roomOf } from "../bots/BotLifeDecision.ts"
import type { BotGuard } from "../bots/BotGuard.ts"
import type { BotStore, WriteFailure } from "../bots/BotRecords.ts"
import { walletOf } from "../ledger/Funding.ts"
import { lossAllowanceOf } from "../ledger/LossLimit.ts"
import type { BotProjection } from "./BotProjection.ts"
import type { SimulatedJournal } from "./SimulatedJournal.ts"

export interface BotStoreParts {
  /** What was written. */
  readonly journal: Pick<SimulatedJournal, "account" | "answers">
  /** Where it is written. */
  readonly writes: Journal<PlatformEvent>
  readonly projection: BotProjection
  /** Stands between a guard as it was recorded and whoever looks whether it is due. */
  readonly guard?: ((guard: BotGuard, companyId: string) => BotGuard) | undefined
  /** Stands between those that are active and those that are paused, where all are to be. */
  readonly pausing?: ((botIds: ReadonlyArray<string>) => ReadonlyArray<string>) | undefined
}

/** Bots are read of memory, and written by a journal that does not always answer. */
export type SimulatedBotStore = BotStore<JournalUnavailable>
export type BotWriteFailure = WriteFailure<JournalUnavailable>

/** What has an answer under its key is asked for again, and answered so. */
export const keyAnswered = (): JournalUnavailable =>
  new JournalUnavailable({ reason: "there is an answer under this key", isUnwritten: true })

const NO_GUARD: BotGuard = { deadlineAt: null, version: 0 }

/** The bots as the committed events make them. What has an answer under its key is not written again. */
export const simulatedBotStore = ({
  guard = (given) => given,
  journal,
  pausing = (botIds) => botIds,
  projection,
  writes
}: BotStoreParts): SimulatedBotStore => ({
  find: (botId) => Effect.sync(() => projection.bots.get(botId)),
  active: (companyId) =>
    Effect.sync(() => {
      const active = projection.active(companyId)
      const paused = new Set(pausing(active.map(({ botId }) => botId)))
      return active.filter(({ botId }) => paused.has(botId))
    }),
  room: (botId) =>
    Effect.sync(() =>
      roomOf({
        collateral: journal.account(walletOf(botId, "USD")),
        allowance: journal.account(lossAllowanceOf(botId))
      })
    ),
  guard: (companyId) => Effect.sync(() => guard(projection.guards.get(companyId) ?? NO_GUARD, companyId)),
  write: ({ entry, preconditions = [], stream, version }) =>
    Effect.suspend(() => {
      if (entry.idempotency !== undefined && journal.answers.has(entry.idempotency.key)) {
        return Effect.fail(keyAnswered())
      }
      return Effect.flatMap(writes.append({ stream, version, preconditions, entries: [entry] }), ([outcome]) => {
        if (outcome === undefined) return Effect.die(`the journal answered nothing for an entry of ${stream}`)
        return outcome._tag === "Accepted" ? Effect.succeed(outcome.recorded) : Effect.fail(outcome.error)
      })
    })
})
