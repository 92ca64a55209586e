import { useState } from "react"
import { useAct } from "../Data.ts"
import { now } from "../Platform.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, SelectField } from "../ui/Field.tsx"
import { count } from "../ui/Format.ts"
import { Problem } from "../ui/States.tsx"
import { useToasts } from "../ui/Toasts.tsx"

const HOUR = 3_600_000

const SPANS = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR, all: undefined } as const

type Span = keyof typeof SPANS

const OPTIONS: ReadonlyArray<readonly [Span, string]> = [
  ["hour", "In the last hour"],
  ["day", "In the last 24 hours"],
  ["week", "In the last 7 days"],
  ["all", "Ever"]
]

const sinceOf = (span: Span): string => {
  const length = SPANS[span]
  return new Date(length === undefined ? 0 : now() - length).toISOString()
}

interface RetryFailedProps {
  readonly webhookId: string
  readonly onClose: () => void
}

/** Retries everything of an endpoint that failed since a time. */
export const RetryFailed = ({ webhookId, onClose }: RetryFailedProps) => {
  const [span, setSpan] = useState<Span>("day")
  const { say } = useToasts()
  const retry = useAct("POST /v1/webhooks/:id/retry", {
    quiet: true,
    changes: ["GET /v1/webhooks/:id/deliveries"],
    onDone: ({ left, retried }) => {
      const rest = left === 0 ? "" : ` ${count(left)} more are left: retry again.`
      say("good", `${count(retried)} ${retried === 1 ? "delivery is" : "deliveries are"} tried again.${rest}`)
      onClose()
    }
  })
  return (
    <Dialog title="Retry failed deliveries" onClose={onClose}>
      <Form onSubmit={() => retry.mutate({ params: { id: webhookId }, payload: { since: sinceOf(span) } })}>
        <SelectField
          label="Which failed"
          value={span}
          onChange={setSpan}
          options={OPTIONS}
          hint="The oldest goes first. Each gets five attempts anew, with the event id that it had."
        />
        <Problem error={retry.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" icon="refresh" busy={retry.isPending}>
            Retry them
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
