import { SeededRandom } from "./SeededRandom.ts"
import type { Strike } from "./Strike.ts"

/** A strike and when it comes, in milliseconds after the start of the simulation. */
export type FaultPlan = { readonly index: number; readonly at: number } & Strike

const repeated = (kind: FaultPlan["kind"], times: number) => Array.from({ length: times }, () => kind)

type Kinds = readonly [FaultPlan["kind"], ...ReadonlyArray<FaultPlan["kind"]>]

/** What strikes, and how often. */
const ALL_KINDS: Kinds = [
  "crash_actor",
  ...repeated("crash_actor", 4),
  ...repeated("fail_journal", 4),
  ...repeated("delay", 3),
  ...repeated("duplicate", 3),
  ...repeated("restart", 2),
  ...repeated("slow_journal", 2),
  ...repeated("blind_actors", 2),
  ...repeated("jump_clock", 2),
  ...repeated("stall_oracle", 1),
  ...repeated("spike_oracle", 1),
  ...repeated("close_vault", 1)
]

/** Every kind of fault, each once. */
export const FAULT_KINDS: ReadonlyArray<FaultPlan["kind"]> = [...new Set(ALL_KINDS)]

const [MOST_USUAL, ...OTHERS] = ALL_KINDS
const USUAL_KINDS: Kinds = [MOST_USUAL, ...OTHERS.filter((kind) => kind !== "stall_oracle" && kind !== "spike_oracle")]

/** A fault for about this many milliseconds of the simulation. */
const EVERY_MILLIS = 30_000
const FEWEST = 4

/**
 * How many in a thousand of the failures of the journal last for longer than the writer looks for what became of a
 * transaction.
 */
const LONG_FAILURES = 200

/**
 * Only the first faults, and then one in as many, may be an oracle's: each opens the breakers for ten minutes or more,
 * and a long simulation is to trade between them.
 */
const ORACLE_EVERY = 24

/** How many faults a simulation of this length has. */
export const faultCount = (length: number): number => FEWEST + Math.floor(length / EVERY_MILLIS)

/** The faults of a simulation of this length. Each is drawn by itself, so that leaving one out changes no other. */
export const planFaults = (seed: number, length: number): ReadonlyArray<FaultPlan> =>
  Array.from({ length: faultCount(length) }, (_, index) =>
    planFault(new SeededRandom(seed, `fault/${index}`), index, length)
  )

const planFault = (random: SeededRandom, index: number, length: number): FaultPlan => {
  const mayBeOracle = index < ORACLE_EVERY || index % ORACLE_EVERY === 0
  const kind = random.pick(mayBeOracle ? ALL_KINDS : USUAL_KINDS)
  const base = { index, at: random.below(length) }
  switch (kind) {
    case "crash_actor":
      return { ...base, kind, moment: random.pick(["before", "waiting", "after"]) }
    case "restart":
      return { ...base, kind }
    case "fail_journal":
      return {
        ...base,
        kind,
        half: random.chance(500),
        times: random.chance(LONG_FAILURES) ? random.between(20, 80) : random.between(1, 4)
      }
    case "slow_journal":
      return { ...base, kind, for: random.between(1_000, 10_000), by: random.between(50, 2_000) }
    case "blind_actors":
      return { ...base, kind, for: random.between(100, 3_000) }
    case "delay":
      return { ...base, kind, for: random.between(1_000, 20_000), by: random.between(100, 20_000) }
    case "duplicate":
      return { ...base, kind, for: random.between(1_000, 20_000), after: random.between(0, 500) }
    case "stall_oracle":
      return { ...base, kind, for: random.between(1_000, 60_000) }
    case "spike_oracle":
      return { ...base, kind, for: random.between(1_000, 10_000), factor: random.between(700_000, 1_400_000) }
    case "jump_clock":
      return {
        ...base,
        kind,
        by: random.chance(300)
          ? -random.between(1, 5_000)
          : random.between(1, random.pick([1_000, 30_000, 90_000, 600_000, 100_000_000]))
      }
    case "close_vault":
      return { ...base, kind, for: random.between(1_000, 15_000) }
  }
}

/** One line about a fault, for people. */
export const describeFault = (fault: FaultPlan): string => {
  const { index: _index, at: _at, kind, ...rest } = fault
  const details = Object.entries(rest).map(([name, value]) => `${name} ${String(value)}`)
  return [kind.replaceAll("_", " "), ...details].join(", ")
}
