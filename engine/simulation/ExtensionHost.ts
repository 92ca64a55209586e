import { Predicate, Result } from "effect"
import type { ChainedEvent } from "../actor/CommitGroup.ts"
import type { Median } from "../arena/Median.ts"
import type { OrderState } from "../arena/Order.ts"
import type { Account, AccountId } from "../ledger/Account.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { type CallGuard, type ExtensionCall, extensionCall, shown, thrownText } from "./ExtensionCall.ts"
import { contextOf, type ExtensionParts, extensionParts, NO_PARTS, traderPlans } from "./ExtensionParts.ts"
import type { FaultPlan } from "./FaultPlan.ts"
import type { Report } from "./LedgerAudit.ts"
import { firstOwnStrike, type Scenario, type TraderPlan } from "./Scenario.ts"
import type { SimulatedJournal } from "./SimulatedJournal.ts"
import type {
  ExtensionContext,
  ExtensionTrader,
  Invariant,
  RecordedEvent,
  RecordedOrder,
  SimulatedFault,
  WorldView
} from "./SimulationExtension.ts"
import { readStrike } from "./Strike.ts"
import { type TraderDesk, walletOfTrader } from "./TraderDesk.ts"
import { type BidReader, TradingPrograms } from "./TradingPrograms.ts"
import type { VirtualClock } from "./VirtualClock.ts"

/** Somebody's module, as the runtime loaded it. */
export interface LoadedExtension {
  /** Makes what one simulation takes; what it is, is judged each time. */
  readonly make: (context: ExtensionContext) => unknown
  readonly readBid: BidReader
  readonly guard: CallGuard
}

/** What a loaded module makes for a seed, and why that is nothing if it is. */
export interface MadeExtension {
  readonly loaded: LoadedExtension
  readonly parts: ExtensionParts
  readonly problem: string | undefined
  /** Its traders among those of the scenario. */
  readonly plans: ReadonlyArray<TraderPlan>
}

const madeParts = ({ guard, make }: LoadedExtension, seed: number): Pick<MadeExtension, "parts" | "problem"> => {
  try {
    const parts = extensionParts(guard(() => make(contextOf(seed))))
    return Result.isSuccess(parts)
      ? { parts: parts.success, problem: undefined }
      : { parts: NO_PARTS, problem: parts.failure }
  } catch (thrown) {
    return { parts: NO_PARTS, problem: thrownText(thrown) }
  }
}

/** Makes a module's extension of a scenario. */
export const makeExtension = (loaded: LoadedExtension, { spec }: Scenario): MadeExtension => {
  const made = madeParts(loaded, spec.seed)
  return { loaded, ...made, plans: traderPlans(made.parts.traders, spec.traders) }
}

/** The rule that an extension does not keep which throws or returns nonsense. */
export const EXTENSION = "extension"

/** How an invariant of one's own is called in a failure. */
export const ownInvariant = (name: string): string => `own/${name}`

/** Strikes of one simulation, after which its faults are taken to strike for ever. */
const MOST_STRIKES = 10_000

const LONGEST_PAUSE = 2_592_000_000

export interface ExtensionHostParts {
  /** As it is without the extension. */
  readonly scenario: Scenario
  readonly clock: VirtualClock
  readonly journal: Pick<SimulatedJournal, "account">
  readonly desk: Pick<TraderDesk, "send">
  readonly orders: ReadonlyMap<string, OrderState>
  readonly latest: (asset: string) => Median | undefined
  readonly made: MadeExtension
  readonly strike: (fault: FaultPlan) => void
  readonly report: Report
  readonly isJudged: boolean
}

/** An extension in one world: it is told of each step, and acts by what it returns. */
export class ExtensionHost {
  readonly #parts: ExtensionHostParts
  readonly #call: ExtensionCall
  readonly #programs: TradingPrograms
  readonly #world: World
  /** The number of the first strike: those of the scenario come before. */
  readonly #firstStrike: number
  #strikes = 0

  constructor(parts: ExtensionHostParts) {
    const { made, report, scenario } = parts
    this.#parts = parts
    this.#call = extensionCall(made.loaded.guard)
    this.#world = new World(parts)
    this.#firstStrike = firstOwnStrike(scenario)
    this.#programs = new TradingPrograms({
      ...parts,
      readBid: made.loaded.readBid,
      call: this.#call,
      onFailed: (what) => report(EXTENSION, what),
      traders: made.parts.traders.flatMap((trader, place) => {
        const plan = made.plans[place]
        return plan === undefined ? [] : [{ plan, trader }]
      })
    })
  }

  start(): void {
    const { made, report } = this.#parts
    if (made.problem !== undefined) return report(EXTENSION, made.problem)
    this.#ask()
  }

  /** Events are durable, and the world is as they make it. */
  committed(recorded: ReadonlyArray<ChainedEvent<PlatformEvent>>): void {
    this.#programs.committed(recorded)
    this.#world.events = recorded
    this.#ask()
    this.#world.events = []
  }

  priced(recorded: ReadonlyArray<Median>): void {
    this.#programs.priced(recorded)
  }

  /** Everything has come to rest. */
  end(): void {
    this.#world.isOver = true
    this.#check()
  }

  #ask(): void {
    for (const fault of this.#parts.made.parts.faults) this.#askFault(fault)
    this.#check()
  }

  #check(): void {
    if (this.#parts.isJudged) for (const invariant of this.#parts.made.parts.invariants) this.#judge(invariant)
  }

  /** What an invariant throws is why it does not hold: assertions do that. */
  #judge(invariant: Invariant): void {
    const { report } = this.#parts
    const name = ownInvariant(invariant.name)
    const found: unknown = this.#call(
      () => invariant.check(this.#world),
      (what) => report(name, what)
    )
    if (found === undefined) return
    if (typeof found === "string") return report(name, found)
    report(EXTENSION, `${invariant.name} returned ${shown(found)}: a sentence where it does not hold, else nothing`)
  }

  #askFault(fault: SimulatedFault): void {
    const { report } = this.#parts
    const asked: unknown = this.#call(
      () => fault.strike(this.#world),
      (what) => report(EXTENSION, `${fault.name} threw ${what}`)
    )
    if (asked === undefined) return
    for (const one of Array.isArray(asked) ? asked : [asked]) this.#strike(fault, one)
  }

  #strike({ name }: SimulatedFault, asked: unknown): void {
    const { clock, report, scenario, strike } = this.#parts
    const { keep } = scenario.spec
    const pause: unknown = Predicate.hasProperty(asked, "in") ? (asked.in ?? 0) : 0
    if (typeof pause !== "number" || !Number.isInteger(pause) || pause < 0 || pause > LONGEST_PAUSE) {
      return report(EXTENSION, `${name} returned ${shown(asked)}: in has to be milliseconds from 0 to ${LONGEST_PAUSE}`)
    }
    const read = readStrike(asked)
    if (Result.isFailure(read)) return report(EXTENSION, `${name} returned ${shown(asked)}: ${read.failure}`)
    const index = this.#firstStrike + this.#strikes
    this.#strikes += 1
    if (this.#strikes > MOST_STRIKES) return report(EXTENSION, `${name} strikes without end`)
    if (keep?.faults?.includes(index) === false) return
    strike({ ...read.success, index, at: clock.elapsed + pause })
  }
}

/** What an extension sees. */
class World implements WorldView {
  readonly seed: number
  readonly traders: ReadonlyArray<ExtensionTrader>
  readonly orders: ReadonlyMap<string, RecordedOrder>
  events: ReadonlyArray<RecordedEvent> = []
  isOver = false
  readonly #parts: ExtensionHostParts

  constructor(parts: ExtensionHostParts) {
    this.#parts = parts
    this.seed = parts.scenario.spec.seed
    this.orders = parts.orders
    this.traders = parts.made.plans.map((plan) => {
      const { id, owner, type } = plan
      return { id, owner, type, wallet: walletOfTrader(plan) }
    })
  }

  get now(): number {
    return this.#parts.clock.currentTimeMillisUnsafe()
  }

  get elapsed(): number {
    return this.#parts.clock.elapsed
  }

  readonly price = (asset: string): Median | undefined => this.#parts.latest(asset)

  readonly account = (id: string): Pick<Account, "balance" | "held"> => this.#parts.journal.account(id as AccountId)
}
