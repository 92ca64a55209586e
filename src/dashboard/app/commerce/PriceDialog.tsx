import { useState } from "react"
import type { RowOf } from "../Contract.ts"
import { useApi } from "../Data.ts"
import type { Refused } from "../Refused.ts"
import { usePerson } from "../shell/Session.tsx"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, SearchField, SelectField, TextField } from "../ui/Field.tsx"
import { price as priceText } from "../ui/Format.ts"
import { Empty, Loaded, Problem } from "../ui/States.tsx"
import { differenceOf } from "./PriceEntries.ts"
import type { PriceEntry } from "./PriceEntries.ts"

type Product = RowOf<"GET /v1/commerce/products">

/** Products that one look finds; a search finds the others. */
const MOST = 100

interface PriceFieldProps {
  /** Undefined while the product's own price is on its way. */
  readonly listed: number | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

const hintOf = (listed: number | undefined, value: string): string | undefined => {
  if (listed === undefined) return undefined
  const given = Number(value)
  const difference = value === "" || Number.isNaN(given) ? "" : ` This is ${differenceOf(listed, given)}.`
  return `Listed at ${priceText(listed)}.${difference}`
}

const PriceField = ({ listed, value, onChange }: PriceFieldProps) => (
  <TextField
    label="Price (USD a piece)"
    required
    inputMode="decimal"
    pattern="[0-9]+([.][0-9]{1,6})?"
    title="A number such as 19.90, with at most 6 decimals"
    hint={hintOf(listed, value)}
    value={value}
    onChange={onChange}
  />
)

interface SavingProps {
  readonly busy: boolean
  readonly error: Refused | null
  readonly onSave: (entry: PriceEntry) => void
  readonly onClose: () => void
}

const Foot = ({ act, busy, error, onClose }: Omit<SavingProps, "onSave"> & { readonly act: string }) => (
  <>
    <Problem error={error} />
    <Actions>
      <Button onClick={onClose}>Cancel</Button>
      <Button look="main" type="submit" busy={busy}>
        {act}
      </Button>
    </Actions>
  </>
)

interface ChangePriceProps extends SavingProps {
  readonly entry: PriceEntry
  /** The product, once it is known. */
  readonly product: Product | undefined
}

/** Changes what the customer pays for one product. */
export const ChangePrice = ({ entry, product, onSave, ...saving }: ChangePriceProps) => {
  const [text, setText] = useState(String(entry.price))
  return (
    <Dialog title={product === undefined ? "Change the price" : `Price of ${product.name}`} onClose={saving.onClose}>
      <Form onSubmit={() => onSave({ ...entry, price: Number(text) })}>
        <PriceField listed={product?.price} value={text} onChange={setText} />
        <Foot act="Save" {...saving} />
      </Form>
    </Dialog>
  )
}

interface FieldsProps extends SavingProps {
  readonly products: ReadonlyArray<Product>
}

const Fields = ({ products, onSave, ...saving }: FieldsProps) => {
  const [chosen, setChosen] = useState<string>()
  const [text, setText] = useState("")
  const product = products.find(({ id }) => id === chosen) ?? products[0]
  if (product === undefined) return null
  return (
    <Form onSubmit={() => onSave({ product_id: product.id, price: Number(text) })}>
      <SelectField
        label="Product"
        value={product.id}
        onChange={setChosen}
        options={products.map(({ id, name }) => [id, name] as const)}
      />
      <PriceField listed={product.price} value={text} onChange={setText} />
      <Foot act="Add price" {...saving} />
    </Form>
  )
}

const NoneLeft = ({ isFiltered, hasOwn }: { readonly isFiltered: boolean; readonly hasOwn: boolean }) => {
  if (isFiltered) return <Empty icon="search" title="No product matches" />
  return hasOwn ? (
    <Empty icon="check" title="Every product of yours is on this list">
      Change a price in the list itself.
    </Empty>
  ) : (
    <Empty icon="box" title="Your company sells nothing yet" action={<ButtonLink to="/products">Products</ButtonLink>}>
      Offer a product first. Its price for this customer is set here after.
    </Empty>
  )
}

/** Adds a product of the company to a price list. */
export const AddPrice = ({ priced, ...saving }: SavingProps & { readonly priced: ReadonlyArray<PriceEntry> }) => {
  const { company_id } = usePerson()
  const [q, setQ] = useState("")
  const query = { company_id, limit: MOST, ...(q === "" ? {} : { q }) }
  const own = useApi("GET /v1/commerce/products", { query })
  const taken = new Set(priced.map(({ product_id }) => product_id))
  return (
    <Dialog title="Add a price" onClose={saving.onClose}>
      {((own.data?.length ?? 0) >= MOST || q !== "") && (
        <SearchField placeholder="Part of the name" value={q} onChange={setQ} />
      )}
      <Loaded of={own}>
        {(products) => {
          const left = products.filter(({ id }) => !taken.has(id))
          return left.length === 0 ? (
            <NoneLeft isFiltered={q !== ""} hasOwn={products.length > 0} />
          ) : (
            <Fields products={left} {...saving} />
          )
        }}
      </Loaded>
    </Dialog>
  )
}
