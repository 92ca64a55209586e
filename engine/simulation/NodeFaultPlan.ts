import { SeededRandom } from "./SeededRandom.ts"

/** Requests come in bursts this far apart, in milliseconds. */
export const BURST = 500

/** A node by its number, or whichever writes when it happens. */
export type FaultTarget = number | "writer"

/** Times are in milliseconds after the start of the simulation. */
export type NodeFaultPlan = { readonly index: number; readonly at: number } & (
  | {
      /** Nodes are told at the same time that they write from now on. */
      readonly kind: "elect"
      readonly nodes: ReadonlyArray<number>
    }
  | { readonly kind: "pause"; readonly node: FaultTarget; readonly for: number }
  | {
      /** The one that writes stands still, and some time later, mostly meanwhile, another one is elected. */
      readonly kind: "depose"
      readonly node: FaultTarget
      readonly for: number
      readonly rival: number
      readonly after: number
    }
  /** The process ends, and is started again. */
  | { readonly kind: "restart"; readonly node: FaultTarget }
  /** Nothing that the node asks of the database arrives. */
  | { readonly kind: "cut_database"; readonly node: FaultTarget; readonly for: number }
  | {
      /**
       * The next appends of a node, its transactions of the tables or the refusals that it keeps seem lost, and land so much
       * later: unless another one took the term (`isBegun`: who takes the term waits for them). Some time after them another
       * node is elected.
       */
      readonly kind: "late"
      readonly node: FaultTarget
      readonly call: "append" | "project" | "keep"
      readonly times: number
      readonly by: number
      readonly isBegun: boolean
      readonly rival: number
      readonly after: number
    }
  /** The next appends, or transactions of the tables, are done, and their answers are lost. */
  | {
      readonly kind: "lose_answer"
      readonly node: FaultTarget
      readonly call: "append" | "project"
      readonly times: number
    }
  /** Nodes hear nothing of each other. */
  | { readonly kind: "cut_nodes"; readonly node: FaultTarget; readonly for: number }
  /** A part of what nodes forward arrives twice, the second time so much later. */
  | { readonly kind: "send_again"; readonly for: number; readonly after: number }
  /** A part of the responses between nodes, and to clients, is lost. */
  | { readonly kind: "lose_responses"; readonly for: number }
  /** A part of what is pushed is dropped, doubled, late or altered. */
  | { readonly kind: "spoil_pushes"; readonly for: number }
  /** A node's clock is set forward, or back for a negative number of milliseconds. */
  | { readonly kind: "step_clock"; readonly node: FaultTarget; readonly by: number }
)

const repeated = (kind: NodeFaultPlan["kind"], times: number) => Array.from({ length: times }, () => kind)

/** What happens, and how often. */
const KINDS: readonly [NodeFaultPlan["kind"], ...ReadonlyArray<NodeFaultPlan["kind"]>] = [
  "elect",
  ...repeated("elect", 4),
  ...repeated("late", 5),
  ...repeated("depose", 5),
  ...repeated("pause", 2),
  ...repeated("spoil_pushes", 4),
  ...repeated("lose_answer", 3),
  ...repeated("restart", 2),
  ...repeated("cut_database", 2),
  ...repeated("send_again", 2),
  ...repeated("lose_responses", 2),
  ...repeated("step_clock", 2),
  ...repeated("cut_nodes", 1)
]

/** A fault for about this many milliseconds of the simulation. */
const EVERY_MILLIS = 350

/** How often, in a thousand, a fault is that of whichever node writes. */
const OF_WRITER = 500

/** How often, in a thousand, a fault strikes while many requests come, and how long they take, in milliseconds. */
const IN_BURSTS = 600
const BURST_LENGTH = 60

/** The faults of a simulation of this length. Each is drawn by itself, so that leaving one out changes no other. */
export const planNodeFaults = (seed: number, nodes: number, length: number): ReadonlyArray<NodeFaultPlan> =>
  Array.from({ length: Math.floor(length / EVERY_MILLIS) }, (_, index) =>
    planFault(new SeededRandom(seed, `fault/${index}`), index, nodes, length)
  )

const planFault = (random: SeededRandom, index: number, nodes: number, length: number): NodeFaultPlan => {
  const kind = random.pick(KINDS)
  const at = random.below(length)
  const isInBurst = random.chance(IN_BURSTS)
  const base = { index, at: isInBurst ? at - (at % BURST) + random.below(BURST_LENGTH) : at }
  const node = random.chance(OF_WRITER) ? "writer" : random.below(nodes)
  switch (kind) {
    case "elect": {
      const first = random.below(nodes)
      return { ...base, kind, nodes: random.chance(400) ? [first, (first + 1) % nodes] : [first] }
    }
    case "pause":
      return { ...base, kind, node, for: random.between(20, random.pick([200, 1_500, 4_000])) }
    case "restart":
      return { ...base, kind, node }
    case "cut_database":
      return { ...base, kind, node, for: random.between(50, 1_500) }
    case "depose": {
      const millis = random.between(20, random.pick([200, 1_500]))
      const after = random.below(millis + Math.floor(millis / 4))
      return { ...base, kind, node: "writer", for: millis, rival: random.below(nodes), after }
    }
    case "late":
      return {
        ...base,
        kind,
        node,
        call: random.pick(["append", "append", "project", "keep"]),
        times: random.between(1, 4),
        by: random.between(5, 600),
        isBegun: random.chance(500),
        rival: random.below(nodes),
        after: random.between(0, 300)
      }
    case "lose_answer":
      return { ...base, kind, node, call: random.pick(["append", "append", "project"]), times: random.between(1, 4) }
    case "cut_nodes":
      return { ...base, kind, node, for: random.between(50, 2_000) }
    case "send_again":
      return { ...base, kind, for: random.between(200, 2_000), after: random.below(600) }
    case "lose_responses":
    case "spoil_pushes":
      return { ...base, kind, for: random.between(200, 2_000) }
    case "step_clock":
      return { ...base, kind, node, by: random.between(-8_000, 8_000) }
  }
}

/** One line about a fault, for people. */
export const describeNodeFault = (fault: NodeFaultPlan): string => {
  const { index: _index, at: _at, kind, ...rest } = fault
  const details = Object.entries(rest).map(([name, value]) => `${name} ${String(value)}`)
  return [kind.replaceAll("_", " "), ...details].join(", ")
}
