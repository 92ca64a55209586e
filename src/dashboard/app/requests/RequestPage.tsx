import type { ReactNode } from "react"
import { useParams } from "wouter"
import type { Answer } from "../Contract.ts"
import { useApi } from "../Data.ts"
import { Badge } from "../ui/Badge.tsx"
import { Card, Facts } from "../ui/Card.tsx"
import { Code } from "../ui/Code.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { duration } from "../ui/Format.ts"
import { Meter } from "../ui/Meter.tsx"
import { LoadedPage } from "../ui/LoadedPage.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Notice } from "../ui/States.tsx"
import { When } from "../ui/Time.tsx"
import { bytesText, noBodyText, type Phases, phaseParts, toneOf } from "./RequestReading.ts"

type Detail = Answer<"GET /v1/requests/:id">

/** Where the time of a commit went. */
const PhasesCard = ({ phases, took }: { readonly phases: Phases; readonly took: number }) => (
  <Card title="Phases of its commit" aside={<span className="soft">{duration(took)} in all</span>}>
    <div className="stack">
      {phaseParts(phases).map(([name, millis]) => (
        <Meter key={name} label={name} value={millis} max={took} text={duration(millis)} />
      ))}
      <p className="soft">
        {phases.projection_ms === null
          ? "The tables did not have it yet when this was logged."
          : `The tables had it ${duration(phases.projection_ms)} after it was sent to the journal. No request waits for that.`}
      </p>
    </div>
  </Card>
)

const optional = (name: string, value: string | null): ReadonlyArray<readonly [string, ReactNode]> =>
  value === null || value === "" ? [] : [[name, <CopyId key={name} value={value} />]]

const RequestFacts = ({ request }: { readonly request: Detail }) => (
  <Card title="Request">
    <Facts
      rows={[
        ["Path", <code key="path">{request.path}</code>],
        ...(request.query === null ? [] : [["Query", <code key="query">{request.query}</code>] as const]),
        ["Request id", <CopyId key="request" value={request.request_id} />],
        ...optional("User", request.user_id),
        ...optional("Client", request.client_id),
        ...optional("Trace", request.trace_id),
        ["From", <code key="address">{request.address}</code>],
        ["Arrived", <When key="at" at={request.at} />],
        ["Took", duration(request.duration_ms)],
        ["Sent, answered", `${bytesText(request.request_bytes) || "no body"}, ${bytesText(request.response_bytes)}`],
        ...(request.event_seqs.length === 0 ? [] : [["Events", request.event_seqs.join(", ")] as const])
      ]}
    />
  </Card>
)

const Refusal = ({ request }: { readonly request: Detail }) =>
  request.status < 400 ? null : (
    <Card title="Refused body">
      {request.body === null ? (
        <p className="soft">{noBodyText(request.request_bytes)}</p>
      ) : (
        <div className="stack">
          <p className="soft">Secrets, and what is in fields that the operation does not know, are removed.</p>
          <Code label="Body of the request" text={request.body} />
        </div>
      )}
    </Card>
  )

const Shown = ({ request }: { readonly request: Detail }) => (
  <>
    <PageHead
      title={request.operation === "unmatched" ? request.path : request.operation}
      lead={<When at={request.at} />}
      badge={<Badge tone={toneOf(request.status)}>{request.status}</Badge>}
      parent={{ to: "/requests", title: "Requests" }}
    />
    {request.code !== null && (
      <Notice tone={request.status >= 500 ? "bad" : "wait"} title={`Refused: ${request.code}`} />
    )}
    <div className="delivery-columns">
      <div className="stack">
        {request.phases !== null && <PhasesCard phases={request.phases} took={request.duration_ms} />}
        <Refusal request={request} />
      </div>
      <RequestFacts request={request} />
    </div>
  </>
)

/** One request: who sent it, how it was answered, where its time went, and the body that was refused. */
const RequestPage = () => {
  const { id = "" } = useParams<{ id: string }>()
  const found = useApi("GET /v1/requests/:id", { params: { id } })
  return (
    <LoadedPage of={found} title="Request" parent={{ to: "/requests", title: "Requests" }}>
      {(request) => <Shown request={request} />}
    </LoadedPage>
  )
}

export default RequestPage
