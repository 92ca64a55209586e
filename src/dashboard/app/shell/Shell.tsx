import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react"
import type { ReactNode } from "react"
import { Link, Route, Switch, useLocation } from "wouter"
import { useApi } from "../Data.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button, ButtonLink, IconButton } from "../ui/Button.tsx"
import { Empty, Waiting } from "../ui/States.tsx"
import { Brand } from "./Brand.tsx"
import { Caught } from "./Caught.tsx"
import { Navigation } from "./Navigation.tsx"
import { PAGES } from "./Pages.tsx"
import { usePerson, useSession } from "./Session.tsx"
import { useTheme } from "./Theme.tsx"

const routes = PAGES.map(({ path, load }) => ({ path, Shown: lazy(load) }))

const Routes = () => (
  <Switch>
    {routes.map(({ path, Shown }) => (
      <Route key={path} path={path}>
        <Shown />
      </Route>
    ))}
    <Route>
      <h1 className="unseen">Page not found</h1>
      <Empty icon="search" title="There is no such page" action={<ButtonLink to="/">Go to the overview</ButtonLink>}>
        The address may be mistyped, or the page has moved.
      </Empty>
    </Route>
  </Switch>
)

/** Whether money is real here. Nothing in production. */
const Mode = () => {
  const { data } = useApi("GET /v1/info", {})
  return data?.mode === "sandbox" ? <Badge tone="wait">Sandbox</Badge> : null
}

/** Turns between light and dark. */
export const ThemeSwitch = () => {
  const { shown, turn } = useTheme()
  const label = shown === "dark" ? "Use the light look" : "Use the dark look"
  return <IconButton icon={shown === "dark" ? "sun" : "moon"} label={label} onClick={turn} />
}

const Bar = ({ onMenu }: { readonly onMenu: () => void }) => {
  const person = usePerson()
  const { signOut } = useSession()
  return (
    <header className="bar">
      <span className="bar-menu">
        <IconButton icon="menu" label="Open the navigation" onClick={onMenu} />
      </span>
      <span className="bar-brand">
        <Brand />
      </span>
      <span className="bar-company" title={person.company_name}>
        {person.company_name}
      </span>
      <Mode />
      <span className="bar-space" />
      <ThemeSwitch />
      <Link href="/account" className="bar-person" title={person.email ?? undefined}>
        {person.contact_name ?? person.email}
      </Link>
      <span className="bar-out">
        <Button size="small" look="quiet" icon="exit" onClick={signOut}>
          Sign out
        </Button>
      </span>
    </header>
  )
}

interface DrawerProps {
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The navigation over the page, where there is no room beside it. */
const Drawer = ({ onClose, children }: DrawerProps) => {
  const { signOut } = useSession()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="drawer" aria-label="Navigation" onClose={onClose}>
      <div className="drawer-head">
        <Brand />
        <IconButton icon="close" label="Close the navigation" onClick={onClose} />
      </div>
      {children}
      <div className="drawer-foot">
        <Button look="quiet" icon="exit" onClick={signOut}>
          Sign out
        </Button>
      </div>
    </dialog>
  )
}

/** The frame of every page: navigation, bar and what the address asks for. */
export const Shell = () => {
  const [isOpen, setOpen] = useState(false)
  const [location] = useLocation()
  const main = useRef<HTMLElement>(null)
  const first = useRef(location)
  useEffect(() => {
    if (first.current === location) return
    first.current = location
    scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [location])
  const close = useMemo(() => () => setOpen(false), [])
  return (
    <div className="shell">
      <a className="skip" href="#main" onClick={() => main.current?.focus()}>
        Skip to the page
      </a>
      <aside className="side">
        <Brand />
        <Navigation onGo={close} />
      </aside>
      <Bar onMenu={() => setOpen(true)} />
      <main id="main" ref={main} tabIndex={-1}>
        <Caught key={location}>
          <Suspense fallback={<Waiting lines={6} />}>
            <Routes />
          </Suspense>
        </Caught>
      </main>
      {isOpen && (
        <Drawer onClose={close}>
          <Navigation onGo={close} />
        </Drawer>
      )}
    </div>
  )
}
