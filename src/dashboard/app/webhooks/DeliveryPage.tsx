import { useParams } from "wouter"
import type { Answer } from "../Contract.ts"
import { useAct, useApi } from "../Data.ts"
import { CausedBy } from "../requests/CausedBy.tsx"
import { StatusBadge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card, Facts } from "../ui/Card.tsx"
import { Code } from "../ui/Code.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { millisOf } from "../ui/Format.ts"
import { LoadedPage } from "../ui/LoadedPage.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Notice } from "../ui/States.tsx"
import { useNow, When } from "../ui/Time.tsx"
import { Attempt, succeeded } from "./Attempt.tsx"
import { deliveryStory, rounds } from "./DeliveryStory.ts"
import { failureReason } from "./FailureReason.ts"

type Delivery = Answer<"GET /v1/webhooks/deliveries/:id">

/** How often the delivery is asked for again, in milliseconds. */
const EACH = 2_000

const Story = ({ delivery }: { readonly delivery: Delivery }) => {
  const time = useNow()
  const { attempt_count: attempts, due_at: due, status } = delivery
  return <>{deliveryStory({ status, attempts, dueAt: due === null ? null : millisOf(due) }, time)}</>
}

const Retry = ({ delivery }: { readonly delivery: Delivery }) => {
  const retry = useAct("POST /v1/webhooks/deliveries/:id/retry", {
    done: "It is tried again",
    changes: ["GET /v1/webhooks/deliveries/:id", "GET /v1/webhooks/:id/deliveries"]
  })
  return (
    <Button
      look="main"
      icon="refresh"
      busy={retry.isPending}
      onClick={() => retry.mutate({ params: { id: delivery.id } })}
    >
      Retry
    </Button>
  )
}

/** Says what went wrong last, and what to do. Nothing where nothing did. */
const WhyItFailed = ({ delivery }: { readonly delivery: Delivery }) => {
  const last = delivery.attempts.at(-1)
  if (delivery.status === "held") {
    return (
      <Notice tone="wait" title="The day's deliveries are used up">
        It goes on when the day turns (UTC), or when your company's plan grows.
      </Notice>
    )
  }
  if (last === undefined || succeeded(last)) return null
  const { what, advice } = failureReason(last)
  const isOver = delivery.status === "failed"
  return (
    <Notice tone={isOver ? "bad" : "wait"} title={isOver ? "Why did it fail?" : "Why is it not delivered yet?"}>
      <p>{what}</p>
      <p>{advice}</p>
    </Notice>
  )
}

const Attempts = ({ delivery }: { readonly delivery: Delivery }) => {
  const groups = rounds(delivery.attempts)
  const last = delivery.attempts.at(-1)
  return (
    <Card title="Attempts" flush>
      {last === undefined && (
        <Empty icon="clock" title="It was not tried yet">
          The first attempt is made at once, unless the day&apos;s deliveries are used up.
        </Empty>
      )}
      {groups.map(({ attempts, round }) => (
        <div key={round} className="attempt-round">
          {groups.length > 1 && <h3>{round === 1 ? "First round" : `Round ${round}, retried by hand`}</h3>}
          {attempts.toReversed().map((attempt) => (
            <Attempt key={attempt.number} attempt={attempt} isOpen={attempt === last} />
          ))}
        </div>
      ))}
    </Card>
  )
}

const Shown = ({ delivery }: { readonly delivery: Delivery }) => (
  <>
    <PageHead
      title={delivery.event}
      lead={<Story delivery={delivery} />}
      badge={<StatusBadge status={delivery.status} />}
      parent={{ to: `/webhooks/${delivery.webhook_id}`, title: "Endpoint" }}
      {...(delivery.status === "failed" ? { actions: <Retry delivery={delivery} /> } : {})}
    />
    <WhyItFailed delivery={delivery} />
    <div className="delivery-columns">
      <Attempts delivery={delivery} />
      <div className="stack">
        <Card title="Delivery">
          <Facts
            rows={[
              ["Endpoint", <code key="url">{delivery.url}</code>],
              ["Event id", <CopyId key="event" value={delivery.event_id} />],
              ["Caused by", <CausedBy key="cause" eventSeq={delivery.event_seq} />],
              ["Delivery id", <CopyId key="id" value={delivery.id} />],
              ["Created", <When key="created" at={delivery.created_at} />],
              ["Last change", <When key="updated" at={delivery.updated_at} />]
            ]}
          />
        </Card>
        <Card title="Body">
          <Code label="Body of the request" text={delivery.body} />
        </Card>
      </div>
    </div>
  </>
)

/** One delivery: what was sent, what was answered, and why it failed. */
const DeliveryPage = () => {
  const { delivery: id = "" } = useParams<{ delivery: string }>()
  const found = useApi("GET /v1/webhooks/deliveries/:id", { params: { id } }, { every: EACH })
  return (
    <LoadedPage of={found} title="Delivery" parent={{ to: "/webhooks", title: "Webhooks" }}>
      {(delivery) => <Shown delivery={delivery} />}
    </LoadedPage>
  )
}

export default DeliveryPage
