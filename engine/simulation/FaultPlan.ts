import { SeededRandom } from "./SeededRandom.ts"

/** Times are in milliseconds after the start of the simulation. */
export type FaultPlan = { readonly index: number; readonly at: number } & (
  | {
      /** The next actor that writes dies: before its batch is sent, while it waits, or after the commit. */
      readonly kind: "crash_actor"
      readonly moment: "before" | "waiting" | "after"
    }
  /** The process ends with everything in memory; another one starts. */
  | { readonly kind: "restart" }
  /** The next transactions fail, or are written and their answers lost. */
  | { readonly kind: "fail_journal"; readonly half: boolean; readonly times: number }
  /** Every transaction takes this much longer, for a while. */
  | { readonly kind: "slow_journal"; readonly for: number; readonly by: number }
  /** Actors cannot read their history for a while. */
  | { readonly kind: "blind_actors"; readonly for: number }
  /** A part of the messages sent for a while arrive late, and so out of order. */
  | { readonly kind: "delay"; readonly for: number; readonly by: number }
  /** The messages sent for a while arrive twice. */
  | { readonly kind: "duplicate"; readonly for: number; readonly after: number }
  | { readonly kind: "stall_oracle"; readonly for: number }
  /** All prices are off by a factor, in 10⁻⁶, for a while. */
  | { readonly kind: "spike_oracle"; readonly for: number; readonly factor: number }
  /** The clock is set forward, or back for a negative number of milliseconds. */
  | { readonly kind: "jump_clock"; readonly by: number }
  /** The vault takes no new deposits for a while. */
  | { readonly kind: "close_vault"; readonly for: number }
)

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

/** The faults of a simulation of this length. Each is drawn by itself, so that leaving one out changes no other. */
export const planFaults = (seed: number, length: number): ReadonlyArray<FaultPlan> =>
  Array.from({ length: FEWEST + Math.floor(length / EVERY_MILLIS) }, (_, index) =>
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
