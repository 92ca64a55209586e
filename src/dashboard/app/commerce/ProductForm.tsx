import { useState } from "react"
import type { Payload } from "../Contract.ts"
import type { Refused } from "../Refused.ts"
import { Button } from "../ui/Button.tsx"
import { Actions, CheckField, Form, SelectField, TextArea, TextField } from "../ui/Field.tsx"
import { MetadataField } from "../ui/MetadataField.tsx"
import { readMetadata } from "../ui/MetadataText.ts"
import { Problem } from "../ui/States.tsx"

type NewProduct = Payload<"POST /v1/commerce/products">
type ProductType = NonNullable<NewProduct["type"]>

const TYPES: ReadonlyArray<ProductType> = ["Consumer Product", "Commodity"]

/** What a product is, as a form holds it. */
export interface ProductFields {
  readonly name: string
  readonly price: string
  readonly description: string
  readonly quantity: string
  readonly type: ProductType
  readonly bidable: boolean
  readonly iscontract: boolean
  readonly insurable: boolean
  /** As `readMetadata` reads it. */
  readonly metadata: string
}

export const EMPTY_PRODUCT: ProductFields = {
  name: "",
  price: "",
  description: "",
  quantity: "",
  type: "Consumer Product",
  bidable: false,
  iscontract: false,
  insurable: false,
  metadata: ""
}

/** The form's fields as the API takes them of a new product. */
export const productPayload = ({ metadata, price, ...rest }: ProductFields) => ({
  ...rest,
  price: Number(price),
  metadata: readMetadata(metadata) ?? {}
})

interface ProductFormProps {
  readonly start: ProductFields
  readonly act: string
  readonly busy: boolean
  readonly error: Refused | null
  readonly onSubmit: (fields: ProductFields) => void
  readonly onClose: () => void
}

const FLAGS = [
  ["bidable", "Takes bids"],
  ["iscontract", "Opens to forwards and futures"],
  ["insurable", "Insurable"]
] as const

/** The fields of a product, new or old. */
export const ProductForm = ({ start, act, busy, error, onSubmit, onClose }: ProductFormProps) => {
  const [fields, setFields] = useState(start)
  const set = (change: Partial<ProductFields>) => setFields({ ...fields, ...change })
  return (
    <Form onSubmit={() => onSubmit(fields)}>
      <TextField label="Name" required maxLength={200} value={fields.name} onChange={(name) => set({ name })} />
      <div className="pair">
        <TextField
          label="Price (USD a piece)"
          required
          inputMode="decimal"
          pattern="[0-9]+([.][0-9]{1,6})?"
          title="A number such as 19.90, with at most 6 decimals"
          value={fields.price}
          onChange={(price) => set({ price })}
        />
        <TextField
          label="Pieces for sale"
          required
          inputMode="numeric"
          pattern="[0-9]+"
          title="A whole number"
          value={fields.quantity}
          onChange={(quantity) => set({ quantity })}
        />
      </div>
      <TextArea
        label="Description"
        required
        maxLength={4000}
        value={fields.description}
        onChange={(description) => set({ description })}
      />
      <SelectField
        label="Type"
        value={fields.type}
        onChange={(type) => set({ type })}
        options={TYPES.map((type) => [type, type] as const)}
      />
      <div className="checks">
        {FLAGS.map(([flag, label]) => (
          <CheckField key={flag} label={label} checked={fields[flag]} onChange={(on) => set({ [flag]: on })} />
        ))}
      </div>
      <MetadataField value={fields.metadata} onChange={(metadata) => set({ metadata })} />
      <Problem error={error} />
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="main" type="submit" busy={busy} disabled={readMetadata(fields.metadata) === undefined}>
          {act}
        </Button>
      </Actions>
    </Form>
  )
}
