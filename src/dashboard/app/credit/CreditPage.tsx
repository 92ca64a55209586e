import { useState } from "react"
import type { Answer, RowOf } from "../Contract.ts"
import { useApi, useRows } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Card, Columns, Stat, Stats } from "../ui/Card.tsx"
import { count, usd } from "../ui/Format.ts"
import { Meter } from "../ui/Meter.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Failed, Waiting } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"
import { CreditRequestForm } from "./CreditRequestForm.tsx"
import { Points, Reasons, Score } from "./ScoreCard.tsx"
import { bandWord } from "./ScoreReading.ts"

type Profile = Answer<"GET /v1/credit/profile/:profileId">
type Past = RowOf<"GET /v1/credit/profile/:profileId/history">

const Limit = ({ profile }: { readonly profile: Profile }) => (
  <>
    <Stats>
      <Stat label="Credit limit" value={usd(profile.limit)} note="What you may owe at once" />
      <Stat
        label="Free"
        value={usd(profile.available)}
        note={profile.frozen ? "Frozen: pay what is overdue first" : "For orders on net terms or in instalments"}
      />
      <Stat label="Used" value={usd(profile.used)} note="By orders that are not paid yet" />
      <Stat label="Interest" value={`${count(profile.apr)} %`} note="A year. Orders here carry none." />
    </Stats>
    <Card>
      <Meter
        label="Limit used"
        value={profile.used}
        max={profile.limit}
        text={`${usd(profile.used)} of ${usd(profile.limit)}`}
      />
    </Card>
  </>
)

const COLUMNS: ReadonlyArray<Column<Past>> = [
  { title: "When", cell: (card) => <When at={card.assessedAt} /> },
  { title: "Score", cell: ({ score }) => score, align: "right" },
  { title: "Band", cell: ({ band }) => `${band}: ${bandWord(band)}`, wide: true },
  { title: "Limit", cell: ({ limit }) => usd(limit), align: "right" }
]

const Earlier = ({ profileId }: { readonly profileId: string }) => {
  const [offset, setOffset] = useState(0)
  const cards = useRows("GET /v1/credit/profile/:profileId/history", {
    params: { profileId },
    query: { limit: PAGE_ROWS, offset }
  })
  return (
    <Card title="Every score so far" flush>
      <List
        label="Scores"
        of={cards}
        columns={COLUMNS}
        keyOf={({ assessedAt, score }) => `${assessedAt} ${score}`}
        page={{ offset, onMove: setOffset }}
        empty={<Empty icon="gauge" title="None yet" />}
      />
    </Card>
  )
}

/** What is seen of the person's credit: `undefined` while it is not known whether there is a card. */
const Body = ({ id, onAsk }: { readonly id: string; readonly onAsk: () => void }) => {
  const profile = useApi("GET /v1/credit/profile/:profileId", { params: { profileId: id } })
  if (profile.data !== undefined) {
    return (
      <>
        <Limit profile={profile.data} />
        <Columns>
          <Score profile={profile.data} />
          <Reasons profile={profile.data} />
        </Columns>
        <Points profile={profile.data} />
        <Earlier profileId={id} />
      </>
    )
  }
  if (profile.error?.status === 404) {
    return (
      <Card>
        <Empty
          icon="gauge"
          title="You have no score yet"
          action={
            <Button look="main" onClick={onAsk}>
              Request credit
            </Button>
          }
        >
          Six questions give you a score, the points behind it and a limit. With it you buy now and pay in 30 or 60
          days, or in instalments.
        </Empty>
      </Card>
    )
  }
  return profile.error === null ? (
    <Waiting lines={6} />
  ) : (
    <Failed error={profile.error} retry={() => void profile.refetch()} />
  )
}

/** The person's score card and credit limit. */
const CreditPage = () => {
  const { id } = usePerson()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <PageHead
        title="Credit"
        lead="What you may owe, and every point of the score behind it."
        actions={
          <Button look="main" icon="gauge" onClick={() => setAsking(true)}>
            Request credit
          </Button>
        }
      />
      <Body id={id} onAsk={() => setAsking(true)} />
      {asking && <CreditRequestForm onClose={() => setAsking(false)} />}
    </>
  )
}

export default CreditPage
