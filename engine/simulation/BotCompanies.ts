import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { Batch, Precondition, Recorded } from "../actor/Journal.ts"
import type { AssetType } from "../arena/AssetType.ts"
import type { Median } from "../arena/Median.ts"
import type { Halt, Submission } from "../arena/Submission.ts"
import type { AccountId } from "../ledger/Account.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import { BotDesk } from "./BotDesk.ts"
import type { BotProjection } from "./BotProjection.ts"
import { OperatorDesk, type OperatorListener } from "./OperatorDesk.ts"
import type { Scenario } from "./Scenario.ts"
import { added } from "./ReachedRecord.ts"
import { type BotsParts, SimulatedBots } from "./SimulatedBots.ts"
import { type BotStoreParts, simulatedBotStore } from "./SimulatedBotStore.ts"
import { SimulatedReconciler } from "./SimulatedReconciler.ts"

/** Faults of their own, to see that the auditor finds them. */
export interface PlantedWithBots {
  readonly botBehavior?: BotsParts["behavior"]
  readonly botCommit?: BotsParts["commit"]
  readonly guard?: BotStoreParts["guard"]
  readonly pausing?: BotStoreParts["pausing"]
  readonly operatorSubmission?: ((submission: Submission) => Submission) | undefined
}

export interface BotCompaniesParts extends Pick<
  BotsParts,
  "clock" | "board" | "journal" | "fork" | "arena" | "quotes" | "onUnexpected"
> {
  readonly scenario: Scenario
  readonly projection: BotProjection
  readonly halt: (assetType: AssetType, at: number) => Halt | null
  /** What a company's commitments are halted on; undefined where they are not. */
  readonly haltOf: (companyId: string) => Precondition | undefined
  readonly told: OperatorListener
  readonly planted?: PlantedWithBots | undefined
}

/** The companies that have bots: the bots, their switches, and what is asked of them by hand and by program. */
export class BotCompanies {
  readonly #parts: BotCompaniesParts
  readonly #bots: SimulatedBots
  readonly #reconciler: SimulatedReconciler
  readonly #desk: BotDesk
  readonly #operators: OperatorDesk

  constructor(parts: BotCompaniesParts) {
    const { journal, planted, projection, scenario, told } = parts
    this.#parts = parts
    const grants = new Map(scenario.bots.map(({ company }) => [company.companyId, company.monthlyGrant]))
    const monthly = (companyId: string): Amount => grants.get(companyId) ?? ZERO
    const { botBehavior: behavior, botCommit: commit, guard, operatorSubmission: submission, pausing } = planted ?? {}
    const { seed } = scenario.spec
    this.#bots = new SimulatedBots({ ...parts, seed, monthly, behavior, commit })
    const store = simulatedBotStore({ journal, writes: this.#bots.journal, projection, guard, pausing })
    this.#reconciler = new SimulatedReconciler({ ...parts, store })
    const desk = new BotDesk({
      ...parts,
      bots: this.#bots,
      store,
      plans: scenario.bots,
      onAcknowledged: told.acknowledged
    })
    this.#desk = desk
    this.#operators = new OperatorDesk({
      ...parts,
      store,
      plans: scenario.operators,
      resume: (botId, by) => desk.resume(botId, by),
      submission
    })
  }

  /** Times that an actor failed and was started again. */
  get restarts(): number {
    return this.#bots.restarts
  }

  /** How often each answer was given to what the bots' owners asked, and to what bots committed by themselves. */
  get answers(): ReadonlyMap<string, number> {
    return added(this.#desk.answers, this.#operators.answers, this.#bots.refusals)
  }

  /** Starts the bots' actors. A world without bots is the same to the byte whether or not there could be some. */
  start(): void {
    if (this.#parts.scenario.bots.length === 0) return
    this.#parts.fork(this.#bots.start)
    this.#reconciler.start()
  }

  /** Another process begins. */
  restart(): void {
    this.#desk.restart()
    this.#operators.restart()
    this.start()
  }

  /** What is there at the start. */
  opening(at: number): ReadonlyArray<Batch<PlatformEvent>> {
    return this.#desk.opening(at)
  }

  /** Puts what is asked on its way. */
  plan(): void {
    this.#desk.plan()
    this.#operators.plan()
  }

  hear(recorded: ReadonlyArray<Recorded<PlatformEvent>>, changed: ReadonlySet<AccountId>): void {
    this.#bots.hear(recorded)
    this.#reconciler.hear(
      recorded.map(({ event }) => event),
      changed
    )
  }

  priced(recorded: ReadonlyArray<Median>): void {
    this.#bots.priced(recorded)
  }

  /** Breakers turned. */
  turned(): void {
    this.#bots.turned()
  }

  /** Whether something is still to go back to the user of a terminated bot. */
  get isOwing(): boolean {
    return this.#reconciler.isOwing
  }
}
