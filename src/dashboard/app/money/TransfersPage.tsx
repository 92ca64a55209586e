import { useState } from "react"
import type { RowOf } from "../Contract.ts"
import { useRows } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { count } from "../ui/Format.ts"
import { metadataText } from "../ui/MetadataText.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { When } from "../ui/Time.tsx"
import { Beneficiaries } from "./Beneficiaries.tsx"
import { exactAmount } from "./ExactAmount.ts"
import { NotVerified } from "./NotVerified.tsx"
import { SendMoney } from "./SendMoney.tsx"

type Row = RowOf<"GET /v1/transfers">
type Direction = "sent" | "received"

const TABS: ReadonlyArray<readonly [Direction | "beneficiaries", string]> = [
  ["sent", "Sent"],
  ["received", "Received"],
  ["beneficiaries", "Beneficiaries"]
]

const columnsFor = (direction: Direction): ReadonlyArray<Column<Row>> => [
  {
    title: direction === "sent" ? "To" : "From",
    cell: (row) => (
      <div className="two-lines">
        <CopyId value={direction === "sent" ? row.to : row.from} />
        <span className="soft">{row.description === "" ? row.id : row.description}</span>
        {Object.keys(row.metadata).length > 0 && <span className="soft">{metadataText(row.metadata)}</span>}
      </div>
    )
  },
  {
    title: "Rate",
    cell: ({ pair, rate }) => (rate === null ? <Badge>Not exchanged</Badge> : `${pair} at ${count(rate)}`),
    wide: true
  },
  {
    title: "Sent",
    cell: ({ taken, taken_type: type }) => (taken === null || type === null ? "" : exactAmount(taken, type)),
    align: "right",
    wide: direction === "received"
  },
  {
    title: "Received",
    cell: (row) => exactAmount(row.received, row.received_type),
    align: "right",
    wide: direction === "sent"
  },
  { title: "When", cell: (row) => <When at={row.created_at} as="distance" />, align: "right", wide: true }
]

const Transfers = ({ direction, onSend }: { readonly direction: Direction; readonly onSend: () => void }) => {
  const [offset, setOffset] = useState(0)
  const transfers = useRows("GET /v1/transfers", { query: { direction, limit: PAGE_ROWS, offset } }, { every: 10_000 })
  return (
    <Card flush>
      <List
        label={direction === "sent" ? "Transfers sent" : "Transfers received"}
        of={transfers}
        columns={columnsFor(direction)}
        keyOf={({ from, id }) => `${from} ${id}`}
        page={{ offset, onMove: setOffset }}
        empty={
          direction === "sent" ? (
            <Empty icon="flow" title="You have sent nothing yet" action={<Button onClick={onSend}>Send money</Button>}>
              To another user of this platform or to an account at a bank, exchanged where you like.
            </Empty>
          ) : (
            <Empty icon="flow" title="You have received nothing yet">
              Whoever sends to you needs your user id, which is on the page of your profile.
            </Empty>
          )
        }
      />
    </Card>
  )
}

/** Money that the person sent and received, and whom it can be sent to. */
const TransfersPage = () => {
  const { status } = usePerson()
  const [shown, setShown] = useState<Direction | "beneficiaries">("sent")
  const [sending, setSending] = useState(false)
  return (
    <>
      <PageHead
        title="Transfers"
        lead="Money to other users and to accounts at banks, exchanged at a rate that you see first."
        actions={
          <Button look="main" icon="flow" disabled={status !== "active"} onClick={() => setSending(true)}>
            Send money
          </Button>
        }
      />
      <NotVerified />
      <Tabs label="Transfers" tabs={TABS} chosen={shown} onChoose={setShown} />
      {shown === "beneficiaries" ? (
        <Beneficiaries />
      ) : (
        <Transfers key={shown} direction={shown} onSend={() => setSending(true)} />
      )}
      {sending && <SendMoney onClose={() => setSending(false)} />}
    </>
  )
}

export default TransfersPage
