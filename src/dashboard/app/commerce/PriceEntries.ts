/** What a customer pays for a piece of a product, in USD. */
export interface PriceEntry {
  readonly product_id: string
  readonly price: number
}

/** The prices with one set anew: in its place where the product had one, else at the end. */
export const withPrice = (prices: ReadonlyArray<PriceEntry>, entry: PriceEntry): ReadonlyArray<PriceEntry> =>
  prices.some(({ product_id }) => product_id === entry.product_id)
    ? prices.map((price) => (price.product_id === entry.product_id ? entry : price))
    : [...prices, entry]

/** The prices without that of a product. */
export const withoutPrice = (prices: ReadonlyArray<PriceEntry>, productId: string): ReadonlyArray<PriceEntry> =>
  prices.filter(({ product_id }) => product_id !== productId)

const share = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1, signDisplay: "never" })

/** How a customer's price stands to the listed one: `12.5% less`, `3% more`, `the listed price`. */
export const differenceOf = (listed: number, price: number): string => {
  if (price === listed) return "the listed price"
  const text = share.format((price - listed) / listed)
  const told = text === "0%" ? "under 0.1%" : text
  return `${told} ${price < listed ? "less" : "more"}`
}
