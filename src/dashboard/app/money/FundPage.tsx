import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useParams } from "wouter"
import { call } from "../ApiCalls.ts"
import type { Answer } from "../Contract.ts"
import { useApi } from "../Data.ts"
import type { Rows } from "../Data.ts"
import type { Refused } from "../Refused.ts"
import { usePerson } from "../shell/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Card, Stat, Stats } from "../ui/Card.tsx"
import { clockOf, millisOf, utcDay } from "../ui/Format.ts"
import { LoadedPage } from "../ui/LoadedPage.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Loaded } from "../ui/States.tsx"
import { Pager } from "../ui/Table.tsx"
import { dayGroups } from "./DayGroups.ts"
import { DownloadButton } from "../ui/DownloadButton.tsx"
import { exactAmount, exactChange } from "./ExactAmount.ts"
import { NotVerified } from "./NotVerified.tsx"
import { statementPhrase } from "./StatementPhrase.ts"
import { Withdraw } from "./Withdraw.tsx"

type Fund = Answer<"GET /v1/funds/:id">
type Entry = Extract<Answer<"GET /v1/funds/:id/entries">, ReadonlyArray<unknown>>[number]

/** Entries that a page of the statement shows. */
const PAGE_ENTRIES = 50

/** How often the fund is asked for again, in milliseconds. */
const EACH = 10_000

const Row = ({ entry, type }: { readonly entry: Entry; readonly type: string }) => {
  const isIn = !entry.quantity.startsWith("-")
  return (
    <tr>
      <td>
        <div className="two-lines">
          <span>{statementPhrase(entry.purpose, isIn)}</span>
          <span className="soft">
            {entry.counterparty_id !== null && (
              <>
                {isIn ? "from" : "to"} <code>{entry.counterparty_id}</code> ·{" "}
              </>
            )}
            <code>{entry.reference}</code>
          </span>
        </div>
      </td>
      <td className="wide soft">{clockOf(entry.created_at)}</td>
      <td className={isIn ? "figure good-text" : "figure"}>{exactChange(entry.quantity, type)}</td>
      <td className="figure wide">{exactAmount(entry.balance, type)}</td>
    </tr>
  )
}

interface StatementTableProps {
  readonly entries: ReadonlyArray<Entry>
  readonly type: string
}

const StatementTable = ({ entries, type }: StatementTableProps) => (
  <div className="table-frame" role="region" aria-label="Statement" tabIndex={0}>
    <table>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" className="wide">
            Time
          </th>
          <th scope="col" className="figure">
            Amount
          </th>
          <th scope="col" className="figure wide">
            Balance
          </th>
        </tr>
      </thead>
      {dayGroups(entries, (entry) => millisOf(entry.created_at)).map(({ day, entries: made }) => (
        <tbody key={day}>
          <tr className="day-row">
            <th scope="rowgroup" colSpan={4}>
              {utcDay(day)}
            </th>
          </tr>
          {made.map((entry) => (
            <Row key={`${entry.created_at} ${entry.reference} ${entry.quantity}`} entry={entry} type={type} />
          ))}
        </tbody>
      ))}
    </table>
  </div>
)

/** A page of the statement. The operation answers CSV as well, so it is not one of the lists. */
const useEntries = (id: string, offset: number) =>
  useQuery<Rows<Entry>, Refused>({
    queryKey: ["GET /v1/funds/:id/entries", id, offset],
    queryFn: async () => {
      const { body, next, total } = await call("GET /v1/funds/:id/entries", {
        params: { id },
        query: { limit: PAGE_ENTRIES, offset }
      })
      const rows = typeof body === "string" ? [] : body
      return { rows, total: total ?? rows.length, next }
    },
    placeholderData: (before) => before,
    refetchInterval: EACH
  })

const Statement = ({ fund }: { readonly fund: Fund }) => {
  const [offset, setOffset] = useState(0)
  const entries = useEntries(fund.id, offset)
  return (
    <Card
      title="Statement"
      flush
      aside={
        <DownloadButton path={`/v1/funds/${fund.id}/entries?format=csv`} name={`statement-${fund.type}.csv`}>
          Download CSV
        </DownloadButton>
      }
    >
      <Loaded of={entries} lines={6}>
        {({ rows, total }) =>
          total === 0 ? (
            <Empty icon="wallet" title="Nothing has moved yet" />
          ) : (
            <>
              <StatementTable entries={rows} type={fund.type} />
              <Pager total={total} offset={offset} limit={PAGE_ENTRIES} onMove={setOffset} />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

const Shown = ({ fund }: { readonly fund: Fund }) => {
  const { id } = usePerson()
  const [withdrawing, setWithdrawing] = useState(false)
  const actions = fund.owner === id ? <Button onClick={() => setWithdrawing(true)}>Withdraw</Button> : undefined
  return (
    <>
      <PageHead
        title={`${fund.type} fund`}
        parent={{ to: "/funds", title: "Funds" }}
        {...(actions === undefined ? {} : { actions })}
      />
      <NotVerified />
      <Stats>
        <Stat label="Balance" value={exactAmount(fund.symbol, fund.type)} />
        <Stat label="Available" value={exactAmount(fund.available, fund.type)} />
        <Stat label="Held" value={exactAmount(fund.held, fund.type)} note="Collateral and payments under way" />
      </Stats>
      <Statement fund={fund} />
      {withdrawing && <Withdraw fund={fund} onClose={() => setWithdrawing(false)} />}
    </>
  )
}

/** One fund and everything that moved on it. */
const FundPage = () => {
  const { id = "" } = useParams<{ id: string }>()
  const found = useApi("GET /v1/funds/:id", { params: { id } }, { every: EACH })
  return (
    <LoadedPage of={found} title="Fund" parent={{ to: "/funds", title: "Funds" }}>
      {(fund) => <Shown fund={fund} />}
    </LoadedPage>
  )
}

export default FundPage
