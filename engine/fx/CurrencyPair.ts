import { Schema } from "effect"
import { FUND_ASSETS } from "../ledger/FundAsset.ts"

/** BASE/QUOTE: how much of the quote one unit of the base costs. */
export const CurrencyPair = Schema.Struct({
  base: Schema.String,
  quote: Schema.String
})
export type CurrencyPair = typeof CurrencyPair.Type

const ASSETS: ReadonlySet<string> = new Set(FUND_ASSETS)

const SEPARATOR = /[/_-]/

/** The parts of a text in which nothing may stand between the symbols: the first symbol that leaves another one. */
const partsOf = (text: string): ReadonlyArray<string> => {
  if (SEPARATOR.test(text)) return text.split(SEPARATOR)
  const base = FUND_ASSETS.find((symbol) => text.startsWith(symbol) && ASSETS.has(text.slice(symbol.length)))
  return base === undefined ? [text] : [base, text.slice(base.length)]
}

/**
 * Reads `EUR/USD`: two symbols that a fund can hold, in any case, with `/`, `-`, `_` or nothing between. Undefined for
 * anything else. `USD/USD` is one, for a transfer that exchanges nothing.
 */
export const parsePair = (text: string): CurrencyPair | undefined => {
  const [base = "", quote = "", ...rest] = partsOf(text.toUpperCase())
  return rest.length === 0 && ASSETS.has(base) && ASSETS.has(quote) ? { base, quote } : undefined
}

export const formatPair = ({ base, quote }: CurrencyPair): string => `${base}/${quote}`
