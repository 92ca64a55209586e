import { type FaultPlan, describeFault } from "./FaultPlan.ts"
import type { Asked, Fate } from "./CallFate.ts"
import type { Weather } from "./PriceFeed.ts"
import type { SeededRandom } from "./SeededRandom.ts"
import type { FaultRow } from "./SimulationResult.ts"
import type { VirtualClock } from "./VirtualClock.ts"

/** When in a commit whoever writes dies: before it is sent, while it waits, or once it is done. */
export type CrashMoment = "before" | "waiting" | "after"

/** What a fault does beyond the conditions that the board itself keeps. */
export interface FaultEffects {
  readonly restart: () => void
  readonly closeVault: (closed: boolean) => void
}

/** A fault that waits for an event, and what it then does. */
interface Aimed {
  readonly fault: FaultPlan
  readonly effects: FaultEffects
}

/** What becomes of a read that a world does not touch. */
const QUICK: Fate = { there: 0, back: 0, becomes: "done" }

const USUAL_FACTOR = 1_000_000

/** A process that is aimed at an event ends within so many milliseconds of it: some of its commits are on their way then. */
const RESTART_MILLIS = 4

/** A new process asks for its term within so many milliseconds: what the one before had sent may come first. */
const STARTING_MILLIS = 20

/** How many in a thousand of the messages that a fault may touch it touches. */
const TOUCHED = 500

/** What is wrong in the simulated world at this moment. */
export class FaultBoard {
  readonly #clock: VirtualClock
  readonly #random: SeededRandom
  readonly #struck: Array<FaultRow> = []
  readonly #crashes: Array<FaultPlan & { kind: "crash_actor" }> = []
  readonly #failures: Array<{ readonly fault: FaultPlan & { kind: "fail_journal" }; left: number }> = []
  readonly #lasting = new Map<FaultPlan["kind"], FaultPlan>()
  /** Those that wait for their event. */
  #aimed: ReadonlyArray<Aimed> = []
  /** When the last process has its term, in milliseconds after the start. */
  #termAt = 0

  constructor(clock: VirtualClock, random: SeededRandom) {
    this.#clock = clock
    this.#random = random
  }

  /** The faults that had an effect, in the order in which they struck. */
  get struck(): ReadonlyArray<FaultRow> {
    return this.#struck
  }

  /** Lets the faults strike when their times come. */
  schedule(faults: ReadonlyArray<FaultPlan>, effects: FaultEffects): void {
    for (const fault of faults) {
      const isAimed = fault.before !== undefined
      const begin = () => (isAimed ? this.#wait({ fault, effects }) : this.#strike(fault, effects))
      if (isAimed && fault.at === 0) begin()
      else this.#clock.schedule(fault.at, begin)
    }
  }

  /** Events of these tags are about to be written: what is aimed at one of them strikes once all that is ready has run. */
  writing(tags: ReadonlyArray<string>): void {
    for (const { effects, fault } of this.#take(tags, ({ kind }) => kind !== "crash_actor")) {
      const pause = fault.kind === "restart" ? this.#random.below(RESTART_MILLIS) : 0
      this.#clock.schedule(this.#clock.elapsed + pause, () => this.#strike(fault, effects))
    }
  }

  /** How the actor that writes events of these tags now dies, if it does. */
  crash(tags: ReadonlyArray<string> = []): CrashMoment | undefined {
    return this.cutOff(tags) ?? this.#crashed(this.#crashes.shift())
  }

  /** How whoever writes events of these tags now dies, if that is aimed at one of them. */
  cutOff(tags: ReadonlyArray<string>): CrashMoment | undefined {
    const [aimed] = this.#take(tags, ({ kind }) => kind === "crash_actor", 1)
    return this.#crashed(aimed?.fault)
  }

  #crashed(fault: FaultPlan | undefined): CrashMoment | undefined {
    if (fault?.kind !== "crash_actor") return undefined
    this.#tell(fault)
    return fault.moment
  }

  #wait(aimed: Aimed): void {
    this.#aimed = [...this.#aimed, aimed]
  }

  /** Takes those of a kind that wait for an event of these tags. */
  #take(
    tags: ReadonlyArray<string>,
    isMeant: (fault: FaultPlan) => boolean,
    most = Number.MAX_SAFE_INTEGER
  ): ReadonlyArray<Aimed> {
    if (this.#aimed.length === 0) return []
    const isDue = ({ fault }: Aimed) => isMeant(fault) && fault.before !== undefined && tags.includes(fault.before)
    const due = this.#aimed.filter(isDue).slice(0, most)
    if (due.length > 0) this.#aimed = this.#aimed.filter((aimed) => !due.includes(aimed))
    return due
  }

  /** What becomes of a call of the writer's, that usually takes so many milliseconds. */
  fate({ call }: Asked, takes: number): Fate {
    if (call === "term") return { ...QUICK, there: this.#termAfter() }
    if (call !== "append" && call !== "project") return QUICK
    const slow = this.#lasting.get("slow_journal")
    const there = takes + (slow?.kind === "slow_journal" ? slow.by : 0)
    return { there, back: 0, becomes: this.#becomes() }
  }

  /** Milliseconds until a new process has its term: never before the one that it follows. */
  #termAfter(): number {
    const { elapsed } = this.#clock
    this.#termAt = Math.max(this.#termAt + 1, elapsed + this.#random.below(STARTING_MILLIS))
    return this.#termAt - elapsed
  }

  #becomes(): Fate["becomes"] {
    const [next] = this.#failures
    if (next === undefined) return "done"
    if (next.left === next.fault.times) this.#tell(next.fault)
    next.left -= 1
    if (next.left === 0) this.#failures.shift()
    return next.fault.half ? "unanswered" : "lost"
  }

  get isBlind(): boolean {
    return this.#lasting.has("blind_actors")
  }

  get weather(): Weather {
    const spike = this.#lasting.get("spike_oracle")
    return {
      isStalled: this.#lasting.has("stall_oracle"),
      factor: spike?.kind === "spike_oracle" ? spike.factor : USUAL_FACTOR
    }
  }

  /** Milliseconds that a message sent now takes longer. */
  messageDelay(): number {
    const fault = this.#lasting.get("delay")
    return fault?.kind === "delay" && this.#random.chance(TOUCHED) ? this.#random.below(fault.by) : 0
  }

  /** How many milliseconds later a message sent now arrives again, if it does. */
  duplicateAfter(): number | undefined {
    const fault = this.#lasting.get("duplicate")
    return fault?.kind === "duplicate" && this.#random.chance(TOUCHED) ? fault.after : undefined
  }

  #tell(fault: FaultPlan): void {
    this.#struck.push({
      fault: fault.index,
      kind: fault.kind,
      at: this.#clock.currentTimeMillisUnsafe(),
      text: describeFault(fault)
    })
  }

  #strike(fault: FaultPlan, effects: FaultEffects): void {
    switch (fault.kind) {
      case "crash_actor":
        this.#crashes.push(fault)
        return
      case "fail_journal":
        this.#failures.push({ fault, left: fault.times })
        return
      case "restart":
        this.#tell(fault)
        effects.restart()
        return
      case "jump_clock":
        this.#tell(fault)
        this.#clock.jump(fault.by)
        return
      case "close_vault":
        effects.closeVault(true)
        this.#last(fault, fault.for, () => effects.closeVault(false))
        return
      default:
        this.#last(fault, fault.for, () => {})
    }
  }

  /** Lasts until its time is over, unless a later fault of its kind takes its place. */
  #last(fault: FaultPlan, millis: number, end: () => void): void {
    this.#tell(fault)
    this.#lasting.set(fault.kind, fault)
    this.#clock.schedule(this.#clock.elapsed + millis, () => {
      if (this.#lasting.get(fault.kind) !== fault) return
      this.#lasting.delete(fault.kind)
      end()
    })
  }
}
