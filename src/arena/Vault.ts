import { Clock, Context, Effect, Layer, Result } from "effect"
import {
  allocate,
  blendedApy,
  DEFAULT_STRATEGIES,
  leadingStrategy,
  payingApy,
  type VaultStrategies
} from "../../engine/arena/VaultStrategy.ts"
import { estimateYield, type InvalidDuration, type YieldEstimate } from "../../engine/arena/YieldEstimate.ts"
import { accrual, begin, changeYield, type Segments } from "../../engine/arena/YieldIndex.ts"
import { decideVaultDeposits, VAULT_DEPOSITS_STREAM } from "../../engine/arena/VaultDeposits.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import type { Rate } from "../../engine/money/Rate.ts"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { dieOnRefusal, retryStale, writeEntry } from "../database/EntryWriting.ts"
import { VaultRepository, type VaultSummary } from "./VaultRepository.ts"

/** One strategy with the money in it. */
export interface StrategyPosition {
  readonly name: string
  readonly tvl: Amount
  readonly apy: Rate
  readonly share: Rate
}

export interface VaultStatus extends VaultSummary {
  readonly apy: Rate
  readonly currentStrategy: string
  readonly positions: ReadonlyArray<StrategyPosition>
}

/** The collateral yield vault. Its default strategies are simulated: they pay in the sandbox and nothing in production. */
export class Vault extends Context.Service<
  Vault,
  {
    /** What collateral earned between two times. Make one for each settlement. */
    readonly accrual: () => (collateral: Amount, from: number, to: number) => Amount
    readonly estimate: (
      orderValue: Amount,
      days: number
    ) => Result.Result<YieldEstimate & { readonly apy: Rate; readonly strategy: string }, InvalidDuration>
    readonly status: Effect.Effect<VaultStatus, Unavailable>
  }
>()("emporion/arena/Vault") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { arena, mode } = yield* Settings
      const repository = yield* VaultRepository
      const strategies: VaultStrategies = DEFAULT_STRATEGIES
      const apy = blendedApy(strategies, mode)
      const segments = yield* current(repository, apy, yield* Clock.currentTimeMillis)
      yield* retryStale(deposits(repository, arena.vaultDeposits === "closed"))
      const currentStrategy = leadingStrategy(strategies).name

      return Vault.of({
        accrual: () => accrual(segments),
        estimate: (orderValue, days) =>
          Result.map(estimateYield(orderValue, apy, days), (estimate) => ({
            ...estimate,
            apy,
            strategy: strategies.map(({ name }) => name).join("+")
          })),
        status: Effect.map(repository.totals, (totals) => {
          const allocations = new Map(allocate(strategies, totals.collateralLocked).map((a) => [a.name, a.amount]))
          return {
            ...totals,
            apy,
            currentStrategy,
            positions: strategies.map((strategy) => ({
              name: strategy.name,
              tvl: allocations.get(strategy.name) ?? totals.collateralLocked,
              apy: payingApy(strategy, mode),
              share: strategy.share
            }))
          }
        })
      })
    })
  )
}

/**
 * Records whether the vault takes deposits, where that changes. The first time it is recorded also where the account is
 * closed already: before, it was closed beside the journal.
 */
const deposits = Effect.fnUntraced(function* (repository: VaultRepository["Service"], closed: boolean) {
  const before = yield* repository.deposits
  if (before.closed === closed && (before.version > 0 || !closed)) return
  const entry = decideVaultDeposits(closed, yield* Clock.currentTimeMillis)
  yield* writeEntry({ stream: VAULT_DEPOSITS_STREAM, version: before.version, entry })
}, dieOnRefusal)

/** The recorded yields, with one more where the vault begins or now pays another one. */
const current = Effect.fnUntraced(function* (
  repository: VaultRepository["Service"],
  apy: Rate,
  now: number
): Effect.fn.Return<Segments, Unavailable> {
  const [first, ...rest] = yield* repository.segments
  if (first === undefined) {
    const segments = begin(now, apy)
    yield* repository.addSegment(segments[0])
    return segments
  }
  const known: Segments = [first, ...rest]
  if (known.at(-1)?.apy === apy) return known
  const changed = changeYield(known, now, apy)
  const added = changed.at(-1)
  if (added !== undefined) yield* repository.addSegment(added)
  return changed
})
