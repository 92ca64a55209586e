import { useState } from "react"
import type { RowOf } from "../Contract.ts"
import { useAct } from "../Data.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, Form } from "../ui/Field.tsx"
import { Problem } from "../ui/States.tsx"
import { exactAmount } from "./ExactAmount.ts"
import { QuantityField } from "./AssetField.tsx"

interface WithdrawProps {
  readonly fund: RowOf<"GET /v1/funds">
  readonly onClose: () => void
}

/** Takes money out of a fund. */
export const Withdraw = ({ fund, onClose }: WithdrawProps) => {
  const [quantity, setQuantity] = useState("")
  const withdraw = useAct("POST /v1/withdraw", {
    done: "Money taken out",
    quiet: true,
    changes: ["GET /v1/funds", "GET /v1/funds/:id", "GET /v1/funds/:id/entries", "GET /v1/withdraw"],
    onDone: onClose
  })
  return (
    <Dialog title={`Withdraw ${fund.type}`} onClose={onClose}>
      <Form onSubmit={() => withdraw.mutate({ payload: { quantity, id: fund.id } })}>
        <QuantityField
          label={`Amount in ${fund.type}`}
          value={quantity}
          onChange={setQuantity}
          hint={`At most ${exactAmount(fund.available, fund.type)}, which nothing reserves.`}
        />
        <Problem error={withdraw.error} />
        <Actions>
          <Button onClick={() => setQuantity(fund.available)}>All of it</Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" busy={withdraw.isPending}>
            Withdraw
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
