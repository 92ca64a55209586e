import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useLocation } from "wouter"
import type { Rows } from "../Data.ts"
import type { Refused } from "../Refused.ts"
import { Button } from "./Button.tsx"
import { count } from "./Format.ts"
import { Loaded } from "./States.tsx"

/** A column of a table. */
export interface Column<Row> {
  /** None for a column of buttons. */
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Figures stand at the right, in tabular figures. */
  readonly align?: "left" | "right"
  /** Left out where the screen is narrow. */
  readonly wide?: boolean
}

interface TableProps<Row> {
  /** What the table holds, for screen readers: "API clients". */
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  /** Where a row leads. Put a link into its first cell as well, for the keyboard. */
  readonly to?: (row: Row) => string
}

const cellClass = <Row,>({ align, wide }: Column<Row>): string =>
  [align === "right" ? "figure" : "", wide === true ? "wide" : ""].join(" ").trim()

/** A table that scrolls in itself where it is too wide. */
export const Table = <Row,>({ label, columns, rows, keyOf, to }: TableProps<Row>) => {
  const [, go] = useLocation()
  return (
    <div className="table-frame" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={cellClass(column)}>
                {column.title === "" ? <span className="unseen">Actions</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className={to === undefined ? undefined : "leads"}
              onClick={(event) => {
                if (to !== undefined && !(event.target as Element).closest("a, button, input")) go(to(row))
              }}
            >
              {columns.map((column) => (
                <td key={column.title} className={cellClass(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Rows that a page of a list shows. */
export const PAGE_ROWS = 20

interface PagerProps {
  readonly total: number
  readonly offset: number
  readonly limit?: number
  readonly onMove: (offset: number) => void
}

/** Goes through the pages of a list. Nothing where one page holds all. */
export const Pager = ({ total, offset, limit = PAGE_ROWS, onMove }: PagerProps) =>
  total <= limit && offset === 0 ? null : (
    <nav className="pager" aria-label="Pages of the list">
      <span>
        {count(Math.min(offset + 1, total))}–{count(Math.min(offset + limit, total))} of {count(total)}
      </span>
      <Button size="small" disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - limit))}>
        Previous
      </Button>
      <Button size="small" disabled={offset + limit >= total} onClick={() => onMove(offset + limit)}>
        Next
      </Button>
    </nav>
  )

interface ListProps<Row> extends Omit<TableProps<Row>, "rows"> {
  readonly of: UseQueryResult<Rows<Row>, Refused>
  /** What is seen where there are none: an `Empty`. */
  readonly empty: ReactNode
  /** The pager's place, for a list that has pages. */
  readonly page?: { readonly offset: number; readonly onMove: (offset: number) => void }
}

/** The table of what `useRows` answered, with its waiting, failure, emptiness and pages. */
export const List = <Row,>({ of, empty, page, ...table }: ListProps<Row>) => (
  <Loaded of={of} lines={5}>
    {({ rows, total }) =>
      rows.length === 0 && (page === undefined || page.offset === 0) ? (
        empty
      ) : (
        <>
          <Table {...table} rows={rows} />
          {page !== undefined && <Pager total={total} {...page} />}
        </>
      )
    }
  </Loaded>
)
