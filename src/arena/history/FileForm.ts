/** How a file tells what it is of. */
export interface FileForm<Item> {
  /** What stands before all lines. */
  readonly head: string
  /** The lines of some items. */
  readonly linesOf: (items: ReadonlyArray<Item>) => string
}

/** Nothing for null, and JSON for what is no text, number or flag. */
export const cellOf = (value: unknown): string => {
  if (value === null) return ""
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** A line of JSON for each item. */
export const jsonLines = <Item>(wireOf: (item: Item) => object): FileForm<Item> => ({
  head: "",
  linesOf: (items) => items.map((item) => `${JSON.stringify(wireOf(item))}\n`).join("")
})
