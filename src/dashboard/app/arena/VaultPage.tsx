import { useState } from "react"
import { useApi } from "../Data.ts"
import { wordsOf } from "../ui/Badge.tsx"
import { Card, Columns, Facts, Stat, Stats } from "../ui/Card.tsx"
import { TextField } from "../ui/Field.tsx"
import { count, percent, usd } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Loaded } from "../ui/States.tsx"
import { Table } from "../ui/Table.tsx"
import { ShareBar } from "./Figures.tsx"

/** How often the vault is asked for again, in milliseconds. */
const EVERY = 5_000

const Estimate = () => {
  const [value, setValue] = useState("10000")
  const [days, setDays] = useState("30")
  const isWhole = Number(value) >= 0 && value !== "" && /^\d+$/.test(days) && Number(days) > 0
  const estimate = useApi(
    "GET /api/arena/yield/estimate",
    { query: { order_value: value, duration_days: days } },
    { enabled: isWhole }
  )
  return (
    <Card title="What would collateral earn?">
      <div className="stack">
        <div className="pair">
          <TextField label="Order value, USD" value={value} onChange={setValue} inputMode="decimal" />
          <TextField label="Days" value={days} onChange={setDays} inputMode="numeric" />
        </div>
        {isWhole && (
          <Loaded of={estimate}>
            {({ estimate: { breakdown, collateral, estimated_apy: apy, estimated_yield: all } }) => (
              <Facts
                rows={[
                  ["Collateral", usd(collateral)],
                  ["Earns a year", percent(apy)],
                  ["Earned in all", usd(all, 6)],
                  ["Yours", <strong key="yours">{usd(breakdown.trader_share, 6)}</strong>],
                  ["Insurance", usd(breakdown.insurance_share, 6)],
                  ["Platform", usd(breakdown.platform_share, 6)],
                  ["Token holders", usd(breakdown.token_holder_share, 6)]
                ]}
              />
            )}
          </Loaded>
        )}
      </div>
    </Card>
  )
}

const Allocated = ({ name, share }: { readonly name: string; readonly share: number }) => (
  <span className="allocated">
    <ShareBar label={`Share of ${wordsOf(name)}`} share={share} />
    <span className="number">{percent(share, 0)}</span>
  </span>
)

/** The vault that collateral earns in. */
const VaultPage = () => {
  const total = useApi("GET /api/arena/yield/total", {}, { every: EVERY })
  const shares = useApi("GET /api/arena/yield/vault-stats", {}, { every: EVERY })
  return (
    <>
      <PageHead
        title="Vault"
        lead="Collateral is invested while it is locked. Its trader gets most of what it earns, win or lose."
      />
      <Loaded of={total}>
        {(data) => (
          <>
            <Stats>
              <Stat label="Collateral deployed" value={usd(data.total_collateral_deployed)} />
              <Stat label="Earned so far" value={usd(data.total_yield_generated, 4)} />
              <Stat label="Average rate a year" value={percent(data.average_apy)} />
              <Stat label="Active commitments" value={count(data.active_commitments)} />
            </Stats>
            <Columns>
              <Card title="Where it is invested" flush>
                <Table
                  label="Strategies of the vault"
                  rows={Object.entries(data.strategies)}
                  keyOf={([name]) => name}
                  columns={[
                    { title: "Strategy", cell: ([name]) => wordsOf(name) },
                    {
                      title: "Share",
                      cell: ([name]) => <Allocated name={name} share={shares.data?.vault.allocation[name] ?? 0} />
                    },
                    { title: "Holds", align: "right", cell: ([, { tvl }]) => usd(tvl) },
                    { title: "A year", align: "right", cell: ([, { apy }]) => percent(apy) }
                  ]}
                />
              </Card>
              <Estimate />
            </Columns>
          </>
        )}
      </Loaded>
    </>
  )
}

export default VaultPage
