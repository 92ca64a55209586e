import { BURST, type NodeFaultPlan, planNodeFaults } from "./NodeFaultPlan.ts"
import { SeededRandom } from "./SeededRandom.ts"

/** What a world of several nodes is made from: with the program's version it stands for every byte of a simulation. */
export interface NodesSpec {
  readonly seed: number
  readonly nodes: number
  readonly requests: number
  /** The numbers of the requests and faults that stay; undefined for all. */
  readonly keep?: NodesKeep
}

export interface NodesKeep {
  readonly requests?: ReadonlyArray<number>
  readonly faults?: ReadonlyArray<number>
}

export type RequestKind = "mint" | "pay" | "hold" | "capture" | "release"

/** One thing that a client wants done once. */
export interface RequestPlan {
  readonly index: number
  /** Its key. */
  readonly id: string
  /** Milliseconds after the start. */
  readonly at: number
  readonly kind: RequestKind
  readonly owner: number
  readonly other: number
  /** In units of 10⁻⁶. */
  readonly amount: bigint
  /** Whether the client gives a key, and asks again until it knows what became of it. */
  readonly isKeyed: boolean
  /** Whether its event claims its id. */
  readonly isClaimed: boolean
  /** The node that it is sent to first, and milliseconds until the client tries another one. */
  readonly node: number
  readonly patience: number
  /** Milliseconds after which a client that has the response asks once more, as one that lost it. */
  readonly again: number | undefined
}

/** Everything that happens from outside, as plain data. */
export interface NodesScenario {
  readonly spec: NodesSpec
  /** In milliseconds since 1970. */
  readonly startedAt: number
  /** In milliseconds: after that nothing fails any more. */
  readonly length: number
  readonly requests: ReadonlyArray<RequestPlan>
  readonly faults: ReadonlyArray<NodeFaultPlan>
  /** How far each node's clock is ahead, in milliseconds. */
  readonly skews: ReadonlyArray<number>
}

const STARTED_AT = 1_800_000_000_000

/** Milliseconds for one request, and at the end for the last ones. */
const EACH = 60
const REST = 2_000

/** How far a clock may be off, in milliseconds. */
const SKEW = 5_000

/** Companies that own accounts. */
export const OWNERS = 3

/** What is asked: some of it is taken only once something else that is asked at the same time was. */
const FIRST_KINDS = ["hold", "hold", "mint", "pay"] as const
const KINDS = ["mint", "pay", "pay", "hold", "capture", "capture", "release", "release"] as const

export const makeNodesScenario = (spec: NodesSpec): NodesScenario => {
  const { keep, nodes, requests, seed } = spec
  const length = requests * EACH + REST
  const skew = new SeededRandom(seed, "skews")
  const stays = (some: ReadonlyArray<number> | undefined, index: number) => some?.includes(index) ?? true
  return {
    spec,
    startedAt: STARTED_AT,
    length,
    requests: Array.from({ length: requests }, (_, index) => planRequest(seed, index, nodes, requests * EACH)).filter(
      ({ index }) => stays(keep?.requests, index)
    ),
    faults: planNodeFaults(seed, nodes, length).filter(({ index }) => stays(keep?.faults, index)),
    skews: Array.from({ length: nodes }, () => skew.between(-SKEW, SKEW))
  }
}

const planRequest = (seed: number, index: number, nodes: number, length: number): RequestPlan => {
  const random = new SeededRandom(seed, `request/${index}`)
  const at = random.below(length)
  return {
    index,
    id: `req/${index}`,
    at: random.chance(600) ? at - (at % BURST) : at,
    kind: index < OWNERS ? "mint" : random.pick(index % 3 === 0 ? FIRST_KINDS : KINDS),
    owner: index < OWNERS ? index : random.below(OWNERS),
    other: random.below(OWNERS),
    amount: BigInt(random.between(1, 12)),
    isKeyed: random.chance(800),
    isClaimed: random.chance(400),
    node: random.below(nodes),
    patience: random.between(100, 2_500),
    again: random.chance(400) ? random.between(10, 1_000) : undefined
  }
}
