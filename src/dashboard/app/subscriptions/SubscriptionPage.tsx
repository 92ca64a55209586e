import { useParams } from "wouter"
import { CompanyName } from "../commerce/CompanyName.tsx"
import type { Answer, RowOf } from "../Contract.ts"
import { useApi, useRows } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { StatusBadge } from "../ui/Badge.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Card, Facts, Stat, Stats } from "../ui/Card.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { count, dayOf, price, usd } from "../ui/Format.ts"
import { metadataFacts } from "../ui/MetadataField.tsx"
import { LoadedPage } from "../ui/LoadedPage.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Loaded, Notice } from "../ui/States.tsx"
import { When } from "../ui/Time.tsx"
import { SubscriptionActions } from "./SubscriptionActions.tsx"
import { everyOf, remedyOf, standingOf, subscriptionSentence } from "./SubscriptionStory.ts"

type Subscription = Answer<"GET /v1/subscriptions/:id">
type Act = RowOf<"GET /v1/subscriptions/:id/history">

/** How often the subscription is asked for again, in milliseconds. */
const EACH = 10_000

/** Acts that are shown of it. */
const MOST_ACTS = 100

const useHistory = (id: string) =>
  useRows("GET /v1/subscriptions/:id/history", { params: { id }, query: { limit: MOST_ACTS } }, { every: EACH })

const TONES: Readonly<Record<Act["event"], string>> = {
  created: "live",
  renewed: "good",
  payment_failed: "bad",
  end_set: "wait",
  cancelled: "bad"
}

const History = ({ id }: { readonly id: string }) => {
  const { id: userId } = usePerson()
  const sentence = (act: Act) =>
    subscriptionSentence({ ...act, amount: act.amount === null ? null : usd(act.amount) }, userId)
  return (
    <Card title="History">
      <Loaded of={useHistory(id)}>
        {({ rows }) => (
          <ol className="timeline">
            {rows.toReversed().map((act) => (
              <li key={act.sequence} className={TONES[act.event]}>
                <p>{sentence(act)}</p>
                <p className="soft">
                  <When at={act.at} />
                </p>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Card>
  )
}

/** Why the period that is due could not be charged, and what to do. */
const PastDue = ({ subscription }: { readonly subscription: Subscription }) => {
  const newest = useHistory(subscription.id).data?.rows.findLast(({ event }) => event === "payment_failed")
  const reason = newest?.reason ?? null
  const action = reason === "insufficient_funds" ? { action: <ButtonLink to="/funds">Add money</ButtonLink> } : {}
  return (
    <Notice tone="bad" title={standingOf(subscription)} {...action}>
      {remedyOf(reason)}
    </Notice>
  )
}

const Figures = ({ subscription }: { readonly subscription: Subscription }) => {
  const { cancel_at: end, failures, interval, next_at: next, paid_periods: paid, periods } = subscription
  return (
    <Stats>
      <Stat
        label="A period"
        value={usd(subscription.price)}
        note={`${count(subscription.quantity)} × ${price(subscription.unit_price)} ${everyOf(interval)}`}
      />
      <Stat label="Periods paid" value={periods === null ? count(paid) : `${count(paid)} of ${count(periods)}`} />
      <Stat
        label={end === null ? "Next period" : "Ends"}
        value={next === null ? "None" : dayOf(end ?? next)}
        note={failures === 0 ? undefined : `${count(failures)} of 4 tries failed`}
      />
      <Stat label="Paid so far" value={usd(paid * subscription.price)} />
    </Stats>
  )
}

const Details = ({ subscription }: { readonly subscription: Subscription }) => {
  const { ended_at: ended, periods } = subscription
  return (
    <Card title="Terms">
      <Facts
        rows={[
          ["Buyer", <CompanyName key="buyer" id={subscription.company_id} />],
          ["Seller", <CompanyName key="seller" id={subscription.seller_company_id} />],
          ["Pieces", `${count(subscription.quantity)} ${everyOf(subscription.interval)}`],
          ["Price", `${price(subscription.unit_price)} a piece, fixed`],
          ["Runs", periods === null ? "Until it is cancelled" : `For ${count(periods)} ${subscription.interval}s`],
          ["First period", dayOf(subscription.start)],
          ["Made", <When key="made" at={subscription.created_at} />],
          ...(ended === null ? [] : [["Ended", <When key="ended" at={ended} />] as const]),
          ...metadataFacts(subscription.metadata)
        ]}
      />
    </Card>
  )
}

const Shown = ({ subscription }: { readonly subscription: Subscription }) => {
  const { company_id: companyId } = usePerson()
  const product = useApi("GET /v1/commerce/products/:id", { params: { id: subscription.product_id } })
  const side = subscription.company_id === companyId ? "Your company buys." : "Your company sells."
  const isLate = subscription.status === "past_due"
  return (
    <>
      <PageHead
        title={product.data?.name ?? "Subscription"}
        lead={
          <>
            {side} {isLate ? "" : `${standingOf(subscription)} `}
            <CopyId value={subscription.id} />
          </>
        }
        badge={<StatusBadge status={subscription.status} />}
        parent={{ to: "/subscriptions", title: "Subscriptions" }}
        actions={<SubscriptionActions subscription={subscription} />}
      />
      {isLate && <PastDue subscription={subscription} />}
      <Figures subscription={subscription} />
      <div className="delivery-columns">
        <Details subscription={subscription} />
        <History id={subscription.id} />
      </div>
    </>
  )
}

/** One subscription: its terms, what is paid, and what happened. */
const SubscriptionPage = () => {
  const { id = "" } = useParams<{ id: string }>()
  const found = useApi("GET /v1/subscriptions/:id", { params: { id } }, { every: EACH })
  return (
    <LoadedPage of={found} title="Subscription" parent={{ to: "/subscriptions", title: "Subscriptions" }}>
      {(subscription) => <Shown subscription={subscription} />}
    </LoadedPage>
  )
}

export default SubscriptionPage
