/** What a simulation is made from: drawn whole, or beginning as a production was. */

import type { AssetType } from "../arena/AssetType.ts"
import type { OrderTerms } from "../arena/OrderTerms.ts"
import { type Amount, fromUnits } from "../money/Amount.ts"
import { type BotPlan, requestsFrom } from "./BotPlan.ts"
import type { ExportedWorld, WorldAuction, WorldTrader } from "./ExportedWorld.ts"
import {
  kept,
  lengthOf,
  makeScenario,
  type OrderPlan,
  type OrderTiming,
  haltOwners,
  planLimits,
  planStrikes,
  type Scenario,
  type ScenarioSpec,
  SLOT_MILLIS,
  startOf,
  type SubmissionPlan,
  submissionsTo,
  type TraderPlan
} from "./Scenario.ts"
import { fashionsOf } from "./FrequentActs.ts"
import { planHalts } from "./HaltPlan.ts"
import { planAdvances, planCompanies } from "./platform/CompanyPlan.ts"
import { eventsWith } from "./ReachableEvents.ts"
import { SeededRandom } from "./SeededRandom.ts"
import type { DeskParts } from "./TraderDesk.ts"
import { TICK_MILLIS } from "./SimulatedAgent.ts"
import type { PastPrices } from "./WorldPrices.ts"

/** The shortest window and delay of a simulation: its agent has to look at an order some times. */
const SHORTEST_MILLIS = 3 * TICK_MILLIS

/** The longest slot, window and delay of a simulation, whatever they are to each other: a day. */
export const LONGEST_MILLIS = 86_400_000

/** Bids are late by so much, so that the order is there. */
const OPENING_MILLIS = 1_000

/** What an export that tells no yield earns a year, in 10⁻¹². */
const USUAL_APY = 59_000_000_000n

/** The scenario of a specification, in the world that it names if it names one. */
export const plannedScenario = (spec: ScenarioSpec, world?: ExportedWorld): Scenario =>
  world === undefined ? makeScenario(spec) : worldScenario(spec, world)

/**
 * A production's times in those of a simulation. All are shortened, or made longer, by the same: a slot lasts as long as one
 * that is drawn, or longer where a window or a delay would else be too short to look at. None becomes longer than
 * {@link LONGEST_MILLIS}: where that makes another too short, that one is as long as it has to be.
 */
export const simulatedTiming = ({ delay, slot, window }: ExportedWorld["timing"]): OrderTiming => {
  const scale = Math.min(
    Math.max(SLOT_MILLIS / slot, SHORTEST_MILLIS / window, SHORTEST_MILLIS / delay),
    LONGEST_MILLIS / Math.max(slot, window, delay)
  )
  return {
    // Orders are made when the agent looks.
    slot: Math.max(SLOT_MILLIS, Math.ceil((slot * scale) / TICK_MILLIS) * TICK_MILLIS),
    window: Math.max(SHORTEST_MILLIS, Math.round(window * scale)),
    delay: Math.max(SHORTEST_MILLIS, Math.round(delay * scale))
  }
}

/**
 * A scenario that begins as a world was: its orders' times, types and discounts, its traders and bots with their money, the
 * platform's funds, and its prices. Which of its auctions is bid again when, and all that comes after, is the seed's.
 */
export const worldScenario = (spec: ScenarioSpec, world: ExportedWorld): Scenario => {
  const { keep, seed } = spec
  const timing = simulatedTiming(world.timing)
  const length = lengthOf(timing, Math.ceil(spec.orders / world.types.length))
  const population = { seed, bots: world.bots.length, companies: spec.companies ?? 0 }
  const fashions = fashionsOf(population)
  const traders = kept(world.traders.length, keep?.traders).flatMap((index) => {
    const trader = world.traders[index]
    return trader === undefined ? [] : [planWorldTrader(trader, index)]
  })
  const botPlans = planWorldBots(seed, world, kept(world.bots.length, keep?.bots), length)
  return {
    spec: { ...spec, traders: world.traders.length, rule: spec.rule ?? world.rule },
    world,
    startedAt: startOf(world.bots.length, length, timing),
    length,
    timing,
    traders,
    bots: botPlans,
    operators: [],
    companies: planCompanies(seed, kept(spec.companies ?? 0, keep?.companies), length, fashions),
    advances: population.companies === 0 || fashions.has("trading") ? [] : planAdvances(seed, length, fashions),
    orders: kept(spec.orders, keep?.orders).map((index) => planWorldOrder(seed, world, index)),
    yields: [{ at: 0, apy: world.apy ?? USUAL_APY }],
    house: world.house,
    limits: planLimits(seed, fashions),
    halts: planHalts(seed, haltOwners(traders, botPlans), length, fashions),
    ...planStrikes(spec, length, eventsWith(population))
  }
}

const planWorldTrader = ({ allowance, balance, owner, type }: WorldTrader, index: number): TraderPlan => ({
  index,
  id: `usr_${index}`,
  owner: `cmp_${owner}`,
  type,
  barred: null,
  balance,
  allowance
})

type AuctionsByType = ReadonlyMap<AssetType, ReadonlyArray<WorldAuction>>

const sorted = new WeakMap<ExportedWorld, AuctionsByType>()

const auctionsOf = (world: ExportedWorld, type: AssetType): ReadonlyArray<WorldAuction> => {
  const byType: AuctionsByType =
    sorted.get(world) ??
    new Map(world.types.map((one) => [one, world.auctions.filter((auction) => auction.type === one)]))
  sorted.set(world, byType)
  return byType.get(type) ?? []
}

/** The auction that is bid again: one of the type, drawn with replacement (a bootstrap of whole auctions, Efron 1979). */
const auctionAgain = (seed: number, world: ExportedWorld, order: number, type: AssetType) => {
  const some = auctionsOf(world, type)
  return some[new SeededRandom(seed, `auction/${order}`).below(Math.max(1, some.length))]
}

const planWorldOrder = (seed: number, world: ExportedWorld, index: number): OrderPlan => {
  const { length } = world.types
  const assetType = world.types[index % length] ?? "fx"
  const { discount } = auctionAgain(seed, world, index, assetType) ?? { discount: null }
  return { index, slot: Math.floor(index / length), assetType, makerDiscount: discount ?? undefined }
}

/** What the traders send to an order: what is drawn, or what they sent to the auction that is bid again. */
export const plannedSubmissions = (order: OrderPlan, scenario: Scenario): ReadonlyArray<SubmissionPlan> => {
  const { spec, timing, traders, world } = scenario
  if (world === undefined) return submissionsTo(order, scenario)
  const staying = new Set(traders.map(({ index }) => index))
  const begins = OPENING_MILLIS + (order.slot === 0 ? TICK_MILLIS : 0)
  const { bids } = auctionAgain(spec.seed, world, order.index, order.assetType) ?? { bids: [] }
  return bids.flatMap(([trader, at, premium, margin, quantity, slippage], number) => {
    if (!staying.has(trader)) return []
    const keyed = new SeededRandom(spec.seed, `keyed/${order.index}/${number}`).chance(700)
    const after = begins + Math.floor((at * (timing.window - OPENING_MILLIS)) / 1_000_000)
    return [{ id: `${order.index}/${trader}/${number}`, trader, after, premium, margin, quantity, slippage, keyed }]
  })
}

/** What a desk is told of a scenario. Who follows an order's worth asks it of `worth`. */
export const deskPlans = (
  scenario: Scenario,
  worth: (terms: OrderTerms) => Amount | undefined
): Pick<DeskParts, "slot" | "submissionsTo" | "worthOf"> => ({
  slot: scenario.timing.slot,
  submissionsTo: (order) => plannedSubmissions(order, scenario),
  worthOf: scenario.world && worth
})

const planWorldBots = (
  seed: number,
  { bots, companies }: ExportedWorld,
  numbers: ReadonlyArray<number>,
  length: number
): ReadonlyArray<BotPlan> =>
  numbers.flatMap((index) => {
    const bot = bots[index]
    if (bot === undefined) return []
    const { autoTopUp, capabilities, company, creditBudget, funded, status, strategy } = bot
    const { balance, monthlyGrant } = companies[company] ?? { balance: funded, monthlyGrant: fromUnits(0n) }
    const random = new SeededRandom(seed, `bot/${index}`)
    const owner = { index: company, companyId: `cmp_bots_${company}`, userId: `usr_bots_${company}` }
    return [
      {
        index,
        botId: `bot_${index}`,
        company: { ...owner, balance, monthlyGrant },
        capabilities,
        strategy,
        creditBudget,
        autoTopUp,
        requests: requestsFrom(random, index, { funded, status }, length)
      }
    ]
  })

/** The prices that a scenario goes on from; none where all is drawn. The walk takes a step whenever the agent looks. */
export const pastPrices = ({ world }: Scenario): PastPrices | undefined =>
  world && {
    prices: world.prices,
    path: world.path,
    step: marketStep(world)
  }

/** Milliseconds of the market from one look at prices to the next. */
export const marketStep = ({ timing }: Pick<ExportedWorld, "timing">): number =>
  Math.max(1, Math.round((TICK_MILLIS * timing.slot) / simulatedTiming(timing).slot))
