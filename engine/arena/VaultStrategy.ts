import { Data, Result } from "effect"
import { type Amount, fromUnits } from "../money/Amount.ts"
import * as Rate from "../money/Rate.ts"

/** Where the vault puts a share of the collateral it holds. */
export interface VaultStrategy {
  readonly name: string
  /** Its yield a year, compounded. */
  readonly apy: Rate.Rate
  /** Its part of the vault; the shares of all strategies sum to 1. */
  readonly share: Rate.Rate
  /** No money is really invested: it pays from the sandbox's own yield source, and nothing in production. */
  readonly simulated: boolean
}

/** The vault's strategies, never empty. */
export type VaultStrategies = readonly [VaultStrategy, ...ReadonlyArray<VaultStrategy>]

/** Where the platform runs: in `production` simulated strategies pay nothing. */
export type VaultMode = "sandbox" | "production"

/** A set of strategies that cannot be a vault's: `expected` says what would be. */
export class InvalidStrategies extends Data.TaggedError("InvalidStrategies")<{ readonly expected: string }> {}

/** A strategy's part of the money in the vault. */
export interface Allocation {
  readonly name: string
  readonly amount: Amount
}

export const DEFAULT_STRATEGIES: VaultStrategies = [
  {
    name: "treasury_bills",
    apy: Rate.fromUnits(45_000_000_000n),
    share: Rate.fromUnits(600_000_000_000n),
    simulated: true
  },
  {
    name: "stablecoin_lending",
    apy: Rate.fromUnits(80_000_000_000n),
    share: Rate.fromUnits(400_000_000_000n),
    simulated: true
  }
]

/** Takes strategies whose names differ, whose yields and shares are not negative, and whose shares sum to exactly 1. */
export const makeStrategies = (
  strategies: ReadonlyArray<VaultStrategy>
): Result.Result<VaultStrategies, InvalidStrategies> => {
  const [first, ...rest] = strategies
  if (first === undefined) return invalid("at least one strategy")
  if (new Set(strategies.map(({ name }) => name)).size < strategies.length) return invalid("a different name for each")
  if (strategies.some(({ apy, share }) => apy < 0n || share < 0n)) return invalid("yields and shares of at least 0")
  if (strategies.reduce((sum, { share }) => sum + share, 0n) !== Rate.ONE) return invalid("shares that sum to 1")
  return Result.succeed([first, ...rest])
}

/** What a strategy pays here: its yield, or 0 for a simulated one in production. */
export const payingApy = (strategy: VaultStrategy, mode: VaultMode): Rate.Rate =>
  strategy.simulated && mode === "production" ? Rate.ZERO : strategy.apy

/** The vault's yield a year: what each strategy pays, weighted by its share, rounded down. 5.9 % for the default set. */
export const blendedApy = (strategies: VaultStrategies, mode: VaultMode): Rate.Rate =>
  Rate.fromUnits(strategies.reduce((sum, strategy) => sum + payingApy(strategy, mode) * strategy.share, 0n) / Rate.ONE)

/** Divides the vault's total of at least 0: each share rounded down, the rest to the first. The parts sum to the whole. */
export const allocate = (strategies: VaultStrategies, total: Amount): ReadonlyArray<Allocation> => {
  const [first, ...others] = strategies
  const rest = others.map(({ name, share }) => ({ name, amount: Rate.convert(total, share, "floor") }))
  const taken = rest.reduce((sum, { amount }) => sum + amount, 0n)
  return [{ name: first.name, amount: fromUnits(total - taken) }, ...rest]
}

/** The strategy with the largest share, the earlier of equals. */
export const leadingStrategy = (strategies: VaultStrategies): VaultStrategy =>
  strategies.reduce((best, strategy) => (strategy.share > best.share ? strategy : best))

const invalid = (expected: string): Result.Result<never, InvalidStrategies> =>
  Result.fail(new InvalidStrategies({ expected }))
