import type { Asked, Fate } from "./CallFate.ts"
import { describeNodeFault, type FaultTarget, type NodeFaultPlan } from "./NodeFaultPlan.ts"
import type { SeededRandom } from "./SeededRandom.ts"
import type { FaultRow } from "./SimulationResult.ts"
import type { VirtualClock } from "./VirtualClock.ts"

/** What a fault does to nodes. */
export interface NodeFaultEffects {
  /** The node that a fault is of now; undefined where none writes. */
  readonly nodeOf: (target: FaultTarget) => number | undefined
  readonly elect: (node: number) => void
  readonly pause: (node: number, millis: number) => void
  readonly restart: (node: number) => void
  readonly stepClock: (node: number, millis: number) => void
}

type Of<K extends NodeFaultPlan["kind"]> = NodeFaultPlan & { readonly kind: K }

/** What becomes of one message: how many milliseconds after its sending it arrives, each time that it does. */
export type Arrivals = ReadonlyArray<number>

/** What becomes of a row that is pushed. */
export interface PushFate {
  readonly arrivals: Arrivals
  readonly isAltered: boolean
  /** Whether what is pushed later may arrive before it. */
  readonly isLoose: boolean
}

/** How long a call and a message take at most, in milliseconds. */
const TAKES = 6

/** How many in a thousand of the messages that a fault may touch it touches. */
const TOUCHED = 400

/** How much later what is late arrives at most, in milliseconds. */
const LATE = 400

/** How many in a thousand of the statements of single requests are as late. */
const SLOW = 250

/** What is wrong between nodes and with their database at this moment. */
export class NodeFaults {
  readonly #clock: VirtualClock
  readonly #random: SeededRandom
  readonly #struck: Array<FaultRow> = []
  readonly #cut = { database: new Map<number, number>(), nodes: new Map<number, number>() }
  readonly #lasting = new Map<NodeFaultPlan["kind"], NodeFaultPlan>()
  readonly #fates = new Map<number, Array<{ readonly fault: Of<"late"> | Of<"lose_answer">; left: number }>>()
  #isHealed = false

  constructor(clock: VirtualClock, random: SeededRandom) {
    this.#clock = clock
    this.#random = random
  }

  /** The faults that struck, in that order, whether or not anything came of them. */
  get struck(): ReadonlyArray<FaultRow> {
    return this.#struck
  }

  schedule(faults: ReadonlyArray<NodeFaultPlan>, effects: NodeFaultEffects): void {
    for (const fault of faults) this.#clock.schedule(fault.at, () => this.#strike(fault, effects))
  }

  /** From here on nothing fails. */
  heal(): void {
    this.#isHealed = true
    this.#lasting.clear()
    this.#fates.clear()
    this.#cut.database.clear()
    this.#cut.nodes.clear()
  }

  /** What becomes of a call to the database. */
  fateOf({ call }: Asked, node: number): Fate {
    const isSlow = (call === "keep" || call === "read") && !this.#isHealed && this.#random.chance(SLOW)
    const [there, back] = [this.#random.below(isSlow ? LATE : TAKES), this.#random.below(TAKES)]
    if (this.#isCut(this.#cut.database, node)) return { there, back, becomes: "lost" }
    const next = this.#fates.get(node)?.find(({ fault, left }) => call === fault.call && left > 0)
    if (next === undefined) return { there, back, becomes: "done" }
    next.left -= 1
    const { fault } = next
    return fault.kind === "lose_answer"
      ? { there, back, becomes: "unanswered" }
      : { there, back, becomes: fault.isBegun ? "begun" : "late", late: fault.by }
  }

  /** Whether a message between two nodes is lost. */
  isCutOff(one: number, other: number): boolean {
    return this.#isCut(this.#cut.nodes, one) || this.#isCut(this.#cut.nodes, other)
  }

  /** What becomes of a request on its way to a node. */
  requestArrives(): Arrivals {
    const first = this.#random.below(TAKES)
    const again = this.#lasting.get("send_again")
    return again?.kind === "send_again" && this.#touches() ? [first, first + again.after] : [first]
  }

  /** What becomes of a response on its way. */
  responseArrives(): Arrivals {
    const takes = this.#random.below(TAKES)
    return this.#lasting.has("lose_responses") && this.#touches() ? [] : [takes]
  }

  /** What becomes of a row that is pushed. */
  pushed(): PushFate {
    const takes = this.#random.below(TAKES)
    const usual = { arrivals: [takes], isAltered: false, isLoose: false }
    if (!this.#lasting.has("spoil_pushes") || !this.#touches()) return usual
    switch (this.#random.below(4)) {
      case 0:
        return { ...usual, arrivals: [] }
      case 1:
        return { ...usual, arrivals: [takes, takes + this.#random.below(LATE)], isLoose: true }
      case 2:
        return { ...usual, arrivals: [takes + this.#random.below(LATE)], isLoose: true }
      default:
        return { ...usual, isAltered: true }
    }
  }

  #touches(): boolean {
    return this.#random.chance(TOUCHED)
  }

  #isCut(until: ReadonlyMap<number, number>, node: number): boolean {
    return (until.get(node) ?? 0) > this.#clock.elapsed
  }

  #strike(fault: NodeFaultPlan, effects: NodeFaultEffects): void {
    if (this.#isHealed) return
    const node = "node" in fault ? effects.nodeOf(fault.node) : undefined
    if ("node" in fault && node === undefined) return
    this.#struck.push({
      fault: fault.index,
      kind: fault.kind,
      at: this.#clock.currentTimeMillisUnsafe(),
      text: describeNodeFault(fault)
    })
    if (node === undefined) this.#strikeAll(fault, effects)
    else this.#strikeOne(fault, node, effects)
  }

  #strikeAll(fault: NodeFaultPlan, { elect }: NodeFaultEffects): void {
    if (fault.kind === "elect") for (const one of fault.nodes) elect(one)
    if (fault.kind !== "send_again" && fault.kind !== "lose_responses" && fault.kind !== "spoil_pushes") return
    this.#lasting.set(fault.kind, fault)
    this.#clock.schedule(this.#clock.elapsed + fault.for, () => {
      if (this.#lasting.get(fault.kind) === fault) this.#lasting.delete(fault.kind)
    })
  }

  #strikeOne(fault: NodeFaultPlan, node: number, { elect, pause, restart, stepClock }: NodeFaultEffects): void {
    const { elapsed } = this.#clock
    switch (fault.kind) {
      case "pause":
        return pause(node, fault.for)
      case "restart":
        return restart(node)
      case "step_clock":
        return stepClock(node, fault.by)
      case "cut_database":
        return void this.#cut.database.set(node, elapsed + fault.for)
      case "cut_nodes":
        return void this.#cut.nodes.set(node, elapsed + fault.for)
      case "depose":
        this.#electLater(fault, elect)
        return pause(node, fault.for)
      case "late":
        this.#electLater(fault, elect)
        return this.#next(node, fault)
      case "lose_answer":
        return this.#next(node, fault)
      default:
    }
  }

  #electLater({ after, rival }: Of<"late"> | Of<"depose">, elect: NodeFaultEffects["elect"]): void {
    this.#clock.schedule(this.#clock.elapsed + after, () => {
      if (!this.#isHealed) elect(rival)
    })
  }

  #next(node: number, fault: Of<"late"> | Of<"lose_answer">): void {
    const others = (this.#fates.get(node) ?? []).filter(({ left }) => left > 0)
    this.#fates.set(node, [...others, { fault, left: fault.times }])
  }
}
