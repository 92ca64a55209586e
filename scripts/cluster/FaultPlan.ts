import { SeededRandom } from "../../engine/simulation/SeededRandom.ts"

/** What can be done to a node or to the database. The first row does more often what the others are compared with. */
export const FAULTS = [
  "SIGKILL to the writer",
  "SIGKILL to an edge",
  "SIGTERM to the writer",
  "SIGTERM to an edge",
  "SIGTERM to each in turn",
  "the writer stopped",
  "an edge stopped",
  "the lock's session ended",
  "the election's sessions ended",
  "the writer's sessions ended",
  "all sessions ended",
  "a backend of the writer stopped",
  "a backend of an edge stopped",
  "PostgreSQL restarted",
  "the way to the writer paused",
  "the way to an edge paused"
] as const

export type FaultKind = (typeof FAULTS)[number]

/** What a process, a backend or the way between nodes is stopped for, in milliseconds. */
const SHORTEST_STOP = 1_000
const LONGEST_STOP = 15_000

/** Of a thousand steps, how many are two faults at once. */
const PAIRS = 300

/** Of a thousand steps, how many the next one follows before all nodes are ready again. */
const HASTY = 400

/** One step of a trial. */
export interface PlannedFault {
  /** One, or two at once. */
  readonly kinds: ReadonlyArray<FaultKind>
  /** For what is stopped, in milliseconds. */
  readonly stopped: number
  /** Which of several edges, backends and the like: a whole number that the choice is made from. */
  readonly draw: number
  /** Whether the next step does not wait until all nodes are ready again. */
  readonly isHasty: boolean
  /** Until the next step, in milliseconds. */
  readonly pause: number
}

const LONGEST_PAUSE = 1_500
const DRAWS = 2 ** 16

/** It takes a while by itself, and needs nodes that come back. */
const isPaired = (kind: FaultKind): boolean => kind !== "SIGTERM to each in turn"

const ALL: ReadonlyArray<FaultKind> = [...FAULTS, "SIGKILL to the writer"]

const shuffled = (random: SeededRandom, kinds: ReadonlyArray<FaultKind>): Array<FaultKind> => {
  const left: Array<FaultKind> = [...kinds]
  const order: Array<FaultKind> = []
  while (left.length > 0) order.push(...left.splice(random.below(left.length), 1))
  return order
}

const stop = (random: SeededRandom): number => random.between(SHORTEST_STOP, LONGEST_STOP + 1)

/**
 * The faults of a trial, without an end: all kinds in an order that the seed draws, and again in another one.
 *
 * @param kinds - those that are made, where some are left out
 */
export function* faultPlan(seed: number, kinds: ReadonlyArray<FaultKind> = ALL): Generator<PlannedFault, never> {
  const random = new SeededRandom(seed, "cluster trial")
  const others = [...new Set(kinds)]
  for (;;) {
    for (const kind of shuffled(random, kinds)) {
      const other = others[random.below(others.length)] ?? kind
      const isPair = random.chance(PAIRS) && other !== kind && isPaired(other) && isPaired(kind)
      yield {
        kinds: isPair ? [kind, other] : [kind],
        // The shorter of two: a trial has more faults then.
        stopped: Math.min(stop(random), stop(random)),
        draw: random.below(DRAWS),
        isHasty: random.chance(HASTY),
        pause: random.below(LONGEST_PAUSE)
      }
    }
  }
}

/** What a step is called: pairs count as one kind. */
export const kindOf = ({ kinds }: PlannedFault): string => (kinds.length === 1 ? (kinds[0] ?? "") : "two at once")
