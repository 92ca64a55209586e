import { Cause, Deferred, Effect } from "effect"
import type { JournalUnavailable, Precondition } from "../actor/Journal.ts"
import { type BotReconciling, type ReconciledBots, makeBotReconciling } from "../bots/BotReconciling.ts"
import type { BotState } from "../bots/Bot.ts"
import type { AccountId } from "../ledger/Account.ts"
import { walletOf } from "../ledger/Funding.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { BotProjection } from "./BotProjection.ts"
import { InjectedFault } from "./FaultyJournal.ts"
import type { SimulatedBotStore } from "./SimulatedBotStore.ts"
import type { SimulatedJournal } from "./SimulatedJournal.ts"
import type { Fork } from "./VirtualScheduler.ts"

export interface KeeperParts {
  readonly journal: Pick<SimulatedJournal, "account" | "served">
  readonly projection: BotProjection
  readonly store: SimulatedBotStore
  /** What a company's commitments are halted on; undefined where they are not. */
  readonly haltOf: (companyId: string) => Precondition | undefined
  readonly fork: Fork
}

/** Whether something failed because of what the simulated world does. */
export const isOfTheWorld = (reason: Cause.Reason<unknown>): boolean =>
  Cause.isFailReason(reason) ||
  Cause.isInterruptReason(reason) ||
  (Cause.isDieReason(reason) && reason.defect instanceof InjectedFault)

interface Deadline {
  readonly companyId: string
  readonly deadlineAt: number
}

/** Looks after the bots of one process after the other, by the simulation's clock. */
export class SimulatedReconciler {
  readonly #parts: KeeperParts
  #reconciling: BotReconciling<JournalUnavailable> | undefined
  #end = Deferred.makeUnsafe<void>()

  constructor(parts: KeeperParts) {
    this.#parts = parts
  }

  /**
   * Begins with what is recorded once its process serves; the process before it ends with all that it was about to do.
   */
  start(): void {
    const before = this.#end
    const end = Deferred.makeUnsafe<void>()
    this.#end = end
    this.#reconciling = undefined
    Deferred.doneUnsafe(before, Effect.void)
    const made = Effect.andThen(this.#parts.journal.served, makeBotReconciling(this.#world()))
    const running = Effect.flatMap(made, (reconciling) => {
      this.#reconciling = reconciling
      reconciling.begin(this.#recorded())
      return reconciling.running
    })
    this.#parts.fork(Effect.raceFirst(running, Deferred.await(end)))
  }

  hear(events: Iterable<PlatformEvent>, changed: Iterable<AccountId>): void {
    this.#reconciling?.hear(events, changed)
  }

  /** Whether something is still to go back to the user of a terminated bot. */
  get isOwing(): boolean {
    return this.#recorded().owed.length > 0
  }

  #recorded() {
    const { journal, projection } = this.#parts
    const bots = [...projection.bots.values()]
    const isEnded = ({ standing }: BotState) => standing.status === "terminated"
    const isOwed = ({ botId }: BotState) => {
      const { balance, held } = journal.account(walletOf(botId, "USD"))
      return balance > held
    }
    return {
      living: bots.filter((bot) => !isEnded(bot)).map(({ botId }) => botId),
      owed: bots.filter((bot) => isEnded(bot) && isOwed(bot)).map(({ botId }) => botId),
      operating: bots.filter(({ standing }) => standing.status === "active").map(({ companyId }) => companyId)
    }
  }

  #world(): ReconciledBots<JournalUnavailable> {
    const deadlines = this.#deadlines
    const { haltOf, store } = this.#parts
    return {
      ...store,
      // No plan keeps a company from its bots here.
      allotment: () => Effect.succeed(Number.MAX_SAFE_INTEGER),
      halt: (companyId) => Effect.sync(() => haltOf(companyId)),
      due: (now, limit) =>
        Effect.map(deadlines, (all) =>
          all
            .filter(({ deadlineAt }) => deadlineAt <= now)
            .slice(0, limit)
            .map(({ companyId }) => companyId)
        ),
      nextDue: Effect.map(deadlines, ([next]) => next?.deadlineAt),
      stumbled: (cause) => (cause.reasons.every(isOfTheWorld) ? Effect.void : Effect.die(Cause.squash(cause)))
    }
  }

  /** When companies' bots are to be paused, the first of them first. */
  readonly #deadlines: Effect.Effect<ReadonlyArray<Deadline>, JournalUnavailable> = Effect.suspend(() => {
    const { projection, store } = this.#parts
    return Effect.map(
      Effect.forEach(projection.guards.keys(), (companyId) =>
        Effect.map(store.guard(companyId), ({ deadlineAt }) => (deadlineAt === null ? [] : [{ companyId, deadlineAt }]))
      ),
      (found) =>
        found
          .flat()
          .toSorted((one, other) => one.deadlineAt - other.deadlineAt || (one.companyId < other.companyId ? -1 : 1))
    )
  })
}
