import { FUND_ASSETS } from "../../../../engine/ledger/FundAsset.ts"
import { SelectField, TextField } from "../ui/Field.tsx"

interface AssetFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (asset: string) => void
  /** By default everything that a fund can hold. */
  readonly assets?: ReadonlyArray<string>
  readonly hint?: string
}

/** One of the currencies, metals and coins that funds hold. */
export const AssetField = ({ assets = FUND_ASSETS, ...field }: AssetFieldProps) => (
  <SelectField {...field} options={assets.map((asset) => [asset, asset] as const)} />
)

interface QuantityFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (quantity: string) => void
  readonly hint?: string
}

/** A positive amount as the API takes it: text with at most 6 decimals. */
export const QuantityField = (field: QuantityFieldProps) => (
  <TextField
    {...field}
    required
    inputMode="decimal"
    pattern="[0-9]{1,10}([.][0-9]{1,6})?"
    title="A number such as 250 or 19.90, with at most 6 decimals"
    placeholder="0.00"
  />
)
