import { useState } from "react"
import { useAct } from "../Data.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, CheckField, Form, SelectField, TextField } from "../ui/Field.tsx"
import { Problem } from "../ui/States.tsx"

type Purpose = "venture" | "debt_consolidation" | "education" | "home_improvement" | "medical" | "personal"

const PURPOSES: ReadonlyArray<readonly [Purpose, string]> = [
  ["venture", "Business and its purchases"],
  ["debt_consolidation", "Paying off other debts"],
  ["education", "Education"],
  ["home_improvement", "Home improvement"],
  ["medical", "Medical costs"],
  ["personal", "Something else"]
]

const START = {
  annualIncome: "",
  homeOwnership: false,
  empLength: "",
  loanAmt: "",
  purpose: "venture" as Purpose,
  desc: ""
}

type Fields = typeof START

interface QuestionsProps {
  readonly fields: Fields
  readonly set: (change: Partial<Fields>) => void
}

const Questions = ({ fields, set }: QuestionsProps) => (
  <>
    <div className="pair">
      <TextField
        label="Annual income (USD)"
        required
        inputMode="numeric"
        pattern="[0-9]+([.][0-9]+)?"
        title="A number such as 85000"
        value={fields.annualIncome}
        onChange={(annualIncome) => set({ annualIncome })}
      />
      <TextField
        label="Amount (USD)"
        required
        inputMode="numeric"
        pattern="[0-9]+"
        title="A whole number of dollars"
        value={fields.loanAmt}
        onChange={(loanAmt) => set({ loanAmt })}
      />
    </div>
    <div className="pair">
      <TextField
        label="Years in your employment"
        required
        inputMode="numeric"
        value={fields.empLength}
        onChange={(empLength) => set({ empLength })}
      />
      <SelectField label="Purpose" value={fields.purpose} onChange={(purpose) => set({ purpose })} options={PURPOSES} />
    </div>
    <CheckField
      label="I own my home, or pay a mortgage on it"
      checked={fields.homeOwnership}
      onChange={(homeOwnership) => set({ homeOwnership })}
    />
  </>
)

/** Asks for a score and a limit: the fields of Specification 2.8. */
export const CreditRequestForm = ({ onClose }: { readonly onClose: () => void }) => {
  const [fields, setFields] = useState(START)
  const set = (change: Partial<Fields>) => setFields({ ...fields, ...change })
  const request = useAct("POST /v1/credit/request", {
    done: "You were scored",
    quiet: true,
    changes: ["GET /v1/credit/profile/:profileId", "GET /v1/credit/profile/:profileId/history"],
    onDone: onClose
  })
  const payload = { ...fields, annualIncome: Number(fields.annualIncome), loanAmt: Number(fields.loanAmt) }
  return (
    <Dialog title="Request credit" onClose={onClose}>
      <Form onSubmit={() => request.mutate({ payload })}>
        <Questions fields={fields} set={set} />
        <TextField
          label="Note (optional)"
          maxLength={2000}
          hint="For people to read. It never counts."
          value={fields.desc}
          onChange={(desc) => set({ desc })}
        />
        <Problem error={request.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" busy={request.isPending}>
            See my score
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
