import { ASSET_TYPES, type AssetType } from "../arena/AssetType.ts"
import type { TraderType } from "../arena/Commitment.ts"
import type { FairnessRule } from "../arena/Fairness.ts"
import { type Amount, fromUnits, ONE } from "../money/Amount.ts"
import { COMMITMENT_LIMITS, type CommitmentLimits } from "../arena/Submission.ts"
import { type BotPlan, planBots } from "./BotPlan.ts"
import type { ExportedWorld } from "./ExportedWorld.ts"
import { faultCount, type FaultPlan, planFaults } from "./FaultPlan.ts"
import { type Fashion, fashionsOf } from "./FrequentActs.ts"
import type { GivenStrike } from "./GivenStrike.ts"
import { type HaltOwner, type HaltPlan, planHalts } from "./HaltPlan.ts"
import { type OperatorPlan, planOperators } from "./OperatorPlan.ts"
import { type CompanyPlan, planAdvances, planCompanies, type TimeAdvance } from "./platform/CompanyPlan.ts"
import { eventsWith } from "./ReachableEvents.ts"
import { SeededRandom } from "./SeededRandom.ts"

/** What a scenario is made from: with the program's version it stands for every byte of a simulation. */
export interface ScenarioSpec {
  readonly seed: number
  readonly orders: number
  readonly traders: number
  readonly faults: boolean
  /** Traders that are bots of their own, which decide by themselves; none unless said. */
  readonly bots?: number
  /** Companies that buy, sell, pay, subscribe and send money beside the arena; none unless said. */
  readonly companies?: number
  /** The reading of the 3/4 rule; `weighted` unless said. */
  readonly rule?: FairnessRule
  /** The bound of the scheduler, which is then one with a bound; a uniform one unless said. See `PctScheduler`. */
  readonly depth?: number
  /** The file of a module with traders, faults and invariants of somebody's own. See `SimulationExtension`. */
  readonly with?: string
  /** The file of a world that it begins as, in the place of one that is drawn. See `ExportedWorld`. */
  readonly world?: string
  /** What strikes beside the faults that are drawn. */
  readonly strikes?: ReadonlyArray<GivenStrike>
  /** The numbers of the orders, traders, faults, bots and companies that stay; undefined for all. */
  readonly keep?: ScenarioKeep
}

export interface ScenarioKeep {
  readonly orders?: ReadonlyArray<number>
  readonly traders?: ReadonlyArray<number>
  readonly faults?: ReadonlyArray<number>
  readonly bots?: ReadonlyArray<number>
  readonly companies?: ReadonlyArray<number>
}

export interface TraderPlan {
  readonly index: number
  readonly id: string
  /** Its company; some have two traders. */
  readonly owner: string
  readonly type: TraderType
  /** Set where it may not commit at all. */
  readonly barred: "suspended" | "machine_not_active" | null
  readonly balance: Amount
  /** What a machine may lose; null for humans. */
  readonly allowance: Amount | null
  /** When an administrator registers the machine, and retires it; one that does not say is there from the start. */
  readonly registered?: { readonly at: number; readonly retiredAt?: number }
}

/** One submission. Prices and quantities are relative to its order, in 10⁻⁶. */
export interface SubmissionPlan {
  readonly id: string
  readonly trader: number
  /** Milliseconds after the order's slot begins. */
  readonly after: number
  /** Above the entry price. */
  readonly premium: number
  /** The take-profit above the limit. */
  readonly margin: number
  readonly quantity: number
  /** A fraction in 10⁻⁶, as submitted. */
  readonly slippage: number
  /** Whether it carries an idempotency key, and is tried again where it is not answered. */
  readonly keyed: boolean
}

export interface OrderPlan {
  readonly index: number
  readonly slot: number
  readonly assetType: AssetType
  /** The market maker's discount in 10⁻⁶; undefined as for orders of before there was one. */
  readonly makerDiscount: number | undefined
}

/** The vault's yield from a time on. */
export interface YieldPlan {
  readonly at: number
  /** A year, in 10⁻¹². */
  readonly apy: bigint
}

/** When orders begin, how long they are open, and how much later they settle, in milliseconds. */
export interface OrderTiming {
  readonly slot: number
  readonly window: number
  readonly delay: number
}

/** What the platform has of its own at the start. The vault itself never holds any. */
export interface HousePlan {
  readonly maker: Amount
  /** What the source of yields has to pay from. */
  readonly yieldCapital: Amount
  readonly insurance: Amount
  readonly isVaultClosed: boolean
}

/** A given strike with its number, which follows those of the faults that are drawn. */
export interface NumberedStrike extends GivenStrike {
  readonly index: number
}

/** Everything that will happen from outside, as plain data. Times are milliseconds after the start. */
export interface Scenario {
  readonly spec: ScenarioSpec
  /** In milliseconds since 1970: the beginning of a slot. */
  readonly startedAt: number
  readonly length: number
  readonly timing: OrderTiming
  /** Where it begins, if that is not drawn. */
  readonly world?: ExportedWorld
  readonly traders: ReadonlyArray<TraderPlan>
  readonly bots: ReadonlyArray<BotPlan>
  /** The programs of the companies whose bots these are. */
  readonly operators: ReadonlyArray<OperatorPlan>
  readonly companies: ReadonlyArray<CompanyPlan>
  /** How far an administrator sets the time forward for the companies, and when. */
  readonly advances: ReadonlyArray<TimeAdvance>
  readonly orders: ReadonlyArray<OrderPlan>
  readonly yields: ReadonlyArray<YieldPlan>
  readonly house: HousePlan
  readonly limits: CommitmentLimits
  /** Who pulls the kill switch of a company, and when. */
  readonly halts: ReadonlyArray<HaltPlan>
  readonly faults: ReadonlyArray<FaultPlan>
  readonly given: ReadonlyArray<NumberedStrike>
}

/** The start of a simulation without bots, in milliseconds since 1970. */
export const STARTED_AT = 1_800_000_000_000

/** The beginning of February 2027: with bots, the month of their credits ends half-way through. */
const MONTH_BEGINS = 1_801_440_000_000

/** Orders begin this often, are open for as long, and settle this much later. */
export const SLOT_MILLIS = 120_000
export const WINDOW_MILLIS = 120_000
export const SETTLEMENT_DELAY_MILLIS = 60_000

const TIMING: OrderTiming = { slot: SLOT_MILLIS, window: WINDOW_MILLIS, delay: SETTLEMENT_DELAY_MILLIS }

/** How far above the entry price a sensible bid goes, in 10⁻⁶ of it: as far as the type moves in a window. */
const HIGHEST_PREMIUM: Readonly<Record<AssetType, number>> = {
  commodity: 12_000,
  fx: 4_000,
  options: 90_000,
  gpu: 10_000
}

const usd = (dollars: number): Amount => fromUnits(BigInt(dollars) * ONE)

export const ruleOf = ({ rule = "weighted" }: ScenarioSpec): FairnessRule => rule

/** Draws a scenario. Each of its parts is drawn by itself, so that leaving one out changes no other. */
export const makeScenario = (spec: ScenarioSpec): Scenario => {
  const { seed, keep } = spec
  const length = lengthOf(TIMING, Math.ceil(spec.orders / ASSET_TYPES.length))
  const fashions = fashionsOf(spec)
  const traders = kept(spec.traders, keep?.traders).map((index) =>
    withRegistration(planTrader(seed, index, spec.traders), seed, length, fashions)
  )
  const world = new SeededRandom(seed, "world")
  const { bots = 0, companies = 0 } = spec
  const botPlans = planBots(seed, kept(bots, keep?.bots), bots, length, fashions)
  return {
    spec,
    startedAt: startOf(bots, length, TIMING),
    length,
    timing: TIMING,
    traders,
    bots: botPlans,
    operators: planOperators(seed, botPlans, length, fashions),
    companies: planCompanies(seed, kept(companies, keep?.companies), length, fashions),
    advances: companies === 0 || fashions.has("trading") ? [] : planAdvances(seed, length, fashions),
    orders: kept(spec.orders, keep?.orders).map((index) => planOrder(seed, index)),
    yields: [
      { at: 0, apy: 59_000_000_000n },
      { at: Math.floor(length / 2), apy: BigInt(world.below(200)) * 1_000_000_000n }
    ],
    house: {
      maker: usd(10_000_000),
      yieldCapital: world.chance(250) ? fromUnits(BigInt(world.between(1, 2_000))) : usd(1_000_000),
      insurance: usd(100),
      isVaultClosed: false
    },
    limits: planLimits(seed, fashions),
    halts: planHalts(seed, haltOwners(traders, botPlans), length, fashions),
    ...planStrikes(spec, length, eventsWith(spec))
  }
}

/** How few commitments an order takes where few are in fashion: of one owner, and in all. */
const FEW_PER_OWNER = [1, 4] as const
const FEW_PER_ORDER = [2, 7] as const

/** How many commitments an order takes. */
export const planLimits = (seed: number, fashions: ReadonlySet<Fashion>): CommitmentLimits => {
  if (!fashions.has("crowds")) return COMMITMENT_LIMITS
  const random = new SeededRandom(seed, "crowds")
  return { perOwner: random.between(...FEW_PER_OWNER), perOrder: random.between(...FEW_PER_ORDER) }
}

/** Whose commitments can be halted. */
export const haltOwners = (
  traders: ReadonlyArray<TraderPlan>,
  bots: ReadonlyArray<BotPlan>
): ReadonlyArray<HaltOwner> => [
  ...traders.map(({ id: userId, owner: companyId }) => ({ companyId, userId })),
  ...bots.map(({ company: { companyId, userId } }) => ({ companyId, userId }))
]

/** How long so many slots take, until the last order has settled. */
export const lengthOf = ({ delay, slot, window }: OrderTiming, slots: number): number => slots * slot + window + delay

/** When a simulation with so many bots begins, in milliseconds since 1970. */
export const startOf = (bots: number, length: number, { slot }: OrderTiming): number =>
  bots === 0 ? STARTED_AT : MONTH_BEGINS - Math.floor(length / 2 / slot) * slot

/**
 * The faults that are drawn and those that are given, but for what is left out.
 *
 * @param events - what may be recorded, which some faults are aimed at
 */
export const planStrikes = (
  spec: ScenarioSpec,
  length: number,
  events: ReadonlyArray<string>
): Pick<Scenario, "faults" | "given"> => ({
  faults: spec.faults ? planFaults(spec.seed, length, events).filter(({ index }) => isKept(index, spec.keep)) : [],
  given: (spec.strikes ?? [])
    .map((strike, place) => ({ ...strike, index: firstGiven(spec, length) + place }))
    .filter(({ index }) => isKept(index, spec.keep))
})

const isKept = (index: number, keep: ScenarioKeep | undefined): boolean => keep?.faults?.includes(index) !== false

const firstGiven = ({ faults }: ScenarioSpec, length: number): number => (faults ? faultCount(length) : 0)

/** The number of the first strike of somebody's module: those that are drawn or given come before. */
export const firstOwnStrike = ({ length, spec }: Scenario): number =>
  firstGiven(spec, length) + (spec.strikes?.length ?? 0)

/** The numbers below a count, or those of some. */
export const kept = (count: number, some: ReadonlyArray<number> | undefined): ReadonlyArray<number> =>
  some?.filter((index) => index < count) ?? Array.from({ length: count }, (_, index) => index)

const planTrader = (seed: number, index: number, count: number): TraderPlan => {
  const random = new SeededRandom(seed, `trader/${index}`)
  const isMachine = random.chance(500)
  const sharesCompany = random.chance(150)
  return {
    index,
    id: `usr_${index}`,
    owner: `cmp_${sharesCompany ? random.below(count) : index}`,
    type: isMachine ? "machine" : "human",
    barred: random.chance(970) ? null : isMachine ? "machine_not_active" : "suspended",
    balance: usd(random.chance(80) ? random.between(1, 600) : random.between(5_000, 100_000)),
    allowance: isMachine ? usd(random.chance(60) ? random.between(1, 400) : random.between(5_000, 50_000)) : null
  }
}

/** How many in a thousand machines are registered while a simulation runs, and how many where that is in fashion. */
const SELDOM_REGISTERED = 30
const OFTEN_REGISTERED = 700

/** How many in a thousand of those are retired, and how many milliseconds after their registration at least. */
const RETIRED = 600
const SERVES_MILLIS = 10_000

const withRegistration = (
  trader: TraderPlan,
  seed: number,
  length: number,
  fashions: ReadonlySet<Fashion>
): TraderPlan => {
  const random = new SeededRandom(seed, `registration/${trader.index}`)
  const isRegistered = random.chance(fashions.has("machines") ? OFTEN_REGISTERED : SELDOM_REGISTERED)
  if (trader.type !== "machine" || trader.barred !== null || !isRegistered) return trader
  const at = random.below(Math.min(30_000, length))
  const retiredAt = random.chance(RETIRED) ? { retiredAt: at + SERVES_MILLIS + random.below(length) } : {}
  return { ...trader, registered: { at, ...retiredAt } }
}

/** Whether a trader is a machine that may commit from the start to the end. */
export const isAlwaysActive = ({ barred, registered, type }: TraderPlan): boolean =>
  type === "machine" && barred === null && registered === undefined

const planOrder = (seed: number, index: number): OrderPlan => {
  const makerDiscount = DISCOUNTS[new SeededRandom(seed, `discount/${index}`).below(DISCOUNTS.length)]
  return {
    index,
    slot: Math.floor(index / ASSET_TYPES.length),
    assetType: ASSET_TYPES[index % ASSET_TYPES.length] ?? "fx",
    makerDiscount
  }
}

/** What the traders send to an order. It is drawn whenever it is asked for: all that is ever sent is more than fits. */
export const submissionsTo = (
  { index, assetType }: OrderPlan,
  { spec: { seed }, traders }: Pick<Scenario, "spec" | "traders">
): ReadonlyArray<SubmissionPlan> => {
  const random = new SeededRandom(seed, `order/${index}`)
  const fashions = Array.from({ length: 3 }, () => planBid(random, assetType))
  return traders.flatMap((trader) => planSubmissions(seed, index, assetType, trader, fashions))
}

/** One order in six is of before there were discounts. */
const DISCOUNTS = [500, 500, 500, 0, 10_000, undefined] as const

type Bid = Omit<SubmissionPlan, "id" | "trader" | "keyed">

/** What a trader sends to an order: nothing, or one to three bids, some of them in fashion, some of them wrong. */
const planSubmissions = (
  seed: number,
  order: number,
  assetType: AssetType,
  trader: TraderPlan,
  fashions: ReadonlyArray<Bid>
): ReadonlyArray<SubmissionPlan> => {
  const random = new SeededRandom(seed, `bids/${order}/${trader.index}`)
  const count = random.chance(150) ? 0 : random.chance(700) ? 1 : random.between(2, 4)
  return Array.from({ length: count }, (_, number) => {
    const inFashion = random.chance(250) ? fashions[random.below(fashions.length)] : undefined
    const bid = inFashion ?? planBid(random, assetType)
    const sent = random.chance(50) ? spoil(random, bid) : bid
    return { ...sent, id: `${order}/${trader.index}/${number}`, trader: trader.index, keyed: random.chance(700) }
  })
}

/** Bids come in bursts this far apart, as when something is heard, and the bursts take this long. */
const BURST_MILLIS = 10_000
const BURST_LENGTH_MILLIS = 50

/** The first and the last burst of an order, which opens within its slot's first twenty seconds. */
const BURSTS = [3, 14] as const

/** Half the bids are on a coarse grid, so that equal ones meet. */
const planBid = (random: SeededRandom, assetType: AssetType): Bid => {
  const isCoarse = random.chance(500)
  const premium = random.below(HIGHEST_PREMIUM[assetType])
  const quantity = isCoarse ? random.between(1, 11) * 100_000 : random.between(10_000, 1_000_000)
  return {
    after: random.between(...BURSTS) * BURST_MILLIS + (isCoarse ? 1 : random.below(BURST_LENGTH_MILLIS)),
    premium: isCoarse ? premium - (premium % 1_000) : premium,
    margin: random.between(100, 30_000),
    quantity,
    slippage: random.chance(700) ? 0 : random.below(20_000)
  }
}

/** Something a trader may not ask for, or too late. */
const spoil = (random: SeededRandom, bid: Bid): Bid => {
  switch (random.below(6)) {
    case 0:
      return { ...bid, premium: random.between(100_001, 300_000) }
    case 1:
      return { ...bid, premium: -random.between(1, 90_000), slippage: 0 }
    case 2:
      return { ...bid, quantity: random.between(1_000_001, 2_000_000) }
    case 3:
      return { ...bid, quantity: 0 }
    case 4:
      return { ...bid, slippage: random.between(50_001, 100_000) }
    default:
      return { ...bid, after: WINDOW_MILLIS + random.below(40_000) }
  }
}
