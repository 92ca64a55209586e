import { createContext, useCallback, useContext, useEffect, useMemo, useState } from "react"
import type { ReactNode } from "react"
import { remember, remembered } from "../Platform.ts"

type Shown = "light" | "dark"

interface Theming {
  readonly shown: Shown
  readonly turn: () => void
}

const NAME = "theme"

const Themed = createContext<Theming>({ shown: "light", turn: () => {} })

/** `shown` is the look that is seen now. */
export const useTheme = (): Theming => useContext(Themed)

const chosen = (): Shown | undefined => {
  const kept = remembered(NAME)
  return kept === "light" || kept === "dark" ? kept : undefined
}

/** Light or dark: as the system says, until the person says otherwise. */
export const Theme = ({ children }: { readonly children: ReactNode }) => {
  const [wish, setWish] = useState(chosen)
  const [system, setSystem] = useState<Shown>("light")
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)")
    const read = () => setSystem(dark.matches ? "dark" : "light")
    read()
    dark.addEventListener("change", read)
    return () => dark.removeEventListener("change", read)
  }, [])
  useEffect(() => {
    if (wish !== undefined) document.documentElement.dataset["theme"] = wish
  }, [wish])
  const shown = wish ?? system
  const turn = useCallback(() => {
    const next = shown === "dark" ? "light" : "dark"
    remember(NAME, next)
    setWish(next)
  }, [shown])
  const theming = useMemo(() => ({ shown, turn }), [shown, turn])
  return <Themed value={theming}>{children}</Themed>
}
