import { Link } from "wouter"
import type { Answer, RowOf } from "../Contract.ts"
import { useApi, useRows } from "../Data.ts"
import { now } from "../Platform.ts"
import { usePerson } from "../shell/Session.tsx"
import { StatusBadge, wordsOf } from "../ui/Badge.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Card, Columns, Stat, Stats } from "../ui/Card.tsx"
import { Chart } from "../ui/Chart.tsx"
import { amountOf, compact, count, countdown, millisOf, usd } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Loaded, Notice } from "../ui/States.tsx"
import { type Step, Steps } from "../ui/Steps.tsx"
import { List, Table } from "../ui/Table.tsx"
import { useNow, When } from "../ui/Time.tsx"
import { DisabledNotices } from "../webhooks/DisabledNotices.tsx"

/** Arena orders that the overview names. */
const SOONEST = 6

/** How often the figures are asked for again, in milliseconds. */
const EVERY = 15_000

const DAY = 86_400_000

/** Orders and endpoints that the overview names. */
const LATEST = 5

const isoDay = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

const useWeek = () =>
  useApi(
    "GET /v1/analytics/usage",
    { query: { from: isoDay(now() - 6 * DAY), to: isoDay(now()) } },
    { every: EVERY * 2 }
  )

const usdOf = (funds: ReadonlyArray<RowOf<"GET /v1/funds">>): string =>
  usd(funds.find(({ type }) => type === "USD")?.symbol ?? 0)

const Figures = () => {
  const funds = useRows("GET /v1/funds", { query: { limit: 100 } }, { every: EVERY })
  const orders = useRows("GET /v1/orders", { query: { limit: 1 } })
  const bots = useApi("GET /api/arena/machine-traders", {})
  const week = useWeek()
  const active = bots.data?.bots.filter(({ status }) => status === "active").length ?? 0
  return (
    <Stats>
      <Stat
        label="USD balance"
        value={funds.data === undefined ? "…" : usdOf(funds.data.rows)}
        note={<Link href="/funds">Funds and statements</Link>}
      />
      <Stat
        label="Orders"
        value={orders.data === undefined ? "…" : count(orders.data.total)}
        note={<Link href="/orders">Bought and sold</Link>}
      />
      <Stat
        label="Active bots"
        value={bots.data === undefined ? "…" : count(active)}
        note={<Link href="/bots">{`${count(bots.data?.bots.length ?? 0)} in all`}</Link>}
      />
      <Stat
        label="Requests, 7 days"
        value={week.data === undefined ? "…" : compact(week.data.totals.requests)}
        note={<Link href="/usage">Usage by day</Link>}
      />
    </Stats>
  )
}

type Listed = Answer<"GET /api/arena/orders">["orders"][number]

const detailsOf = ({ asset_details: text }: Listed): string => {
  try {
    const details = JSON.parse(text) as Readonly<Record<string, unknown>>
    const name = details["name"] ?? details["pair"] ?? details["model"] ?? details["underlying"]
    return typeof name === "string" ? name : ""
  } catch {
    return ""
  }
}

const Left = ({ until }: { readonly until: string }) => {
  const time = useNow()
  return <span className="number">{countdown(millisOf(until) - time)}</span>
}

const Soonest = () => {
  const orders = useApi("GET /api/arena/orders", {}, { every: EVERY })
  const isOpen = ({ status }: Listed) => status === "open" || status === "competing"
  return (
    <Card title="Open in the arena" aside={<Link href="/arena">Live arena</Link>} flush>
      <Loaded of={orders} lines={4}>
        {({ orders: all }) => {
          const open = all.filter(isOpen).slice(0, SOONEST)
          return open.length === 0 ? (
            <Empty icon="activity" title="No order is open">
              The next ones are made when the next slot begins.
            </Empty>
          ) : (
            <Table
              label="Open orders of the arena"
              rows={open}
              keyOf={({ order_id }) => order_id}
              to={({ order_id }) => `/arena/orders/${order_id}`}
              columns={[
                {
                  title: "Order",
                  cell: (order) => (
                    <Link href={`/arena/orders/${order.order_id}`}>
                      {detailsOf(order) === "" ? wordsOf(order.asset_type) : detailsOf(order)}
                    </Link>
                  )
                },
                { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
                {
                  title: "Entry price",
                  align: "right",
                  wide: true,
                  cell: ({ entry_price }) => amountOf(entry_price, "USD")
                },
                { title: "Closes in", align: "right", cell: ({ expiry_date }) => <Left until={expiry_date} /> }
              ]}
            />
          )
        }}
      </Loaded>
    </Card>
  )
}

const Week = () => {
  const week = useWeek()
  return (
    <Card title="Requests this week" aside={<Link href="/usage">Usage</Link>}>
      <Loaded of={week} lines={5}>
        {({ days }) => (
          <Chart
            label="Requests a day this week"
            lines={[
              {
                name: "Requests",
                as: "bars",
                points: days.map(({ date, requests }) => ({ time: Date.parse(date), value: requests }))
              }
            ]}
            format={count}
            height={208}
            days
          />
        )}
      </Loaded>
    </Card>
  )
}

const LatestOrders = () => {
  const orders = useRows("GET /v1/orders", { query: { limit: LATEST } }, { every: EVERY })
  return (
    <Card title="Orders" aside={<Link href="/orders">All orders</Link>} flush>
      <List
        label="Orders"
        of={orders}
        keyOf={({ id }) => id}
        to={({ id }) => `/orders/${id}`}
        empty={
          <Empty icon="cart" title="No orders yet" action={<ButtonLink to="/products">Browse products</ButtonLink>}>
            What your company buys and sells is listed here.
          </Empty>
        }
        columns={[
          { title: "Order", cell: ({ id }) => <Link href={`/orders/${id}`}>{`…${id.slice(-8)}`}</Link> },
          { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
          { title: "Made", wide: true, cell: ({ created_at: at }) => <When at={at} as="distance" /> },
          { title: "Total", align: "right", cell: ({ amount, currency }) => amountOf(amount, currency) }
        ]}
      />
    </Card>
  )
}

const Endpoints = () => {
  const hooks = useRows("GET /v1/webhooks", { query: { limit: LATEST } }, { every: EVERY })
  return (
    <Card title="Webhook endpoints" aside={<Link href="/webhooks">All endpoints</Link>} flush>
      <List
        label="Webhook endpoints"
        of={hooks}
        keyOf={({ id }) => id}
        to={({ id }) => `/webhooks/${id}`}
        empty={
          <Empty icon="hook" title="No endpoints yet" action={<ButtonLink to="/webhooks">Add one</ButtonLink>}>
            Your systems hear of orders, payments and credit as they happen.
          </Empty>
        }
        columns={[
          {
            title: "Address",
            cell: ({ description, id, url }) => <Link href={`/webhooks/${id}`}>{description ?? url}</Link>
          },
          { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
          {
            title: "Attempts",
            align: "right",
            cell: ({ failing_since: since }) =>
              since === null ? <span className="soft">Answered</span> : <span className="loss">Failing</span>
          }
        ]}
      />
    </Card>
  )
}

const Begin = () => {
  const { status } = usePerson()
  const clients = useRows("GET /v1/clients", { query: { limit: 1 } })
  const funds = useRows("GET /v1/funds", { query: { limit: 1 } })
  const hooks = useApi("GET /v1/webhooks", { query: { limit: 1 } })
  if (clients.data === undefined || funds.data === undefined || hooks.data === undefined) return null
  const steps: ReadonlyArray<Step> = [
    {
      icon: "shield",
      title: "Have your identity checked",
      text: "Money leaves, and credit is given, after that.",
      to: "/account",
      done: status === "active"
    },
    {
      icon: "wallet",
      title: "Add funds",
      text: "Collateral and purchases are paid from them.",
      to: "/funds",
      done: funds.data.total > 0
    },
    {
      icon: "key",
      title: "Create an API client",
      text: "So that your programs get tokens of their own.",
      to: "/clients",
      done: clients.data.total > 0
    },
    {
      icon: "hook",
      title: "Add a webhook endpoint",
      text: "So that your systems hear what happens.",
      to: "/webhooks",
      done: hooks.data.length > 0
    }
  ]
  if (steps.every(({ done }) => done)) return null
  return (
    <Card title="Get started">
      <Steps steps={steps} />
    </Card>
  )
}

/** Where the company stands, and what to do next. */
const OverviewPage = () => {
  const { company_name: company, status } = usePerson()
  return (
    <>
      <PageHead title="Overview" lead={`Where ${company} stands now.`} />
      {status === "rejected" && (
        <Notice
          tone="bad"
          title="Your identity could not be verified"
          action={
            <ButtonLink to="/account" size="small">
              See why
            </ButtonLink>
          }
        />
      )}
      <DisabledNotices />
      <Figures />
      <Columns>
        <Soonest />
        <Week />
      </Columns>
      <Columns>
        <LatestOrders />
        <Endpoints />
      </Columns>
      <Begin />
    </>
  )
}

export default OverviewPage
