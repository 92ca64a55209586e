import { QueryClientProvider } from "@tanstack/react-query"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { Router } from "wouter"
import { Entrance } from "./account/Entrance.tsx"
import { makeQueries } from "./Data.ts"
import { Session, useSession } from "./shell/Session.tsx"
import { Shell } from "./shell/Shell.tsx"
import { Theme } from "./shell/Theme.tsx"
import { Failed } from "./ui/States.tsx"
import { Toasts } from "./ui/Toasts.tsx"

const BASE = "/dashboard"

const Dashboard = () => {
  const { again, state } = useSession()
  switch (state._tag) {
    case "Asking":
      return <div className="asking" role="status" aria-label="Loading" />
    case "Unreachable":
      return (
        <main className="entrance">
          <Failed error={state.error} retry={again} />
        </main>
      )
    case "Nobody":
      return <Entrance />
    case "SignedIn":
      return <Shell />
  }
}

const root = document.querySelector("#root")
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Theme>
        <QueryClientProvider client={makeQueries()}>
          <Toasts>
            <Session>
              <Router base={BASE}>
                <Dashboard />
              </Router>
            </Session>
          </Toasts>
        </QueryClientProvider>
      </Theme>
    </StrictMode>
  )
}
