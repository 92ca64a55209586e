import { AIMS, aimsOf, type FaultAim } from "./FaultAim.ts"
import { SeededRandom } from "./SeededRandom.ts"
import type { Strike } from "./Strike.ts"

/**
 * A strike and when it comes, in milliseconds after the start of the simulation: from then on as soon as an event of the tag
 * `before` is about to be written, where it is aimed at one.
 */
export type FaultPlan = { readonly index: number; readonly at: number; readonly before?: string } & Strike

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

/** The oracle's prices as they are, in 10⁻⁶. */
export const USUAL_FACTOR = 1_000_000

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

/**
 * An oracle's fault opens the breakers for six minutes or more. A simulation that is no longer has its first orders before
 * that: without any there would be nothing to see.
 */
const RECOVERY_MILLIS = 600_000
const FIRST_ORDERS_MILLIS = 25_000

/** Of those that are aimed, so many in a thousand lie in wait from the start. */
const FROM_THE_START = 850

/** Events that come at the start alone: what is aimed at them cannot wait for the first orders. */
const OPENING_EVENTS: ReadonlySet<string> = new Set([
  "AllowanceGranted",
  "BotCreated",
  "CapitalFunded",
  "FundsMinted",
  "OrderOpened"
])

/** Events that hardly come while a breaker is open, as it is once somebody looked at a stalled oracle. */
const TRADING_EVENTS: ReadonlySet<string> = new Set([
  "BotDecided",
  "CommitmentSubmitted",
  "OrderClosed",
  "OrderSettled",
  "WinnerChosen"
])

/** When the orders of a short simulation have closed, in thousandths of its length. */
const AFTER_TRADING = 660

/** How far an aimed oracle is off at most, in 10⁻⁶: too little to open a breaker, so that the arena trades on. */
const SLIGHTLY_OFF = 10_000

const drawnCount = (length: number): number => FEWEST + Math.floor(length / EVERY_MILLIS)

/** How many faults a simulation of this length has. */
export const faultCount = (length: number): number => drawnCount(length) + AIMS

/**
 * The faults of a simulation of this length, in which these events may come: the last few are aimed. Each is drawn by itself,
 * so that leaving one out changes no other.
 */
export const planFaults = (seed: number, length: number, events: ReadonlyArray<string>): ReadonlyArray<FaultPlan> => {
  const count = drawnCount(length)
  const drawn = Array.from({ length: count }, (_, index) =>
    planFault(new SeededRandom(seed, `fault/${index}`), index, length)
  )
  const aims = aimsOf(seed, FAULT_KINDS, events)
  const aimed = aims.map((aim, number): FaultPlan => {
    const index = count + number
    const random = new SeededRandom(seed, `fault/${index}`)
    const at = Math.max(random.chance(FROM_THE_START) ? 0 : random.below(length), lyingFrom(aim, aims, length))
    return { index, at, before: aim.before, ...briefStrike(random, aim.kind) }
  })
  return [...drawn, ...aimed]
}

/** When an aimed fault may lie in wait: a stall that ends the trading lets what comes of trading come first. */
const lyingFrom = ({ before, kind }: FaultAim, aims: ReadonlyArray<FaultAim>, length: number): number => {
  if (kind !== "stall_oracle" || OPENING_EVENTS.has(before)) return 0
  const isBesideTrading = aims.some((aim) => aim.kind === kind && TRADING_EVENTS.has(aim.before))
  return isBesideTrading && !TRADING_EVENTS.has(before)
    ? Math.floor((length * AFTER_TRADING) / 1_000)
    : afterFirstOrders(0, kind, length)
}

const planFault = (random: SeededRandom, index: number, length: number): FaultPlan => {
  const mayBeOracle = index < ORACLE_EVERY || index % ORACLE_EVERY === 0
  const kind = random.pick(mayBeOracle ? ALL_KINDS : USUAL_KINDS)
  const at = afterFirstOrders(random.below(length), kind, length)
  return { index, at, ...planStrike(random, kind) }
}

/** When a fault comes: of a short simulation's oracle not before there is an order. */
const afterFirstOrders = (at: number, kind: FaultPlan["kind"], length: number): number => {
  const isStarving = length < RECOVERY_MILLIS && (kind === "stall_oracle" || kind === "spike_oracle")
  return isStarving ? Math.max(at, FIRST_ORDERS_MILLIS) : at
}

const planStrike = (random: SeededRandom, kind: FaultPlan["kind"]): Strike => {
  switch (kind) {
    case "crash_actor":
      return { kind, moment: random.pick(["before", "waiting", "after"]) }
    case "restart":
      return { kind }
    case "fail_journal":
      return {
        kind,
        half: random.chance(500),
        times: random.chance(LONG_FAILURES) ? random.between(20, 80) : random.between(1, 4)
      }
    case "slow_journal":
      return { kind, for: random.between(1_000, 10_000), by: random.between(50, 2_000) }
    case "blind_actors":
      return { kind, for: random.between(100, 3_000) }
    case "delay":
      return { kind, for: random.between(1_000, 20_000), by: random.between(100, 20_000) }
    case "duplicate":
      return { kind, for: random.between(1_000, 20_000), after: random.between(0, 500) }
    case "stall_oracle":
      return { kind, for: random.between(1_000, 60_000) }
    case "spike_oracle":
      return { kind, for: random.between(1_000, 10_000), factor: random.between(700_000, 1_400_000) }
    case "jump_clock":
      return {
        kind,
        by: random.chance(300)
          ? -random.between(1, 5_000)
          : random.between(1, random.pick([1_000, 30_000, 90_000, 600_000, 100_000_000]))
      }
    case "close_vault":
      return { kind, for: random.between(1_000, 15_000) }
  }
}

/**
 * A strike that passes before long: the arena is to trade on after it. The oracle's pass with its next look, which is the only
 * one that feels them: see `FaultBoard`.
 */
const briefStrike = (random: SeededRandom, kind: FaultPlan["kind"]): Strike => {
  const strike = planStrike(random, kind)
  switch (strike.kind) {
    case "fail_journal":
      return { ...strike, times: random.between(1, 4) }
    case "jump_clock":
      return { ...strike, by: random.between(-5_000, 30_000) || 1 }
    case "stall_oracle":
      return { ...strike, for: random.between(100, 1_000) }
    case "spike_oracle": {
      const off = random.between(1, SLIGHTLY_OFF)
      return { ...strike, for: random.between(100, 1_000), factor: USUAL_FACTOR + (random.chance(500) ? off : -off) }
    }
    case "close_vault":
      return { ...strike, for: random.between(1_000, 5_000) }
    default:
      return strike
  }
}

/** One line about a fault, for people. */
export const describeFault = (fault: FaultPlan): string => {
  const { index: _index, at: _at, before, kind, ...rest } = fault
  const aim = before === undefined ? {} : { before }
  const details = Object.entries({ ...rest, ...aim }).map(([name, value]) => `${name} ${String(value)}`)
  return [kind.replaceAll("_", " "), ...details].join(", ")
}
