import { ASSET_TYPES, type AssetType } from "../arena/AssetType.ts"
import { PRESETS, type Strategy } from "../bots/Strategy.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../money/Amount.ts"
import type { ProfileChange } from "../bots/ProfileChange.ts"
import type { BotRequest } from "./BotRequest.ts"
import type { Fashion } from "./FrequentActs.ts"
import { SeededRandom } from "./SeededRandom.ts"
import { planUnusual } from "./UnusualBotActs.ts"

/** A company with bots: one user, whose wallet funds them and buys their credits. */
export interface BotCompanyPlan {
  readonly index: number
  readonly companyId: string
  readonly userId: string
  readonly balance: Amount
  /** The free credits of its plan, each month. */
  readonly monthlyGrant: Amount
}

/** A request, in milliseconds after the start. */
export interface BotRequestPlan {
  readonly id: string
  readonly at: number
  readonly request: BotRequest
}

export interface BotPlan {
  readonly index: number
  readonly botId: string
  readonly company: BotCompanyPlan
  readonly capabilities: ReadonlyArray<AssetType>
  readonly strategy: Strategy
  /** The file of the module that decides for it, if one does. */
  readonly strategyModule?: string
  readonly creditBudget: Amount
  readonly autoTopUp: boolean
  readonly requests: ReadonlyArray<BotRequestPlan>
}

/** Bots of one company, about. */
const BOTS_A_COMPANY = 5

/** What is asked of a bot at its start comes so far apart, so that one thing is done before the next. */
const SETTLED_MILLIS = 4_000

type TimedRequest = readonly [at: number, request: BotRequest]

/** A request to each bot about this often. */
const EVERY_MILLIS = 2_400_000

const usd = (dollars: number): Amount => fromUnits(BigInt(dollars) * ONE)

/** The bots of a simulation. Each is drawn by itself, so that leaving one out changes no other. */
export const planBots = (
  seed: number,
  numbers: ReadonlyArray<number>,
  count: number,
  length: number,
  fashions: ReadonlySet<Fashion>
): ReadonlyArray<BotPlan> => {
  const companies = Math.max(1, Math.ceil(count / BOTS_A_COMPANY))
  return numbers.map((index) => {
    const random = new SeededRandom(seed, `bot/${index}`)
    const company = planCompany(seed, random.below(companies))
    const capabilities = someTypes(random)
    const unusual = planUnusual(new SeededRandom(seed, `unusual-bot/${index}`), length, fashions)
    const { isThrifty, module } = unusual
    return {
      index,
      botId: `bot_${index}`,
      company,
      capabilities,
      strategy: planStrategy(random),
      ...(module !== undefined && { strategyModule: module }),
      creditBudget: planBudget(random, isThrifty),
      autoTopUp: random.chance(400) && !isThrifty,
      requests: planRequests(random, index, length, unusual.requests)
    }
  })
}

const planBudget = (random: SeededRandom, isThrifty: boolean): Amount => {
  const budget = random.chance(200) ? random.between(1, 60) : random.between(200, 20_000)
  return usd(isThrifty ? budget % 3 : budget)
}

const planCompany = (seed: number, index: number): BotCompanyPlan => {
  const random = new SeededRandom(seed, `bot-company/${index}`)
  return {
    index,
    companyId: `cmp_bots_${index}`,
    userId: `usr_bots_${index}`,
    balance: usd(random.chance(150) ? random.between(100, 3_000) : random.between(20_000, 200_000)),
    monthlyGrant: usd(random.chance(500) ? random.between(20, 400) : 5_000)
  }
}

const someTypes = (random: SeededRandom): ReadonlyArray<AssetType> => {
  const some = ASSET_TYPES.filter(() => random.chance(550))
  return some.length === 0 ? [random.pick(ASSET_TYPES)] : some
}

const planStrategy = (random: SeededRandom): Strategy => {
  const preset = random.pick(["conservative", "balanced", "aggressive", "custom"] as const)
  const maxCollateralPerTrade = usd(random.between(50, 5_000))
  if (preset !== "custom") return { riskPreset: preset, ...PRESETS[preset], maxCollateralPerTrade }
  return {
    riskPreset: "custom",
    riskLevel: fromUnits(BigInt(random.between(100_000, 1_000_001))),
    maxLossPct: fromUnits(BigInt(random.between(1, 100_000_001))),
    minRoiPct: fromUnits(BigInt(random.below(5_000_001))),
    maxCollateralPerTrade
  }
}

/** It is funded and started at once; then its owner does what comes to mind. */
const planRequests = (
  random: SeededRandom,
  index: number,
  length: number,
  unusual: ReadonlyArray<TimedRequest>
): ReadonlyArray<BotRequestPlan> => {
  const begin = random.below(Math.min(30_000, length))
  const count = drawCount(random, length)
  const opening: ReadonlyArray<TimedRequest> = [
    [begin, { act: "fund", amount: usd(random.between(200, 10_000)) }],
    [begin + random.below(2_000), { act: "start" }]
  ]
  return numbered([...opening, ...planLater(random, count, length), ...unusual], index)
}

/** What a bot was when a world was exported: what it was funded with, in 10⁻⁶ USD, and where it stood. */
export interface BotStart {
  readonly funded: Amount
  readonly status: "inactive" | "active" | "paused"
}

/** It becomes what it was, within ten seconds; then its owner does what comes to mind. */
export const requestsFrom = (
  random: SeededRandom,
  index: number,
  { funded, status }: BotStart,
  length: number
): ReadonlyArray<BotRequestPlan> => {
  const [fund, start, pause] = [0, 1, 2].map((place) => place * SETTLED_MILLIS + random.below(1_000))
  const count = drawCount(random, length)
  const opening: ReadonlyArray<TimedRequest> = [
    ...(funded > ZERO ? [[fund ?? 0, { act: "fund", amount: funded }] as const] : []),
    ...(status === "inactive" ? [] : [[start ?? 0, { act: "start" }] as const]),
    ...(status === "paused" ? [[pause ?? 0, { act: "pause" }] as const] : [])
  ]
  return numbered([...opening, ...planLater(random, count, length)], index)
}

const drawCount = (random: SeededRandom, length: number): number =>
  3 + Math.floor(length / EVERY_MILLIS) + random.below(6)

const planLater = (random: SeededRandom, count: number, length: number): ReadonlyArray<TimedRequest> =>
  Array.from({ length: count }, (): TimedRequest => [random.below(length), planRequest(random)])

const numbered = (requests: ReadonlyArray<TimedRequest>, index: number): ReadonlyArray<BotRequestPlan> =>
  requests.map(([at, request], number) => ({ id: `bot/${index}/${number}`, at, request }))

const planRequest = (random: SeededRandom): BotRequest => {
  const kind = random.below(100)
  if (kind < 14) return { act: "pause" }
  if (kind < 34) return { act: "resume" }
  if (kind < 42) return { act: "start" }
  if (kind < 44) return { act: "terminate" }
  if (kind < 47) return { act: "suspend" }
  if (kind < 56) return { act: "fund", amount: fromUnits(BigInt(random.between(1, 4_000_000_000))) }
  if (kind < 68) return { act: "withdraw", amount: fromUnits(BigInt(random.between(1, 4_000_000_000))) }
  if (kind < 78) return { act: "topup", amount: fromUnits(BigInt(random.between(1, 2_000)) * 10_000n) }
  if (kind < 92) return { act: "evaluate", order: random.below(8) }
  return { act: "change", change: planChange(random) }
}

const planChange = (random: SeededRandom): ProfileChange => {
  switch (random.below(4)) {
    case 0:
      return { capabilities: someTypes(random) }
    case 1:
      return { strategy: planStrategy(random) }
    case 2:
      return { creditBudget: usd(random.between(0, 2_000)) }
    default:
      return { autoTopUp: random.chance(500) }
  }
}
