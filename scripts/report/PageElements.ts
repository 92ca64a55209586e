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

/** A titled part of a page, with a control beside its title where it has one. */
export const card = (title: string, note: string, body: ReadonlyArray<HTMLElement>, tool?: HTMLElement): HTMLElement =>
  element("section", { class: "card" }, [
    element("div", { class: "head" }, [
      element("div", {}, [element("h2", {}, [title]), element("p", { class: "note" }, [note])]),
      ...(tool === undefined ? [] : [tool])
    ]),
    ...body
  ])

/** A place that is drawn in once it stands in the page and has a width. */
export const drawnIn = (draw: (place: HTMLElement) => void): HTMLElement => {
  const place = element("div", {}, [])
  queueMicrotask(() => draw(place))
  return place
}

/** Two cards side by side. */
export const pair = (...cards: ReadonlyArray<HTMLElement>): HTMLElement => element("div", { class: "pair" }, cards)

/** Names and their values. */
export const definitions = (rows: ReadonlyArray<readonly [string, string]>): HTMLElement =>
  element(
    "dl",
    {},
    rows.flatMap(([name, value]) => [element("dt", {}, [name]), element("dd", {}, [value])])
  )
