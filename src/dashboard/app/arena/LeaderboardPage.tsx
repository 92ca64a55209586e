import { useState } from "react"
import { ASSET_TYPES, type AssetType } from "../../../../engine/arena/AssetType.ts"
import { useApi } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { SelectField } from "../ui/Field.tsx"
import { count, percent, usd } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Loaded } from "../ui/States.tsx"
import { Table } from "../ui/Table.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { ASSET_TYPE_NAMES } from "./ArenaOrder.ts"
import { Profit } from "./Figures.tsx"
import { Trader } from "./ArenaParts.tsx"

type Kind = AssetType | "all"

const KINDS: ReadonlyArray<readonly [Kind, string]> = [
  ["all", "All kinds"],
  ...ASSET_TYPES.map((type) => [type, ASSET_TYPE_NAMES[type]] as const)
]

const DAYS = [
  ["1", "Today"],
  ["7", "7 days"],
  ["30", "30 days"]
] as const

/** How often the board is asked for again, in milliseconds. */
const EVERY = 10_000

/** Who earned most. */
const LeaderboardPage = () => {
  const { company_id: companyId } = usePerson()
  const [days, setDays] = useState<"1" | "7" | "30">("7")
  const [kind, setKind] = useState<Kind>("all")
  const query = { days, ...(kind === "all" ? {} : { asset_type: kind }) }
  const board = useApi("GET /api/arena/leaderboard", { query }, { every: EVERY })
  return (
    <>
      <PageHead
        title="Leaderboard"
        lead="Who earned most on settled orders. Void orders decide nothing and do not count."
      />
      <div className="filters">
        <Tabs label="Period" tabs={DAYS} chosen={days} onChoose={setDays} />
        <SelectField label="Kind of order" value={kind} onChange={setKind} options={KINDS} />
      </div>
      <Loaded of={board} lines={8}>
        {({ leaders, orders }) => (
          <Card title={`${count(orders)} settled ${orders === 1 ? "order" : "orders"}`} flush>
            {leaders.length === 0 ? (
              <Empty
                icon="trophy"
                title="Nobody has earned anything yet"
                action={<ButtonLink to="/arena">See the arena</ButtonLink>}
              >
                The board fills when orders with commitments settle.
              </Empty>
            ) : (
              <Table
                label="Leaderboard"
                rows={leaders}
                keyOf={(leader) => String(leader.rank)}
                columns={[
                  {
                    title: "Rank",
                    cell: ({ rank }) => <span className={rank === 1 ? "place winner" : "place"}>{rank}</span>
                  },
                  {
                    title: "Trader",
                    cell: (leader) => (
                      <Trader
                        address={leader.trader_address}
                        type={leader.trader_type}
                        isOwn={leader.owner_id === companyId}
                      />
                    )
                  },
                  {
                    title: "Profit",
                    align: "right",
                    cell: ({ profit }) => <Profit value={profit} />
                  },
                  { title: "Won", align: "right", cell: (leader) => `${leader.won} of ${leader.commitments}` },
                  { title: "Win rate", align: "right", wide: true, cell: (leader) => percent(leader.win_rate, 0) },
                  { title: "Yield", align: "right", wide: true, cell: (leader) => usd(leader.yield_earned, 4) }
                ]}
              />
            )}
          </Card>
        )}
      </Loaded>
    </>
  )
}

export default LeaderboardPage
