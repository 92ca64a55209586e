import { useState } from "react"
import type { Answer, Payload } from "../Contract.ts"
import { useAct, useApi } from "../Data.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Code } from "../ui/Code.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, SelectField } from "../ui/Field.tsx"
import { duration } from "../ui/Format.ts"
import { Loaded, Problem } from "../ui/States.tsx"
import { failureReason } from "./FailureReason.ts"

type EventType = Payload<"POST /v1/webhooks/test">["event"]
type Result = Answer<"POST /v1/webhooks/test">

const Outcome = ({ result }: { readonly result: Result }) => {
  const { what, advice } = failureReason(result)
  return (
    <div className="test-outcome" role="status">
      <p className="outcome-line">
        <Badge tone={result.delivered ? "good" : "bad"}>{result.delivered ? "Delivered" : "Not delivered"}</Badge>
        <span>{result.delivered ? `${result.status} in ${duration(result.duration_ms)}` : what}</span>
      </p>
      {!result.delivered && <p className="hint">{advice}</p>}
      {result.answer !== null && result.answer !== "" && <Code label="The receiver's answer" text={result.answer} />}
      <p className="field-label">What was sent</p>
      <Code label="What was sent" text={result.body} />
      {result.signing_secret !== null && (
        <p className="hint">
          No endpoint of yours has this URL, so it was signed by a secret of its own:{" "}
          <code>{result.signing_secret}</code>
        </p>
      )}
    </div>
  )
}

interface TestDialogProps {
  readonly url: string
  readonly onClose: () => void
}

/** Posts an example of an event to an endpoint at once, and shows what came of it. */
export const TestDialog = ({ url, onClose }: TestDialogProps) => {
  const types = useApi("GET /v1/webhooks/event-types", {})
  const [event, setEvent] = useState<EventType>("order.created")
  const test = useAct("POST /v1/webhooks/test", { quiet: true })
  return (
    <Dialog title="Send a test event" onClose={onClose}>
      <p className="hint">
        Posts an example to <code>{url}</code>. Nothing of it is kept, and nothing is tried again.
      </p>
      <Loaded of={types}>
        {(rows) => (
          <Form onSubmit={() => test.mutate({ payload: { endpoint: url, event } })}>
            <SelectField
              label="Event"
              value={event}
              onChange={setEvent}
              options={rows.map(({ type }) => [type, type] as const)}
              hint={rows.find(({ type }) => type === event)?.description}
            />
            <Problem error={test.error} />
            {test.data !== undefined && <Outcome result={test.data} />}
            <Actions>
              <Button onClick={onClose}>Close</Button>
              <Button look="main" type="submit" busy={test.isPending}>
                Send test event
              </Button>
            </Actions>
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}
