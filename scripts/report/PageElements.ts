/** An element with its attributes and children. */
export const element = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: ReadonlyArray<Node | string>
): HTMLElement => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

/** A colour of the style sheet, such as `--gain`, as it is now. */
export const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** USD with so many decimals as its size needs. */
export const money = (value: number): string => {
  const size = Math.abs(value)
  const digits = size >= 1_000 ? 0 : size >= 1 || size === 0 ? 2 : 6
  return value.toLocaleString("en", { minimumFractionDigits: Math.min(digits, 2), maximumFractionDigits: digits })
}
