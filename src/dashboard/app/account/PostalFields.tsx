import { TextField } from "../ui/Field.tsx"
import type { PostalDraft } from "./PostalDraft.ts"

interface PostalFieldsProps {
  readonly draft: PostalDraft
  readonly onChange: (draft: PostalDraft) => void
}

/** A postal address, of which any part may be left empty. */
export const PostalFields = ({ draft, onChange }: PostalFieldsProps) => {
  const set = (name: keyof PostalDraft) => (value: string) => onChange({ ...draft, [name]: value })
  return (
    <>
      <TextField
        label="Street"
        autoComplete="street-address"
        maxLength={200}
        value={draft.street}
        onChange={set("street")}
      />
      <div className="pair">
        <TextField
          label="Postal code"
          autoComplete="postal-code"
          maxLength={20}
          value={draft.postal_code}
          onChange={set("postal_code")}
        />
        <TextField
          label="City"
          autoComplete="address-level2"
          maxLength={100}
          value={draft.city}
          onChange={set("city")}
        />
      </div>
      <div className="pair">
        <TextField
          label="State or region"
          autoComplete="address-level1"
          maxLength={100}
          value={draft.state}
          onChange={set("state")}
        />
        <TextField
          label="Country"
          autoComplete="country-name"
          maxLength={100}
          value={draft.country}
          onChange={set("country")}
        />
      </div>
    </>
  )
}
