import type { Amount } from "../money/Amount.ts"

/** The median of an asset's quotes at one moment, as recorded. */
export interface Median {
  /** The priced asset, such as `EUR/USD`, `XAU` or `H100-SXM`. */
  readonly asset: string
  /** When it was recorded, in milliseconds since 1970. */
  readonly at: number
  /** USD for one unit of the asset. */
  readonly price: Amount
  /** Fresh, and inside the circuit breaker's band when it was recorded. */
  readonly safe: boolean
}
