import { useState } from "react"
import type { Refused } from "../Refused.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { Problem } from "../ui/States.tsx"

/** Money that comes from outside. */
export interface Funding {
  readonly type: string
  readonly symbol: string
  readonly external_reference: string
}

interface FundingDialogProps {
  readonly title: string
  /** The button's words. */
  readonly act: string
  readonly busy: boolean
  readonly error: Refused | null
  readonly onSend: (funding: Funding) => void
  readonly onClose: () => void
}

/** Asks how much money comes in, and what it stands for outside. */
export const FundingDialog = ({ act, busy, error, onClose, onSend, title }: FundingDialogProps) => {
  const [type, setType] = useState("USD")
  const [symbol, setSymbol] = useState("")
  const [reference, setReference] = useState("")
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => onSend({ type, symbol, external_reference: reference })}>
        <div className="pair">
          <TextField label="Currency" required maxLength={16} value={type} onChange={setType} autoComplete="off" />
          <TextField
            label="Amount"
            required
            inputMode="decimal"
            value={symbol}
            onChange={setSymbol}
            autoComplete="off"
          />
        </div>
        <TextField
          label="Reference"
          hint="What the money stands for outside, such as a line of a bank's statement. Taken once."
          required
          maxLength={128}
          value={reference}
          onChange={setReference}
          autoComplete="off"
        />
        <Problem error={error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main" busy={busy}>
            {act}
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
