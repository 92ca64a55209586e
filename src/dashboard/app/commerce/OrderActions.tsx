import { useState } from "react"
import type { Answer } from "../Contract.ts"
import { useAct } from "../Data.ts"
import { PayDialog } from "../payments/PayDialog.tsx"
import { usePerson } from "../shell/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm, Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { Problem } from "../ui/States.tsx"
import { openActs } from "./OrderActs.ts"
import type { ActableOrder } from "./OrderActs.ts"

type Order = Answer<"GET /v1/orders/:id">

const CHANGES = [
  "GET /v1/orders",
  "GET /v1/orders/:id",
  "GET /v1/orders/:id/history",
  "GET /v1/funds",
  "GET /v1/payments"
] as const

/** An order as far as it says what can be done with it. */
export const actable = (order: Order): ActableOrder => ({
  buyerId: order.company_id,
  status: order.status,
  payment: order.payment_status,
  fulfilment: order.fulfilment_status,
  isPrepaid: order.payment_terms.type === "prepaid",
  openInstalments: order.payment_terms.schedule.filter(({ paid }) => !paid).length,
  sellers: order.sellers.map(({ company_id: companyId, fulfilled_at: at }) => ({ companyId, isFulfilled: at !== null }))
})

interface OfOrder {
  readonly order: Order
  readonly onClose: () => void
}

const Fulfil = ({ order, onClose }: OfOrder) => {
  const fulfil = useAct("POST /v1/orders/:id/fulfil", {
    done: "Your items are delivered",
    changes: CHANGES,
    onDone: onClose
  })
  return (
    <Confirm
      title="Deliver your items"
      act="They are delivered"
      danger={false}
      busy={fulfil.isPending}
      onConfirm={() => fulfil.mutate({ params: { id: order.id } })}
      onClose={onClose}
    >
      <p>
        Say so once your items of this order have left. It cannot be undone, and the order can no longer be cancelled.
      </p>
    </Confirm>
  )
}

const Cancel = ({ order, onClose }: OfOrder) => {
  const [reason, setReason] = useState("")
  const cancel = useAct("POST /v1/orders/:id/cancel", {
    done: "Order cancelled",
    quiet: true,
    changes: CHANGES,
    onDone: onClose
  })
  const payload = reason === "" ? {} : { reason }
  return (
    <Dialog title="Cancel the order" onClose={onClose}>
      <Form onSubmit={() => cancel.mutate({ params: { id: order.id }, payload })}>
        <p>Its pieces are for sale again, and every payment goes back to where it came from. It cannot be undone.</p>
        <TextField
          label="Reason (optional)"
          maxLength={500}
          hint="The other side reads it."
          value={reason}
          onChange={setReason}
        />
        <Problem error={cancel.error} />
        <Actions>
          <Button onClick={onClose}>Keep the order</Button>
          <Button look="danger" type="submit" busy={cancel.isPending}>
            Cancel order
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

/** The buttons of an order's page: what the person's company can do with it now. */
export const OrderActions = ({ order }: { readonly order: Order }) => {
  const { company_id } = usePerson()
  const [open, setOpen] = useState<"pay" | "fulfil" | "cancel">()
  const close = () => setOpen(undefined)
  const acts = openActs(actable(order), company_id)
  return (
    <>
      {acts.pay !== "no" && (
        <Button look="main" icon="card" onClick={() => setOpen("pay")}>
          Pay
        </Button>
      )}
      {acts.canFulfil && (
        <Button look="main" icon="box" onClick={() => setOpen("fulfil")}>
          Mark as delivered
        </Button>
      )}
      {acts.canCancel && (
        <Button look="danger" onClick={() => setOpen("cancel")}>
          Cancel order
        </Button>
      )}
      {open === "pay" && <PayDialog order={order} onClose={close} />}
      {open === "fulfil" && <Fulfil order={order} onClose={close} />}
      {open === "cancel" && <Cancel order={order} onClose={close} />}
    </>
  )
}
