import { useParams } from "wouter"
import type { Answer } from "../Contract.ts"
import { useApi } from "../Data.ts"
import { StatusBadge } from "../ui/Badge.tsx"
import { Card, Facts } from "../ui/Card.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { metadataFacts } from "../ui/MetadataField.tsx"
import { LoadedPage } from "../ui/LoadedPage.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Notice } from "../ui/States.tsx"
import { When } from "../ui/Time.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { Switch, WebhookActs } from "./WebhookActs.tsx"

type Webhook = Answer<"GET /v1/webhooks/:id">

/** How often the endpoint is asked for again, in milliseconds. */
const EACH = 10_000

const Notices = ({ webhook }: { readonly webhook: Webhook }) => {
  const { disabled_cause: cause, failing_since: since, previous_secret_until: until, status } = webhook
  return (
    <>
      {status === "disabled" && (
        <Notice
          tone={cause === "failing" ? "bad" : "wait"}
          title={cause === "failing" ? "Disabled after failing for 5 days" : "This endpoint is disabled"}
          action={<Switch webhook={webhook} />}
        >
          {cause === "failing" ? (
            <>
              No attempt has succeeded since <When at={since ?? webhook.updated_at} />. Mend the receiver, enable the
              endpoint, then retry what failed: nothing of before is lost.
            </>
          ) : (
            "It gets no event of the meantime. What waited before goes on once it is enabled."
          )}
        </Notice>
      )}
      {status === "enabled" && since !== null && (
        <Notice tone="wait" title="This endpoint fails">
          No attempt has succeeded since <When at={since} />. After 5 days without a success it is disabled. A failed
          delivery below says why.
        </Notice>
      )}
      {until !== null && (
        <Notice title="Several secrets sign">
          The secret before the last rotation signs as well until <When at={until} />. Those before it end earlier.
        </Notice>
      )}
    </>
  )
}

const About = ({ webhook }: { readonly webhook: Webhook }) => (
  <Card title="Endpoint">
    <Facts
      rows={[
        ["URL", <code key="url">{webhook.url}</code>],
        ["Events", webhook.events.includes("*") ? "All events" : webhook.events.join(", ")],
        ["Signing secret", "Shown once, when it was made. Rotate it to get another."],
        ["Id", <CopyId key="id" value={webhook.id} />],
        ["Created", <When key="created" at={webhook.created_at} />],
        ...metadataFacts(webhook.metadata)
      ]}
    />
  </Card>
)

/** One endpoint and what was sent to it. */
const WebhookPage = () => {
  const { id = "" } = useParams<{ id: string }>()
  const found = useApi("GET /v1/webhooks/:id", { params: { id } }, { every: EACH })
  return (
    <LoadedPage of={found} title="Endpoint" parent={{ to: "/webhooks", title: "Webhooks" }} lines={6}>
      {(webhook) => (
        <>
          <PageHead
            title={webhook.description ?? new URL(webhook.url).host}
            badge={<StatusBadge status={webhook.status} />}
            parent={{ to: "/webhooks", title: "Webhooks" }}
            actions={<WebhookActs webhook={webhook} />}
          />
          <Notices webhook={webhook} />
          <About webhook={webhook} />
          <Deliveries webhookId={id} />
        </>
      )}
    </LoadedPage>
  )
}

export default WebhookPage
