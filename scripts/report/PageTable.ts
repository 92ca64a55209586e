import { element, money } from "./PageElements.ts"

export interface Column<Row> {
  readonly name: string
  readonly of: (row: Row) => string | number | null
  /** How it is shown; as it is unless said. */
  readonly show?: (row: Row) => Node | string
  readonly isText?: boolean
}

/** An amount in the colour of its sign. */
export const signed = (value: number): Node =>
  element("span", value === 0 ? {} : { class: value < 0 ? "loss" : "gain" }, [money(value)])

const compare = (one: string | number | null, other: string | number | null): number =>
  one === other ? 0 : one === null ? 1 : other === null ? -1 : one < other ? -1 : 1

const cell = <Row>(row: Row, { of, show, isText }: Column<Row>): HTMLElement =>
  element("td", isText === true ? { class: "text" } : {}, [show?.(row) ?? String(of(row) ?? "–")])

/** A table that is sorted by the column that was chosen, and the other way when it is chosen again. */
export const table = <Row>(rows: ReadonlyArray<Row>, columns: ReadonlyArray<Column<Row>>): HTMLElement => {
  const body = element("tbody", {}, [])
  const fill = (sorted: ReadonlyArray<Row>): void =>
    body.replaceChildren(
      ...sorted.map((row) =>
        element(
          "tr",
          {},
          columns.map((column) => cell(row, column))
        )
      )
    )
  let chosen: { readonly column: Column<Row>; readonly isDown: boolean } | undefined
  const heads = columns.map((column) => {
    const button = element("button", { type: "button" }, [column.name])
    button.addEventListener("click", () => {
      const isDown = chosen?.column === column ? !chosen.isDown : column.isText !== true
      chosen = { column, isDown }
      const sorted = rows.toSorted((one, other) => compare(column.of(one), column.of(other)))
      fill(isDown ? sorted.toReversed() : sorted)
    })
    return element("th", column.isText === true ? { class: "text", scope: "col" } : { scope: "col" }, [button])
  })
  fill(rows)
  return element("div", { class: "scroll" }, [
    element("table", {}, [element("thead", {}, [element("tr", {}, heads)]), body])
  ])
}
