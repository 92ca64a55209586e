import type { Median } from "../arena/Median.ts"
import { FEWEST_PRICES } from "./FairPrice.ts"

interface Known {
  readonly count: number
  readonly last: number
}

/**
 * Since when assets have a fair price: from {@link FEWEST_PRICES} safe medians on, while the newest is fresh. It knows two
 * numbers an asset.
 */
export class PricedAssets {
  readonly #freshFor: number
  readonly #known = new Map<string, Known>()

  /** @param freshFor - how long a median holds, in milliseconds */
  constructor(freshFor: number) {
    this.#freshFor = freshFor
  }

  /** Takes in a median; answers whether its asset has a fair price now that it had not just before. */
  add({ asset, at, safe }: Median): boolean {
    if (!safe) return false
    const { count, last } = this.#known.get(asset) ?? { count: 0, last: 0 }
    if (count > 0 && last >= at) return false
    const now = Math.min(count + 1, FEWEST_PRICES)
    this.#known.set(asset, { count: now, last: at })
    const hadOne = count === FEWEST_PRICES && last >= at - this.#freshFor
    return now === FEWEST_PRICES && !hadOne
  }
}
