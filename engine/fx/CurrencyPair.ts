import { FUND_ASSETS } from "../ledger/FundAsset.ts"

/** BASE/QUOTE: how much of the quote one unit of the base costs. */
export interface CurrencyPair {
  readonly base: string
  readonly quote: string
}

const ASSETS: ReadonlySet<string> = new Set(FUND_ASSETS)

/**
 * Reads `EUR/USD`. Undefined for anything but two symbols that a fund can hold, in capitals, with a slash between.
 * `USD/USD` is one, for a transfer that exchanges nothing.
 */
export const parsePair = (text: string): CurrencyPair | undefined => {
  const [base = "", quote = "", ...rest] = text.split("/")
  return rest.length === 0 && ASSETS.has(base) && ASSETS.has(quote) ? { base, quote } : undefined
}

export const formatPair = ({ base, quote }: CurrencyPair): string => `${base}/${quote}`
