import { createContext, useCallback, useContext, useMemo, useRef, useState } from "react"
import type { ReactNode } from "react"
import { after } from "../Platform.ts"
import { IconButton } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

interface Toast {
  readonly id: number
  readonly tone: "good" | "bad"
  readonly text: string
}

interface Saying {
  /** Says something for some seconds at the foot of the page. */
  readonly say: (tone: Toast["tone"], text: string) => void
}

/** Milliseconds that a toast is seen. What went wrong is seen longer. */
const SHOWN = { good: 4_000, bad: 9_000 } as const

/** Toasts seen at once; the oldest makes room. */
const MOST = 4

const Said = createContext<Saying>({ say: () => {} })

/** `const { say } = useToasts()`, then `say("good", "Saved")`. `useAct` says what it did by itself. */
export const useToasts = (): Saying => useContext(Said)

/** Holds the toasts. Round the whole dashboard. */
export const Toasts = ({ children }: { readonly children: ReactNode }) => {
  const [toasts, setToasts] = useState<ReadonlyArray<Toast>>([])
  const last = useRef(0)
  const drop = useCallback((id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)), [])
  const say = useCallback(
    (tone: Toast["tone"], text: string) => {
      last.current += 1
      const id = last.current
      setToasts((shown) => [...shown, { id, tone, text }].slice(-MOST))
      after(SHOWN[tone], () => drop(id))
    },
    [drop]
  )
  const saying = useMemo(() => ({ say }), [say])
  return (
    <Said value={saying}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, tone, text }) => (
          <div key={id} className={`toast ${tone}`}>
            <Icon name={tone === "good" ? "check" : "alert"} />
            <span>{text}</span>
            <IconButton icon="close" label="Dismiss" onClick={() => drop(id)} />
          </div>
        ))}
      </div>
    </Said>
  )
}
