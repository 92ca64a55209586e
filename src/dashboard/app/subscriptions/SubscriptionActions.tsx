import { useState } from "react"
import type { Answer } from "../Contract.ts"
import { useAct } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm, Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, SelectField } from "../ui/Field.tsx"
import { dayOf, usd } from "../ui/Format.ts"
import { Problem } from "../ui/States.tsx"

type Subscription = Answer<"GET /v1/subscriptions/:id">

const CHANGES = [
  "GET /v1/subscriptions",
  "GET /v1/subscriptions/:id",
  "GET /v1/subscriptions/:id/history",
  "GET /v1/funds"
] as const

interface OfSubscription {
  readonly subscription: Subscription
  readonly onClose: () => void
}

const Renew = ({ subscription, onClose }: OfSubscription) => {
  const { id, next_at: next, price, status } = subscription
  const renew = useAct("POST /v1/subscriptions/:id/renew", {
    done: "The period is paid",
    quiet: true,
    changes: CHANGES,
    onDone: onClose
  })
  return (
    <Confirm
      title="Pay the next period now"
      act={`Pay ${usd(price)}`}
      danger={false}
      busy={renew.isPending}
      onConfirm={() => renew.mutate({ params: { id } })}
      onClose={onClose}
    >
      <p>
        {usd(price)} go from your USD fund to the seller, and the pieces are yours.{" "}
        {status === "active" && next !== null
          ? `The period would be due on ${dayOf(next)}. The days of the later ones stay.`
          : "What is owed is paid with it."}
      </p>
      <Problem error={renew.error} />
    </Confirm>
  )
}

type Time = "end" | "now"

const TIMES: ReadonlyArray<readonly [Time, string]> = [
  ["end", "When the period that is paid is over"],
  ["now", "At once"]
]

const Cancel = ({ subscription, onClose }: OfSubscription) => {
  const { id, paid_periods: paid, status } = subscription
  const canEnd = status === "active" && paid > 0
  const [time, setTime] = useState<Time>(canEnd ? "end" : "now")
  const cancel = useAct("POST /v1/subscriptions/:id/cancel", {
    done: time === "end" ? "It ends with the period" : "Subscription cancelled",
    quiet: true,
    changes: CHANGES,
    onDone: onClose
  })
  return (
    <Dialog title="Cancel the subscription" onClose={onClose}>
      <Form onSubmit={() => cancel.mutate({ params: { id }, payload: { at_period_end: time === "end" } })}>
        {canEnd && <SelectField label="When it ends" value={time} onChange={setTime} options={TIMES} />}
        <p>Nothing that was paid is refunded, and nothing more is charged. It cannot be undone.</p>
        <Problem error={cancel.error} />
        <Actions>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" type="submit" busy={cancel.isPending}>
            Cancel subscription
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

/** The buttons of a subscription's page: what the person can do with it now. */
export const SubscriptionActions = ({ subscription }: { readonly subscription: Subscription }) => {
  const { id: userId } = usePerson()
  const [open, setOpen] = useState<"renew" | "cancel">()
  const close = () => setOpen(undefined)
  const { cancel_at: end, status, user_id: payer } = subscription
  const runs = status === "active" || status === "past_due"
  return (
    <>
      {runs && end === null && payer === userId && (
        <Button look="main" icon="repeat" onClick={() => setOpen("renew")}>
          Pay the next period
        </Button>
      )}
      {runs && (
        <Button look="danger" onClick={() => setOpen("cancel")}>
          Cancel
        </Button>
      )}
      {open === "renew" && <Renew subscription={subscription} onClose={close} />}
      {open === "cancel" && <Cancel subscription={subscription} onClose={close} />}
    </>
  )
}
