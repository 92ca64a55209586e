import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { Theme } from "../shell/Theme.tsx"
import { SimulationPage } from "./SimulationPage.tsx"

const root = document.querySelector("#root")
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Theme>
        <SimulationPage />
      </Theme>
    </StrictMode>
  )
}
