import { count, percent } from "../ui/Format.ts"
import { profitText } from "./Quote.ts"

/** A profit in its colour, or a dash where there is none yet. */
export const Profit = ({ value }: { readonly value: number | undefined }) => {
  if (value === undefined) return <span className="soft">–</span>
  return <span className={value > 0 ? "gain" : value < 0 ? "loss" : "soft"}>{profitText(value)}</span>
}

/** A change as a fraction: `+1.20%` in green, `−0.40%` in red. */
export const Change = ({ value }: { readonly value: number | undefined }) => {
  if (value === undefined) return null
  const text = percent(Math.abs(value))
  const isNothing = text === "0%"
  return (
    <span className={isNothing ? "soft number" : value > 0 ? "gain number" : "loss number"}>
      {isNothing ? "" : value > 0 ? "+" : "−"}
      {text}
    </span>
  )
}

/** How many units, to as many places as matter. */
export const units = (quantity: number): string =>
  count(quantity >= 100 ? Math.round(quantity * 10) / 10 : Math.round(quantity * 10_000) / 10_000)

interface ShareProps {
  readonly label: string
  /** From 0 to 1. */
  readonly share: number
  /** A mark on the bar, from 0 to 1. */
  readonly mark?: number
}

/** A part of a whole as a bar. */
export const ShareBar = ({ label, mark, share }: ShareProps) => (
  <div
    className="share-bar"
    role="meter"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={Math.round(share * 100)}
  >
    <span style={{ width: `${share * 100}%` }} />
    {mark !== undefined && <i aria-hidden="true" style={{ left: `${mark * 100}%` }} />}
  </div>
)
