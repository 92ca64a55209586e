import type { ReactNode } from "react"

interface CardProps {
  readonly title?: ReactNode
  /** Beside the title: a button, a link or a badge. */
  readonly aside?: ReactNode
  /** Without room round the contents, for a table. */
  readonly flush?: boolean
  readonly children: ReactNode
}

/** A framed part of a page. */
export const Card = ({ title, aside, flush = false, children }: CardProps) => (
  <section className={flush ? "card flush" : "card"}>
    {(title !== undefined || aside !== undefined) && (
      <header className="card-head">
        <h2>{title}</h2>
        {aside !== undefined && <div className="card-aside">{aside}</div>}
      </header>
    )}
    <div className="card-body">{children}</div>
  </section>
)

interface StatProps {
  readonly label: string
  readonly value: ReactNode
  /** What the figure means or how it moved. */
  readonly note?: ReactNode
}

/** One figure with its name. Put several into `Stats`. */
export const Stat = ({ label, value, note }: StatProps) => (
  <div className="stat">
    <dt>{label}</dt>
    <dd className="stat-value">{value}</dd>
    {note !== undefined && <dd className="stat-note">{note}</dd>}
  </div>
)

/** Figures side by side. */
export const Stats = ({ children }: { readonly children: ReactNode }) => <dl className="stats">{children}</dl>

/** Names and values below each other: `<Facts rows={[["Status", <StatusBadge … />], …]} />` */
export const Facts = ({ rows }: { readonly rows: ReadonlyArray<readonly [string, ReactNode]> }) => (
  <dl className="facts">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** Parts of a page side by side, below each other where there is no room. */
export const Columns = ({ children }: { readonly children: ReactNode }) => <div className="columns">{children}</div>
