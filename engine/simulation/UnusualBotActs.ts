/** What bots' owners ask for once in a while: wrong things, modules that decide, and an end in the middle of trading. */

import type { StrategyRequest } from "../bots/Strategy.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../money/Amount.ts"
import type { BotRequest } from "./BotRequest.ts"
import type { Fashion } from "./FrequentActs.ts"
import type { SeededRandom } from "./SeededRandom.ts"

type TimedRequest = readonly [at: number, request: BotRequest]

/** Something unusual in the life of a bot. */
export interface UnusualBot {
  /** The file of the module that decides for it, if any does. */
  readonly module?: string
  /** Whether it can hardly pay for what it is asked. */
  readonly isThrifty: boolean
  readonly requests: ReadonlyArray<TimedRequest>
}

/** The modules that bots of a simulation have. */
export const MODULES = ["tide.ts", "storm.ts"] as const

/** How many in a thousand bots have each of these, and how many where it is in fashion. */
const SELDOM = 60
const OFTEN = 700

const MAX_COLLATERAL = fromUnits(1_000n * ONE)

/** When a bot of a short simulation trades, in milliseconds: orders are there, and take commitments. */
const TRADING_MILLIS = [25_000, 135_000] as const
const LATE_MILLIS = [60_000, 138_000] as const

const BIDS = [4, 9] as const
const QUESTIONS = [3, 7] as const

/** What is unusual about a bot. */
export const planUnusual = (random: SeededRandom, length: number, fashions: ReadonlySet<Fashion>): UnusualBot => {
  const is = (fashion: Fashion): boolean => random.chance(fashions.has(fashion) ? OFTEN : SELDOM)
  const isWrong = random.chance(SELDOM)
  const isModular = is("modules")
  const isThrifty = is("thrift")
  const isTight = random.chance(SELDOM)
  const isEnded = fashions.has("terminations") && is("terminations")
  const module = random.pick(MODULES)
  const requests: ReadonlyArray<TimedRequest> = [
    ...(isWrong ? [[random.below(length), planWrong(random)] as const] : []),
    ...(isModular ? planModular(random) : []),
    ...(isThrifty ? some(random, QUESTIONS, () => ({ act: "evaluate", order: random.below(8) }) as const) : []),
    ...(isTight ? [[trading(random), { act: "change", change: { strategy: TIGHT } }] as const] : []),
    ...(isEnded ? [[random.between(...LATE_MILLIS), { act: "terminate" }] as const] : [])
  ]
  return { requests, isThrifty, ...(isModular && { module }) }
}

const trading = (random: SeededRandom): number => random.between(...TRADING_MILLIS)

const some = (
  random: SeededRandom,
  counts: readonly [low: number, high: number],
  request: () => BotRequest
): ReadonlyArray<TimedRequest> =>
  Array.from({ length: random.between(...counts) }, (): TimedRequest => [trading(random), request()])

/** Its module bids, fails now and then, and makes way for another or for none. */
const planModular = (random: SeededRandom): ReadonlyArray<TimedRequest> => {
  const bids = some(random, BIDS, () => ({
    act: "bid",
    module: random.chance(900) ? "own" : "other",
    order: random.below(8),
    premium: random.chance(80) ? random.between(100_001, 300_000) : random.below(9_000),
    margin: random.between(100, 30_000),
    quantity: random.between(1_000, random.pick([20_000, 200_000, 1_000_000])),
    tolerance: random.below(20_000)
  }))
  const question: TimedRequest = [trading(random), { act: "evaluate", order: random.below(8) }]
  const change: TimedRequest = [
    trading(random),
    random.chance(500)
      ? { act: "failModule" }
      : { act: "change", change: { strategyModule: random.chance(500) ? null : random.pick(MODULES) } }
  ]
  return [...bids, question, ...(random.chance(400) ? [change] : []), ...(random.chance(TIGHTENED) ? [TIGHTEN] : [])]
}

/** How many in a thousand bots whose modules bid may lose nothing to speak of from their first bid on. */
const TIGHTENED = 150

/** What no bot can be asked for. */
const planWrong = (random: SeededRandom): BotRequest => {
  switch (random.below(4)) {
    case 0:
      return { act: "fund", amount: ZERO }
    case 1:
      return { act: "withdraw", amount: ZERO }
    case 2:
      return { act: "evaluate", order: random.below(8), isUnknown: true }
    default:
      return { act: "change", change: { strategy: planWrongStrategy(random) } }
  }
}

const percent = (whole: bigint): Amount => fromUnits(whole * ONE)

/** Lets a bot lose next to nothing, which what it holds may be above. */
const TIGHT: StrategyRequest = {
  riskPreset: "custom",
  riskLevel: ONE,
  maxLossPct: fromUnits(100_000n),
  minRoiPct: ZERO,
  maxCollateralPerTrade: MAX_COLLATERAL
}

/** It can no longer pay for the least of an order: the next bid of its module suspends it. */
const TIGHTEN: TimedRequest = [
  TRADING_MILLIS[0],
  { act: "change", change: { strategy: { ...TIGHT, maxLossPct: fromUnits(1n) } } }
]

const planWrongStrategy = (random: SeededRandom): StrategyRequest => {
  const custom = { riskPreset: "custom", riskLevel: ONE, maxLossPct: percent(10n), minRoiPct: ZERO } as const
  switch (random.below(4)) {
    case 0:
      return { ...custom, maxCollateralPerTrade: ZERO }
    case 1:
      return { ...custom, maxCollateralPerTrade: MAX_COLLATERAL, riskLevel: fromUnits(ONE + 1n) }
    case 2:
      return { ...custom, maxCollateralPerTrade: MAX_COLLATERAL, maxLossPct: ZERO }
    default:
      return { ...custom, maxCollateralPerTrade: MAX_COLLATERAL, minRoiPct: percent(101n) }
  }
}
