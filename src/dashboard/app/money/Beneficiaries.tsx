import { useState } from "react"
import type { RowOf } from "../Contract.ts"
import { useAct, useRows } from "../Data.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { Confirm, Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { Empty, Problem } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"

type Row = RowOf<"GET /v1/transfers/to">

const NOBODY = { accountName: "", accountNumber: "", country: "", bankId: "" }

const Add = ({ onClose }: { readonly onClose: () => void }) => {
  const [fields, setFields] = useState(NOBODY)
  const set = (change: Partial<typeof NOBODY>) => setFields({ ...fields, ...change })
  const add = useAct("POST /v1/transfers/to", {
    done: "Beneficiary added",
    quiet: true,
    changes: ["GET /v1/transfers/to"],
    onDone: onClose
  })
  const { accountName, accountNumber, bankId, country } = fields
  const payload = {
    accountName,
    accountNumber,
    ...(country === "" ? {} : { country }),
    ...(bankId === "" ? {} : { bankId })
  }
  return (
    <Dialog title="Add a beneficiary" onClose={onClose}>
      <Form onSubmit={() => add.mutate({ payload })}>
        <TextField
          label="Account holder"
          required
          maxLength={140}
          value={accountName}
          onChange={(text) => set({ accountName: text })}
        />
        <TextField
          label="Account number"
          required
          maxLength={64}
          hint="An IBAN, or the national number."
          value={accountNumber}
          onChange={(text) => set({ accountNumber: text })}
        />
        <div className="pair">
          <TextField
            label="Country"
            maxLength={2}
            hint="Two letters. An IBAN says it itself."
            value={country}
            onChange={(text) => set({ country: text.toUpperCase() })}
          />
          <TextField
            label="Bank"
            maxLength={40}
            hint="Its BIC or routing number."
            value={bankId}
            onChange={(text) => set({ bankId: text })}
          />
        </div>
        <Problem error={add.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" busy={add.isPending}>
            Add beneficiary
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

const Remove = ({ row, onClose }: { readonly row: Row; readonly onClose: () => void }) => {
  const remove = useAct("DELETE /v1/transfers/to/:id", {
    done: "Beneficiary deleted",
    changes: ["GET /v1/transfers/to"],
    onDone: onClose
  })
  return (
    <Confirm
      title="Delete the beneficiary"
      act="Delete beneficiary"
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { id: row.id } })}
      onClose={onClose}
    >
      <p>The account of {row.accountName} is forgotten. Transfers that were made stay.</p>
    </Confirm>
  )
}

/** Accounts outside that the person sends money to. */
export const Beneficiaries = () => {
  const [offset, setOffset] = useState(0)
  const [adding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Row>()
  const known = useRows("GET /v1/transfers/to", { query: { limit: PAGE_ROWS, offset } })
  const add = (
    <Button icon="plus" onClick={() => setAdding(true)}>
      Add beneficiary
    </Button>
  )
  const columns: ReadonlyArray<Column<Row>> = [
    {
      title: "Account",
      cell: ({ accountName, accountNumber }) => (
        <div className="two-lines">
          <span className="strong">{accountName}</span>
          <span className="soft">{accountNumber}</span>
        </div>
      )
    },
    { title: "Country", cell: ({ country }) => country ?? "", wide: true },
    { title: "Id", cell: ({ id }) => <CopyId value={id} />, wide: true },
    { title: "Added", cell: (row) => <When at={row.created_at} as="distance" />, align: "right", wide: true },
    {
      title: "Delete",
      cell: (row) => <IconButton icon="trash" label={`Delete ${row.accountName}`} onClick={() => setRemoved(row)} />,
      align: "right"
    }
  ]
  return (
    <Card title="Beneficiaries" aside={add} flush>
      <List
        label="Beneficiaries"
        of={known}
        columns={columns}
        keyOf={({ id }) => id}
        page={{ offset, onMove: setOffset }}
        empty={
          <Empty icon="user" title="No beneficiaries yet" action={add}>
            Accounts at banks, which money can be sent to again and again.
          </Empty>
        }
      />
      {adding && <Add onClose={() => setAdding(false)} />}
      {removed !== undefined && <Remove row={removed} onClose={() => setRemoved(undefined)} />}
    </Card>
  )
}
