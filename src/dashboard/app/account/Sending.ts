import { useState } from "react"
import { refusedBy } from "../Refused.ts"
import type { Refused } from "../Refused.ts"

/** Something that a form sends. */
export interface Sending {
  readonly busy: boolean
  /** Why it was refused the last time. */
  readonly error: Refused | undefined
  readonly run: () => void
}

/** Runs what a form sends where one operation is not all of it. `useAct` is for the others. */
export const useSending = (send: () => Promise<void>): Sending => {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Refused>()
  const run = () => {
    setBusy(true)
    setError(undefined)
    void send()
      .catch((failure: unknown) => setError(refusedBy(failure)))
      .finally(() => setBusy(false))
  }
  return { busy, error, run }
}
