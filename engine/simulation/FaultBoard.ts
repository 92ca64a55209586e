import { describeFault, type FaultPlan, USUAL_FACTOR } from "./FaultPlan.ts"
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
  /** `onClosed` is called once it is recorded that the vault is closed, if it comes to that. */
  readonly closeVault: (closed: boolean, onClosed?: () => void) => void
}

/** A fault that began, and whether it had an effect until now. */
export interface BegunFault {
  readonly kind: FaultPlan["kind"]
  readonly isFelt: boolean
}

/** A fault that goes on for a while. */
interface Lasting {
  readonly fault: FaultPlan
  readonly begun: { readonly kind: FaultPlan["kind"]; isFelt: boolean }
  /** Called when it ends, and none of its kind goes on. */
  readonly end: () => void
  /** Its time is over: it ends once it is felt. */
  isOver: boolean
}

/** A fault that waits for an event, and what it then does. */
interface Aimed {
  readonly fault: FaultPlan
  readonly effects: FaultEffects
}

/** One of a kind. */
type LastingOf<K extends FaultPlan["kind"]> = Lasting & { readonly fault: Extract<FaultPlan, { readonly kind: K }> }

/** What becomes of a read that a world does not touch. */
const QUICK: Fate = { there: 0, back: 0, becomes: "done" }

/** A process that is aimed at an event ends within so many milliseconds of it: some of its commits are on their way then. */
const RESTART_MILLIS = 4

/** A new process asks for its term within so many milliseconds: what the one before had sent may come first. */
const STARTING_MILLIS = 20

/**
 * An aimed fault whose time is over, and which nothing felt, goes on until something does, such as the oracle's next look: for
 * so many milliseconds at most.
 */
export const LONGEST_WAIT_MILLIS = 120_000

/** How many in a thousand of the messages that a fault may touch it touches. */
const TOUCHED = 500

/** What is wrong in the simulated world at this moment. */
export class FaultBoard {
  readonly #clock: VirtualClock
  readonly #random: SeededRandom
  readonly #struck: Array<FaultRow> = []
  readonly #begun: Array<Lasting["begun"]> = []
  readonly #crashes: Array<FaultPlan & { kind: "crash_actor" }> = []
  readonly #failures: Array<{ readonly fault: FaultPlan & { kind: "fail_journal" }; left: number }> = []
  /** Those that go on, by kind: the last one rules. */
  readonly #lasting = new Map<FaultPlan["kind"], ReadonlyArray<Lasting>>()
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

  /** Every fault that began, in the order of their beginnings, whether or not it had an effect. */
  get begun(): ReadonlyArray<BegunFault> {
    return this.#begun
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
    this.#strikeAtOnce(fault)
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
    const slow = this.#last("slow_journal")
    if (slow !== undefined) this.#feel(slow)
    return { there: takes + (slow?.fault.by ?? 0), back: 0, becomes: this.#becomes() }
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
    if (next.left === next.fault.times) this.#strikeAtOnce(next.fault)
    next.left -= 1
    if (next.left === 0) this.#failures.shift()
    return next.fault.half ? "unanswered" : "lost"
  }

  /** Whether a read of history that is made now fails. */
  blinds(): boolean {
    return this.#feelAll("blind_actors")
  }

  /** What a look at the oracle that is made now finds. */
  look(): Weather {
    const isStalled = this.#feelAll("stall_oracle")
    const last = this.#last("spike_oracle")
    const factor = last?.fault.factor ?? USUAL_FACTOR
    if (last !== undefined && !isStalled && factor !== USUAL_FACTOR) this.#feel(last)
    return { isStalled, factor }
  }

  /** Milliseconds that a message sent now takes longer. */
  messageDelay(): number {
    const last = this.#last("delay")
    const delay = last !== undefined && this.#random.chance(TOUCHED) ? this.#random.below(last.fault.by) : 0
    if (last !== undefined && delay > 0) this.#feel(last)
    return delay
  }

  /** How many milliseconds later a message sent now arrives again, if it does. */
  duplicateAfter(): number | undefined {
    const last = this.#last("duplicate")
    if (last === undefined || !this.#random.chance(TOUCHED)) return undefined
    this.#feel(last)
    return last.fault.after
  }

  /** The last one of a kind that goes on. */
  #last<K extends FaultPlan["kind"]>(kind: K): LastingOf<K> | undefined {
    return this.#lasting.get(kind)?.at(-1) as LastingOf<K> | undefined
  }

  /** Whether any of a kind goes on: all of them are felt now. */
  #feelAll(kind: FaultPlan["kind"]): boolean {
    const all = this.#lasting.get(kind) ?? []
    for (const one of all) this.#feel(one)
    return all.length > 0
  }

  #feel(lasting: Lasting): void {
    this.#tell(lasting.fault, lasting.begun)
    if (lasting.isOver) this.#end(lasting)
  }

  /** Tells a fault with its first effect. */
  #tell(fault: FaultPlan, begun: Lasting["begun"]): void {
    if (begun.isFelt) return
    begun.isFelt = true
    this.#struck.push({
      fault: fault.index,
      kind: fault.kind,
      at: this.#clock.currentTimeMillisUnsafe(),
      text: describeFault(fault)
    })
  }

  #begin({ kind }: FaultPlan): Lasting["begun"] {
    const begun = { kind, isFelt: false }
    this.#begun.push(begun)
    return begun
  }

  /** Strikes with an effect at this moment. */
  #strikeAtOnce(fault: FaultPlan): void {
    this.#tell(fault, this.#begin(fault))
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
        this.#strikeAtOnce(fault)
        effects.restart()
        return
      case "jump_clock":
        this.#strikeAtOnce(fault)
        this.#clock.jump(fault.by)
        return
      case "close_vault": {
        const lasting = this.#goOn(fault, fault.for, () => effects.closeVault(false))
        effects.closeVault(true, () => this.#feel(lasting))
        return
      }
      default:
        this.#goOn(fault, fault.for, () => {})
    }
  }

  /** Goes on until its time is over, and what is aimed until it is felt too. */
  #goOn(fault: FaultPlan, millis: number, end: () => void): Lasting {
    const lasting: Lasting = { fault, begun: this.#begin(fault), end, isOver: false }
    const { elapsed } = this.#clock
    const isAimed = fault.before !== undefined
    this.#lasting.set(fault.kind, [...(this.#lasting.get(fault.kind) ?? []), lasting])
    this.#clock.schedule(elapsed + millis, () => {
      lasting.isOver = true
      if (!isAimed || lasting.begun.isFelt) this.#end(lasting)
    })
    if (isAimed) this.#clock.schedule(elapsed + Math.max(millis, LONGEST_WAIT_MILLIS), () => this.#end(lasting))
    return lasting
  }

  #end(lasting: Lasting): void {
    const { kind } = lasting.fault
    const all = this.#lasting.get(kind) ?? []
    const left = all.filter((one) => one !== lasting)
    if (left.length === all.length) return
    if (left.length > 0) return void this.#lasting.set(kind, left)
    this.#lasting.delete(kind)
    lasting.end()
  }
}
