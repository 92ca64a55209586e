import { useEffect } from "react"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { Icon } from "./Icon.tsx"

interface PageHeadProps {
  readonly title: string
  /** One sentence on what the page is for. */
  readonly lead?: ReactNode
  /** Right of the title: a status. */
  readonly badge?: ReactNode
  /** The page's buttons. */
  readonly actions?: ReactNode
  /** The page that this one belongs to: `{ to: "/clients", title: "API clients" }`. */
  readonly parent?: { readonly to: string; readonly title: string }
}

/** The head of every page: its one `h1`, and the browser's title. */
export const PageHead = ({ title, lead, badge, actions, parent }: PageHeadProps) => {
  useEffect(() => {
    document.title = `${title} · Emporion`
  }, [title])
  return (
    <header className="page-head">
      {parent !== undefined && (
        <nav className="crumbs" aria-label="Breadcrumb">
          <Link href={parent.to}>{parent.title}</Link>
          <Icon name="chevron" size={12} />
          <span aria-current="page">{title}</span>
        </nav>
      )}
      <div className="page-title">
        <h1>{title}</h1>
        {badge}
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </div>
      {lead !== undefined && <p className="page-lead">{lead}</p>}
    </header>
  )
}
