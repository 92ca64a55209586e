import { COMMODITIES, CURRENCIES } from "../arena/Instrument.ts"

/** What the platform can hold for an owner: USD, and every currency, metal and coin that it has a price for. */
export const FUND_ASSETS: ReadonlyArray<string> = [
  "USD",
  ...CURRENCIES.map(({ code }) => code.toUpperCase()),
  ...COMMODITIES.map(({ asset }) => asset)
]
