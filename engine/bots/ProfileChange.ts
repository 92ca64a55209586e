import { Result } from "effect"
import type { AssetType } from "../arena/AssetType.ts"
import type { Amount } from "../money/Amount.ts"
import type { BotProfile } from "./BotEvent.ts"
import { type InvalidStrategy, type StrategyRequest, strategyOf } from "./Strategy.ts"

/** What is to be otherwise of a bot's profile; what is undefined stays. */
export interface ProfileChange {
  readonly name?: string | undefined
  readonly capabilities?: ReadonlyArray<AssetType> | undefined
  readonly strategy?: StrategyRequest | undefined
  /** Credits a month, in 10⁻⁶. */
  readonly creditBudget?: Amount | undefined
  readonly autoTopUp?: boolean | undefined
  /** The file of the module that decides; null: its strategy decides again. */
  readonly strategyModule?: string | null | undefined
}

/** A profile as its owner wants it. `moduleNamed` says whether there is a module of that name, or why there is none. */
export const profileAfter = <Missing>(
  profile: BotProfile,
  wanted: ProfileChange,
  moduleNamed: (name: string) => Result.Result<unknown, Missing>
): Result.Result<BotProfile, InvalidStrategy | Missing> =>
  Result.gen(function* () {
    const strategy = wanted.strategy === undefined ? profile.strategy : yield* strategyOf(wanted.strategy)
    const { strategyModule = profile.strategyModule } = wanted
    if (typeof wanted.strategyModule === "string") yield* moduleNamed(wanted.strategyModule)
    return {
      name: wanted.name ?? profile.name,
      capabilities: wanted.capabilities ?? profile.capabilities,
      strategy,
      creditBudget: wanted.creditBudget ?? profile.creditBudget,
      autoTopUp: wanted.autoTopUp ?? profile.autoTopUp,
      ...(strategyModule !== undefined && strategyModule !== null && { strategyModule })
    }
  })
