/** An order of the company's products, as far as it says who bought. */
export interface SoldOrder {
  readonly company_id: string
}

/** A company that may be given prices of its own. */
export interface Customer {
  readonly id: string
  /** Orders of it among those that were looked at. */
  readonly orders: number
}

/** Who bought, the most frequent first, and after them the companies that are managed and have not bought. */
export const customersOf = (
  orders: ReadonlyArray<SoldOrder>,
  managed: ReadonlyArray<string>,
  ownId: string
): ReadonlyArray<Customer> => {
  const bought = Map.groupBy(orders, ({ company_id }) => company_id)
  const buyers = [...bought].map(([id, theirs]) => ({ id, orders: theirs.length }))
  const others = managed.filter((id) => !bought.has(id)).map((id) => ({ id, orders: 0 }))
  return [...buyers.toSorted((one, other) => other.orders - one.orders), ...others].filter(({ id }) => id !== ownId)
}
