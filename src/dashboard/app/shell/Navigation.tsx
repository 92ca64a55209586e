import { Link, useLocation } from "wouter"
import { Icon } from "../ui/Icon.tsx"
import { GROUPS, PAGES } from "./Pages.tsx"
import type { Page } from "./Pages.tsx"
import { usePerson } from "./Session.tsx"

const rootOf = (path: string): string => path.split("/")[1] ?? ""

const Entry = ({ page, onGo }: { readonly page: Page; readonly onGo: () => void }) => {
  const [location] = useLocation()
  if (page.nav === undefined) return null
  const isHere = rootOf(location) === rootOf(page.path)
  return (
    <li>
      <Link href={page.path} onClick={onGo} aria-current={isHere ? "page" : undefined}>
        <Icon name={page.nav.icon} />
        <span>{page.nav.title}</span>
      </Link>
    </li>
  )
}

/** The list of pages, in groups. */
export const Navigation = ({ onGo }: { readonly onGo: () => void }) => {
  const isAdmin = usePerson().role === "admin"
  const isListed = (page: Page) => isAdmin || page.isForAdmins !== true
  return (
    <nav className="navigation" aria-label="Pages">
      {GROUPS.map((group) => {
        const pages = PAGES.filter((page) => page.nav?.group === group && isListed(page))
        return pages.length === 0 ? null : (
          <div key={group} className="navigation-group">
            {group !== "" && <p className="navigation-title">{group}</p>}
            <ul>
              {pages.map((page) => (
                <Entry key={page.path} page={page} onGo={onGo} />
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}
