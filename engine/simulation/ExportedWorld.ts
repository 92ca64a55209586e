import { Result, Schema } from "effect"
import { ASSET_TYPES } from "../arena/AssetType.ts"
import { TraderType } from "../arena/Commitment.ts"
import { FAIRNESS_RULES } from "../arena/Fairness.ts"
import { instrumentOf } from "../arena/Instrument.ts"
import { Strategy } from "../bots/Strategy.ts"
import { Amount } from "../money/Amount.ts"
import { Rate } from "../money/Rate.ts"

/** The version of what a world's file has. */
export const WORLD_VERSION = 1

/** The most of each that a world has. Of more the surveyor leaves out what counts least, and says how much. */
export const MAX_WORLD_TRADERS = 10_000
export const MAX_WORLD_AUCTIONS = 2_000
export const MAX_WORLD_BIDS = 200_000
export const MAX_WORLD_BOTS = 1_000

/** The most steps that recorded prices come again. */
export const MAX_WORLD_STEPS = 50_000

/** The longest slot, window and delay of a world, in milliseconds: a month. */
export const MAX_WORLD_MILLIS = 31 * 86_400_000

/** Everything of an order or a price in 10⁻⁶ of something else: at most a hundredfold. */
const HUNDREDFOLD = 100_000_000

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const atMost = (most: number) => Schema.isMaxLength(most, { expected: `at most ${most} of them` })

const isMoney = Schema.makeFilter((amount: Amount) => amount >= 0n || "an amount of at least 0")

const Money = Amount.check(isMoney)

const Count = between(0, Number.MAX_SAFE_INTEGER)

const Types = Schema.Array(Schema.Literals(ASSET_TYPES)).check(
  Schema.makeFilter(
    (types) => (types.length > 0 && new Set(types).size === types.length) || "distinct asset types, at least one"
  )
)

/** Somebody who bids. Numbers count from 0. */
const WorldTrader = Schema.Struct({
  /** The number of the company. */
  owner: between(0, MAX_WORLD_TRADERS),
  type: TraderType,
  /** USD at the end of the export, with what was held. */
  balance: Money,
  /** What a machine may still lose; null for humans. */
  allowance: Schema.NullOr(Money)
})
export type WorldTrader = typeof WorldTrader.Type

/**
 * A bid: its trader's number; when it came, in 10⁻⁶ of the window; its price above what the order was worth then, its
 * take-profit above its limit, its part of the order's quantity, and its slippage, all in 10⁻⁶.
 */
const WorldBid = Schema.Tuple([
  between(0, MAX_WORLD_TRADERS - 1),
  between(0, 999_999),
  between(-1_000_000, HUNDREDFOLD),
  between(0, HUNDREDFOLD),
  between(1, 1_000_000),
  between(0, 50_000)
])
export type WorldBid = typeof WorldBid.Type

/** What an auction that had closed was bid. */
const WorldAuction = Schema.Struct({
  type: Schema.Literals(ASSET_TYPES),
  /** The market maker's, in 10⁻⁶; null for orders of before there was one. */
  discount: Schema.NullOr(between(0, 1_000_000)),
  bids: Schema.Array(WorldBid)
})
export type WorldAuction = typeof WorldAuction.Type

const WorldBot = Schema.Struct({
  /** The number of the company among those with bots. */
  company: between(0, MAX_WORLD_BOTS - 1),
  status: Schema.Literals(["inactive", "active", "paused"]),
  capabilities: Types,
  strategy: Strategy,
  /** Credits that it may use in a month. */
  creditBudget: Money,
  autoTopUp: Schema.Boolean,
  /** USD that it was funded with, less what was withdrawn. */
  funded: Money
})
export type WorldBot = typeof WorldBot.Type

/** A company with bots: the USD of their users, with what the bots were funded with, and its free credits a month. */
const WorldCompany = Schema.Struct({ balance: Money, monthlyGrant: Money })

/** A recorded price, and by how much it moves: the standard deviation of a day, null where too little is known. */
const WorldPrice = Schema.Struct({ last: Money, volatility: Schema.NullOr(Rate) })

const isTraded = Schema.makeFilter(
  (prices: Readonly<Record<string, unknown>>) =>
    Object.keys(prices).every((asset) => instrumentOf(asset) !== undefined) || "prices of what the arena trades"
)

/** Prices as they were whenever a simulation looks at them: those of all `assets` at each look. */
const WorldPath = Schema.Struct({
  assets: Schema.Array(Schema.String),
  prices: Schema.Array(Schema.Array(Money)).check(atMost(MAX_WORLD_STEPS))
})

/**
 * A production as a simulation can begin from it: numbers, and nobody's name. What an export has of it is read by
 * `WorldSurvey`; what comes of it is `worldScenario`.
 */
export const ExportedWorld = Schema.Struct({
  emporion_world: Schema.Literal(WORLD_VERSION),
  /** When orders began, how long they were open, and how much later they settled, in milliseconds. */
  timing: Schema.Struct({
    slot: between(1_000, MAX_WORLD_MILLIS),
    window: between(1_000, MAX_WORLD_MILLIS),
    delay: between(1, MAX_WORLD_MILLIS)
  }),
  rule: Schema.Literals(FAIRNESS_RULES),
  /** The asset types that a slot has an order of. */
  types: Types,
  traders: Schema.Array(WorldTrader).check(atMost(MAX_WORLD_TRADERS)),
  auctions: Schema.Array(WorldAuction).check(atMost(MAX_WORLD_AUCTIONS)),
  bots: Schema.Array(WorldBot).check(atMost(MAX_WORLD_BOTS)),
  companies: Schema.Array(WorldCompany).check(atMost(MAX_WORLD_BOTS)),
  /** The platform's own: the market maker's USD, the yields' source, the insurance, and whether the vault is closed. */
  house: Schema.Struct({ maker: Money, yieldCapital: Money, insurance: Money, isVaultClosed: Schema.Boolean }),
  /** What collateral earned a year, in 10⁻¹²; null where none did yet. */
  apy: Schema.NullOr(Rate),
  prices: Schema.Record(Schema.String, WorldPrice).check(isTraded),
  path: Schema.NullOr(WorldPath),
  /** What was too much for a world. */
  leftOut: Schema.Struct({ auctions: Count, bids: Count, traders: Count, bots: Count })
}).check(
  Schema.makeFilter(({ auctions, bots, companies, path, traders }) => {
    const bids = auctions.flatMap((auction) => auction.bids)
    if (bids.length > MAX_WORLD_BIDS) return `at most ${MAX_WORLD_BIDS} bids`
    if (bids.some(([trader]) => trader >= traders.length)) return "bids of its traders"
    if (bots.some(({ company }) => company >= companies.length)) return "bots of its companies"
    if (path?.prices.some((row) => row.length !== path.assets.length) === true)
      return "a price of each asset at each step"
    return true
  })
)
export type ExportedWorld = typeof ExportedWorld.Type

const decode = Schema.decodeUnknownResult(ExportedWorld)
const encode = Schema.encodeSync(ExportedWorld)
const checked = Schema.encodeResult(ExportedWorld)

const sentence = (issue: unknown): string => String(issue).replaceAll(/\s*\n\s*/g, ", ")

/** A world that was made, if its file can be read again; or what of it cannot, as a part of a sentence. */
export const checkedWorld = (world: ExportedWorld): Result.Result<ExportedWorld, string> =>
  Result.mapBoth(checked(world), {
    onSuccess: () => world,
    onFailure: (issue) => `has what no world can have: ${sentence(issue)}`
  })

/** A world as text, of which there is one alone for each world: what its hash is over, and what its file has. */
export const worldText = (world: ExportedWorld): string => {
  const { prices, ...rest } = encode(world)
  const byAsset = Object.entries(prices).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify({ ...rest, prices: Object.fromEntries(byAsset) })
}

const versionOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "emporion_world" in value ? value.emporion_world : undefined

/** Takes the parsed JSON of a world's file, or says in a part of a sentence why it is none. */
export const readWorld = (value: unknown): Result.Result<ExportedWorld, string> => {
  const version = versionOf(value)
  if (version === undefined) return Result.fail("is neither an export nor a world")
  if (version !== WORLD_VERSION) {
    return Result.fail(
      `is a world of version ${JSON.stringify(version)}, and this program reads version ${WORLD_VERSION}: ` +
        "make it anew from the export with npm run sim -- world"
    )
  }
  return Result.mapError(decode(value), (issue) => `is no world: ${sentence(issue)}`)
}
