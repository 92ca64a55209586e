import { useState } from "react"
import { Link } from "wouter"
import type { RowOf } from "../Contract.ts"
import { useApi, useRows } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty } from "../ui/States.tsx"
import { List } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { AddMoney } from "./AddMoney.tsx"
import { exactAmount } from "./ExactAmount.ts"
import { NotVerified } from "./NotVerified.tsx"

type Fund = RowOf<"GET /v1/funds">

/** Kinds of money that one owner can have are fewer. */
const ALL = 100

const pathOf = ({ id }: Fund): string => `/funds/${id}`

const COLUMNS: ReadonlyArray<Column<Fund>> = [
  {
    title: "Fund",
    cell: (fund) => (
      <Link href={pathOf(fund)} className="strong">
        {fund.type}
      </Link>
    )
  },
  { title: "Balance", cell: ({ symbol, type }) => exactAmount(symbol, type), align: "right" },
  { title: "Held", cell: ({ held, type }) => exactAmount(held, type), align: "right", wide: true },
  { title: "Available", cell: ({ available, type }) => exactAmount(available, type), align: "right" }
]

/** What the person has, by kind of money. */
const FundsPage = () => {
  const { id, role } = usePerson()
  const [adding, setAdding] = useState(false)
  const info = useApi("GET /v1/info", {})
  const query = { ...(role === "admin" ? { owner: id } : {}), limit: ALL }
  const funds = useRows("GET /v1/funds", { query }, { every: 10_000 })
  const add =
    info.data?.mode === "sandbox" ? (
      <Button look="main" icon="plus" onClick={() => setAdding(true)}>
        Add play money
      </Button>
    ) : undefined
  return (
    <>
      <PageHead
        title="Funds"
        lead="What you have, and what is held of it as collateral or for a payment under way."
        actions={
          <>
            <ButtonLink to="/transfers" icon="flow">
              Transfers
            </ButtonLink>
            {add}
          </>
        }
      />
      <NotVerified />
      <Card flush>
        <List
          label="Funds"
          of={funds}
          columns={COLUMNS}
          keyOf={(fund) => fund.id}
          to={pathOf}
          empty={
            <Empty icon="wallet" title="You have no money yet" action={add}>
              {add === undefined
                ? "Ask the operator of this platform to add money to your account."
                : "Add play money to commit to orders of the arena, to buy products and to try transfers."}
            </Empty>
          }
        />
      </Card>
      {adding && <AddMoney onClose={() => setAdding(false)} />}
    </>
  )
}

export default FundsPage
