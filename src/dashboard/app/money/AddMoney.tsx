import { useState } from "react"
import { useAct } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, Form } from "../ui/Field.tsx"
import { Problem } from "../ui/States.tsx"
import { AssetField, QuantityField } from "./AssetField.tsx"

/** Adds play money to a fund of the person. The sandbox alone takes it. */
export const AddMoney = ({ onClose }: { readonly onClose: () => void }) => {
  const { id } = usePerson()
  const [type, setType] = useState("USD")
  const [symbol, setSymbol] = useState("10000")
  const add = useAct("POST /v1/funds", {
    done: "Money added",
    quiet: true,
    changes: ["GET /v1/funds", "GET /v1/funds/:id", "GET /v1/funds/:id/entries"],
    onDone: onClose
  })
  return (
    <Dialog title="Add play money" onClose={onClose}>
      <Form onSubmit={() => add.mutate({ payload: { owner: id, type, symbol } })}>
        <p className="hint">This is a sandbox: money is made from nothing, at most 1,000,000,000 of each kind.</p>
        <div className="pair">
          <QuantityField label="Amount" value={symbol} onChange={setSymbol} />
          <AssetField label="Of" value={type} onChange={setType} />
        </div>
        <Problem error={add.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" busy={add.isPending}>
            Add money
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
