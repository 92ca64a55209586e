import { Badge } from "../ui/Badge.tsx"
import { countdown, percent } from "../ui/Format.ts"
import { Icon } from "../ui/Icon.tsx"
import { type ArenaBid, type ArenaOrder, timesOf } from "./ArenaOrder.ts"
import { isUrgent, phaseOf, spokenRest } from "./Countdown.ts"
import type { LiveState } from "./LiveArena.ts"
import { type PricePoint, sparkline } from "./PriceSeries.ts"

/** Whether the page follows the arena now. */
export const LiveBadge = ({ status }: { readonly status: LiveState["status"] }) => {
  if (status === "live") {
    return (
      <Badge tone="good">
        <span className="live-dot" aria-hidden="true" />
        Live
      </Badge>
    )
  }
  return <Badge tone="wait">{status === "waiting" ? "Reconnecting" : "Connecting"}</Badge>
}

interface ClockProps {
  readonly order: ArenaOrder
  readonly time: number
  readonly large?: boolean
}

/** What an order waits for, with a clock and how much of the wait is over. */
export const OrderClock = ({ large = false, order, time }: ClockProps) => {
  const phase = phaseOf(order.status, timesOf(order), time)
  const rest = phase.until === undefined ? undefined : phase.until - time
  const urgent = isUrgent(phase, time)
  return (
    <div className={`order-clock ${phase.name} ${large ? "large" : ""} ${urgent ? "urgent" : ""}`}>
      <div className="order-clock-head">
        <span>{phase.label}</span>
        {rest !== undefined && (
          <>
            <span className="order-clock-time" aria-hidden="true">
              {countdown(rest)}
            </span>
            <span className="unseen">{spokenRest(rest)}</span>
          </>
        )}
      </div>
      <div className="order-clock-bar" aria-hidden="true">
        <span style={{ width: `${phase.passed * 100}%` }} />
      </div>
    </div>
  )
}

const SPARK = { width: 96, height: 28 }

/** Prices as a small line. */
export const Spark = ({ series }: { readonly series: ReadonlyArray<PricePoint> }) => (
  <svg
    className="spark"
    viewBox={`0 -2 ${SPARK.width} ${SPARK.height + 4}`}
    aria-hidden="true"
    preserveAspectRatio="none"
  >
    <polyline points={sparkline(series, SPARK.width, SPARK.height)} />
  </svg>
)

/** A change as a fraction: `+1.20%` in green, `−0.40%` in red. */
export const Change = ({ value }: { readonly value: number | undefined }) => {
  if (value === undefined) return null
  const text = percent(Math.abs(value))
  return (
    <span className={value > 0 ? "gain number" : value < 0 ? "loss number" : "soft number"}>
      {value > 0 ? "+" : value < 0 ? "−" : ""}
      {text}
    </span>
  )
}

const short = (address: string): string => {
  const bare = address.replace(/^house:/, "")
  return bare.length > 16 ? `${bare.slice(0, 8)}…${bare.slice(-4)}` : bare
}

interface TraderProps {
  readonly address: string
  readonly type: ArenaBid["trader_type"]
  /** Whether it is of one's own company. */
  readonly isOwn?: boolean
}

/** Who bids: a person or a machine. */
export const Trader = ({ address, isOwn = false, type }: TraderProps) => (
  <span className="trader" title={address}>
    <Icon name={type === "machine" ? "bot" : "user"} />
    <span className="unseen">{type === "machine" ? "Machine" : "Person"} </span>
    <code>{short(address)}</code>
    {isOwn && <Badge tone="live">You</Badge>}
    {address.startsWith("house:") && <Badge>House</Badge>}
  </span>
)

/** The least part that machines must hold to win. */
const THREE_QUARTERS = 0.75

/** How much of the collateral machines hold, with the mark at three quarters. */
export const MachinePart = ({ part }: { readonly part: number }) => (
  <div className="machine-part">
    <div className="meter-head">
      <span>Machines hold</span>
      <span className="meter-text">
        {percent(part, 1)}, {part >= THREE_QUARTERS ? "may win" : "need 75%"}
      </span>
    </div>
    <div
      className="machine-bar"
      role="meter"
      aria-label="Machines' part of the collateral"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 100)}
    >
      <span style={{ width: `${part * 100}%` }} />
      <i aria-hidden="true" />
    </div>
  </div>
)
