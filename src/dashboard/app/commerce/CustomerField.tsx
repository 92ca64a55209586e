import { useApi } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { SelectField, TextField } from "../ui/Field.tsx"
import { shortId } from "../ui/Format.ts"
import { useCompanyNames } from "./CompanyName.tsx"
import { customersOf } from "./Customers.ts"
import type { Customer } from "./Customers.ts"

/** Orders that are looked through for who bought. */
const LOOKED_AT = 100

const OTHER = "other"

const ordersOf = ({ orders }: Customer): string =>
  orders === 0 ? "managed by you" : orders === 1 ? "1 order" : `${orders} orders`

/** What was chosen: a company that is known, or an id to be written. */
export interface CustomerChoice {
  /** Undefined until something is chosen: the first that is known. */
  readonly chosen: string | undefined
  readonly written: string
}

interface CustomerFieldProps {
  readonly value: CustomerChoice
  readonly onChange: (value: CustomerChoice) => void
}

/** Who has bought of the company, and whom it manages. */
export const useCustomers = (): ReadonlyArray<Customer> => {
  const { company_id: ownId } = usePerson()
  const sold = useApi("GET /v1/orders", { query: { role: "seller", limit: LOOKED_AT } })
  const managed = useApi("GET /v1/companies", { query: { limit: LOOKED_AT } })
  const ids = (managed.data ?? []).filter(({ managed_by }) => managed_by === ownId).map(({ id }) => id)
  return customersOf(sold.data ?? [], ids, ownId)
}

/** The id of the company that is chosen or written. */
export const customerOf = ({ chosen, written }: CustomerChoice, known: ReadonlyArray<Customer>): string => {
  const id = chosen ?? known[0]?.id ?? OTHER
  return id === OTHER ? written.trim() : id
}

/** Chooses a company: one that has bought or is managed, else any by its id. */
export const CustomerField = ({ value, onChange }: CustomerFieldProps) => {
  const known = useCustomers()
  const names = useCompanyNames()
  const chosen = value.chosen ?? known[0]?.id ?? OTHER
  return (
    <>
      {known.length > 0 && (
        <SelectField
          label="Customer"
          value={chosen}
          onChange={(id) => onChange({ ...value, chosen: id })}
          options={[
            ...known.map(
              (customer) =>
                [customer.id, `${names.get(customer.id) ?? shortId(customer.id)} (${ordersOf(customer)})`] as const
            ),
            [OTHER, "Another company"] as const
          ]}
        />
      )}
      {chosen === OTHER && (
        <TextField
          label={known.length > 0 ? "Its company id" : "The customer's company id"}
          required
          maxLength={64}
          placeholder="cmp_…"
          hint="The customer finds it under Company and profile. Copy it: whether a company has it is not checked."
          value={value.written}
          onChange={(written) => onChange({ ...value, written })}
        />
      )}
    </>
  )
}
