import { usePerson } from "../shell/Session.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Card } from "../ui/Card.tsx"
import { percent, signedUsd, usd } from "../ui/Format.ts"
import { Empty } from "../ui/States.tsx"
import { type Column, Table } from "../ui/Table.tsx"
import type { ArenaOrder } from "./ArenaOrder.ts"
import { MachinePart, Trader } from "./ArenaParts.tsx"
import { units } from "./Figures.tsx"
import { quote } from "./Quote.ts"
import { competitionOf, type Contender } from "./Competition.ts"

const Place = ({ contender }: { readonly contender: Contender }) => (
  <span className={contender.isWinner ? "place winner" : "place"}>{contender.place}</span>
)

/** The score in USD: it is published in 10⁻¹². */
const score = ({ bid }: Contender): string =>
  bid.score === null ? "–" : signedUsd(Number(bid.score) / 1e12).replace("+", "")

const limit = ({ bid: { proposed_entry_price: price, slippage_tolerance: tolerance } }: Contender): string => {
  if (price === null) return "Sealed"
  return tolerance === null || tolerance === 0 ? quote(price) : `${quote(price)} + ${percent(tolerance)}`
}

const Reach = ({ contender }: { readonly contender: Contender }) => (
  <span className="reach">
    <span className="reach-bar" aria-hidden="true">
      <span style={{ width: `${contender.reach * 100}%` }} />
    </span>
    {limit(contender)}
  </span>
)

const Outcome = ({ contender }: { readonly contender: Contender }) => {
  return contender.bid.loss_reason === null ? (
    <Badge tone="good">Won</Badge>
  ) : (
    <span className="soft nowrap">{contender.outcome}</span>
  )
}

const OUTCOMES: ReadonlyArray<Column<Contender>> = [
  { title: "Score", align: "right", wide: true, cell: score },
  { title: "Outcome", cell: (contender) => <Outcome contender={contender} /> }
]

const columns = (companyId: string, isDecided: boolean): ReadonlyArray<Column<Contender>> => [
  { title: "Place", cell: (contender) => <Place contender={contender} /> },
  {
    title: "Trader",
    cell: ({ bid }) => <Trader address={bid.trader_address} type={bid.trader_type} isOwn={bid.owner_id === companyId} />
  },
  { title: "Price", align: "right", cell: (contender) => <Reach contender={contender} /> },
  { title: "Quantity", align: "right", wide: true, cell: ({ bid }) => units(bid.quantity) },
  { title: "Collateral", align: "right", wide: true, cell: ({ bid }) => usd(bid.collateral) },
  ...(isDecided ? OUTCOMES : [])
]

/** Bids that are listed at most; the best ones. */
const SHOWN = 100

/** The competition for an order, and after the choice its full ranking. */
export const CompetitionCard = ({ order }: { readonly order: ArenaOrder }) => {
  const { company_id: companyId } = usePerson()
  const competition = competitionOf(order)
  const { contenders, humans, isDecided, machinePart, machines } = competition
  const title = isDecided ? "Full ranking" : "Competition"
  if (contenders.length === 0) {
    return (
      <Card title={title}>
        <Empty icon="trophy" title={order.status === "settled" ? "Nobody competed" : "No bids yet"}>
          {order.status === "settled"
            ? "The order ended without commitments, and the market maker's collateral was released."
            : "The first commitment starts the competition. Limits and owners stay secret until the choice."}
        </Empty>
      </Card>
    )
  }
  return (
    <Card title={title} aside={<span className="soft">{`${humans} by people, ${machines} by machines`}</span>} flush>
      <div className="competition-head">
        <MachinePart part={machinePart} isDecided={isDecided} />
      </div>
      <Table
        label={title}
        rows={contenders.slice(0, SHOWN)}
        keyOf={({ bid }) => bid.commitment_id}
        columns={columns(companyId, isDecided)}
      />
      {contenders.length > SHOWN && <p className="competition-more soft">{`And ${contenders.length - SHOWN} more.`}</p>}
    </Card>
  )
}
