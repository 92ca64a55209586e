import { useState } from "react"
import type { Answer } from "../Contract.ts"
import { useAct } from "../Data.ts"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Confirm, Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { usd } from "../ui/Format.ts"
import { Problem } from "../ui/States.tsx"
import { PAYMENT_CHANGES } from "./PayDialog.tsx"
import type { PaymentActs } from "./PaymentReading.ts"

type Payment = Answer<"GET /v1/payments/:id">

interface OfPayment {
  readonly payment: Payment
  readonly onClose: () => void
}

const LetGo = ({ payment, onClose }: OfPayment) => {
  const letGo = useAct("POST /v1/payments/:id/void", {
    done: "The money is let go",
    changes: PAYMENT_CHANGES,
    onDone: onClose
  })
  return (
    <Confirm
      title="Let the money go"
      act="Let it go"
      busy={letGo.isPending}
      onConfirm={() => letGo.mutate({ params: { id: payment.id } })}
      onClose={onClose}
    >
      <p>Nothing was taken, and the order is still to be paid. This authorization cannot be taken after.</p>
    </Confirm>
  )
}

const Refund = ({ payment, onClose }: OfPayment) => {
  const [text, setText] = useState("")
  const refund = useAct("POST /v1/payments/:id/refund", {
    done: "The money is on its way back",
    quiet: true,
    changes: PAYMENT_CHANGES,
    onDone: onClose
  })
  const payload = text === "" ? {} : { amount: Number(text) }
  return (
    <Dialog title="Refund the payment" onClose={onClose}>
      <Form onSubmit={() => refund.mutate({ params: { id: payment.id }, payload })}>
        <p>
          The money goes from the USD fund that was paid back to the buyer's{" "}
          {payment.provider === "wallet" ? "fund" : "card"}.
        </p>
        <TextField
          label="Amount (USD, optional)"
          inputMode="decimal"
          pattern="[0-9]+([.][0-9]{1,6})?"
          title="A number such as 19.90"
          hint={`Left empty, all that you can still give back of ${usd(payment.amount)}.`}
          value={text}
          onChange={setText}
        />
        <Problem error={refund.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" type="submit" busy={refund.isPending}>
            Refund
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

interface PaymentActionsProps {
  readonly payment: Payment
  readonly acts: PaymentActs
}

/** The buttons of a payment's page: what the person's company can do with it now. */
export const PaymentActions = ({ payment, acts }: PaymentActionsProps) => {
  const [open, setOpen] = useState<"void" | "refund">()
  const close = () => setOpen(undefined)
  const take = useAct("POST /v1/payments/:id/capture", { changes: PAYMENT_CHANGES })
  return (
    <>
      {acts.canConclude && (
        <>
          <Button
            look="main"
            icon="card"
            busy={take.isPending}
            onClick={() => take.mutate({ params: { id: payment.id } })}
          >
            Take {usd(payment.amount)}
          </Button>
          <Button look="danger" onClick={() => setOpen("void")}>
            Let it go
          </Button>
        </>
      )}
      {acts.canRefund && (
        <Button look="danger" icon="refresh" onClick={() => setOpen("refund")}>
          Refund
        </Button>
      )}
      {acts.canPayAnew && (
        <ButtonLink to={`/orders/${payment.order_id}`} look="main" icon="card">
          Pay the order anew
        </ButtonLink>
      )}
      {open === "void" && <LetGo payment={payment} onClose={close} />}
      {open === "refund" && <Refund payment={payment} onClose={close} />}
    </>
  )
}
