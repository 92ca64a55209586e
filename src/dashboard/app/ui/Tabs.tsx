import { useRef } from "react"
import type { KeyboardEvent, ReactNode } from "react"

interface TabsProps<Name extends string> {
  /** What the tabs choose between: "Parts of the delivery". */
  readonly label: string
  readonly tabs: ReadonlyArray<readonly [Name, ReactNode]>
  readonly chosen: Name
  readonly onChoose: (name: Name) => void
}

const STEP: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** Chooses what is seen below, or filters a list. The arrow keys go from one to the next. */
export const Tabs = <Name extends string>({ label, tabs, chosen, onChoose }: TabsProps<Name>) => {
  const list = useRef<HTMLDivElement>(null)
  const onKey = (event: KeyboardEvent) => {
    const step = STEP[event.key]
    if (step === undefined) return
    const at = tabs.findIndex(([name]) => name === chosen)
    const next = (at + step + tabs.length) % tabs.length
    const [name] = tabs[next] ?? [chosen]
    onChoose(name)
    list.current?.querySelectorAll("button")[next]?.focus()
  }
  return (
    <div className="tabs" role="group" aria-label={label} ref={list} onKeyDown={onKey}>
      {tabs.map(([name, text]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === chosen}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {text}
        </button>
      ))}
    </div>
  )
}
