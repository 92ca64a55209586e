import { useState } from "react"
import { Link, useLocation } from "wouter"
import type { Answer, RowOf } from "../Contract.ts"
import { useAct, useRows } from "../Data.ts"
import { StatusBadge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { readMetadata } from "../ui/MetadataText.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"
import { HeldNotice } from "./DeliveryQuota.tsx"
import { DisabledNotices } from "./DisabledNotices.tsx"
import { eventsSummary } from "./EventGroups.ts"
import { SecretDialog } from "./SecretDialog.tsx"
import { WebhookForm } from "./WebhookForm.tsx"

type Row = RowOf<"GET /v1/webhooks">

const pathOf = ({ id }: { readonly id: string }): string => `/webhooks/${id}`

const COLUMNS: ReadonlyArray<Column<Row>> = [
  {
    title: "Endpoint",
    cell: (row) => (
      <div className="two-lines">
        <Link href={pathOf(row)}>{row.url}</Link>
        {row.description !== null && <span className="soft">{row.description}</span>}
      </div>
    )
  },
  { title: "Events", cell: ({ events }) => eventsSummary(events), wide: true },
  {
    title: "Status",
    cell: ({ failing_since: since, status }) => (
      <div className="two-lines">
        <StatusBadge status={status} />
        {status === "enabled" && since !== null && (
          <span className="soft bad-text">
            First failed <When at={since} as="distance" />
          </span>
        )}
      </div>
    )
  },
  { title: "Created", cell: (row) => <When at={row.created_at} as="distance" />, wide: true }
]

const NewWebhook = ({ onClose }: { readonly onClose: () => void }) => {
  const [, go] = useLocation()
  const [made, setMade] = useState<Answer<"POST /v1/webhooks">>()
  const create = useAct("POST /v1/webhooks", { quiet: true, changes: ["GET /v1/webhooks"], onDone: setMade })
  if (made !== undefined) {
    return <SecretDialog title="Endpoint added" secret={made.secret} onClose={() => go(pathOf(made))} />
  }
  return (
    <Dialog title="Add an endpoint" onClose={onClose}>
      <WebhookForm
        start={{ url: "", description: "", events: ["*"], metadata: "" }}
        act="Add endpoint"
        busy={create.isPending}
        error={create.error}
        onClose={onClose}
        onSubmit={({ description, events, metadata, url }) => {
          const own = { metadata: readMetadata(metadata) ?? {}, ...(description === "" ? {} : { description }) }
          create.mutate({ payload: { url, events, ...own } })
        }}
      />
    </Dialog>
  )
}

/** The company's endpoints. */
const WebhooksPage = () => {
  const [offset, setOffset] = useState(0)
  const [adding, setAdding] = useState(false)
  const webhooks = useRows("GET /v1/webhooks", { query: { limit: PAGE_ROWS, offset } })
  const add = (
    <Button look="main" icon="plus" onClick={() => setAdding(true)}>
      Add endpoint
    </Button>
  )
  return (
    <>
      <PageHead
        title="Webhooks"
        lead="Servers of yours that are told what happens to your orders, payments, subscriptions and credit."
        actions={add}
      />
      <DisabledNotices />
      <HeldNotice />
      <Card flush>
        <List
          label="Endpoints"
          of={webhooks}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          to={pathOf}
          page={{ offset, onMove: setOffset }}
          empty={
            <Empty icon="hook" title="No endpoints yet" action={add}>
              Add the address of a server, and every event is posted to it, signed, within moments. On your own machine,{" "}
              <code>emporion webhooks listen</code> forwards them.
            </Empty>
          }
        />
      </Card>
      {adding && <NewWebhook onClose={() => setAdding(false)} />}
    </>
  )
}

export default WebhooksPage
