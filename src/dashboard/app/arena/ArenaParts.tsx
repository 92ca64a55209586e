import { Badge } from "../ui/Badge.tsx"
import { countdown, percent } from "../ui/Format.ts"
import { Icon } from "../ui/Icon.tsx"
import { ShareBar } from "./Figures.tsx"
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

const short = (address: string): string => {
  if (address.startsWith("house:")) return `house ${address.slice(-4)}`
  return address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
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
  </span>
)

/** The least part that machines must hold to win. */
const THREE_QUARTERS = 0.75

interface MachinePartProps {
  /** From 0 to 1. */
  readonly part: number
  /** Whether it is what the choice weighed: the eligible collateral alone. */
  readonly isDecided: boolean
}

const verdict = (part: number, isDecided: boolean): string => {
  if (part >= THREE_QUARTERS) return isDecided ? "so they could win" : "may win"
  return isDecided ? "so they could not win" : "need 75%"
}

/** How much of the collateral machines hold, with the mark at three quarters. */
export const MachinePart = ({ isDecided, part }: MachinePartProps) => (
  <div className="machine-part">
    <div className="meter-head">
      <span>{isDecided ? "Of what was eligible, machines held" : "Machines hold"}</span>
      <span className="meter-text">
        {percent(part, 1)}, {verdict(part, isDecided)}
      </span>
    </div>
    <ShareBar label="Machines' part of the collateral" share={part} mark={THREE_QUARTERS} />
  </div>
)
