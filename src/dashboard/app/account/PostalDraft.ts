import type { Answer, Payload } from "../Contract.ts"

/** An address as it is answered. */
type PostalAddress = Answer<"GET /v1/companies/:id">["address"]

/** An address as a form holds it: what is not known is empty. */
export interface PostalDraft {
  readonly street: string
  readonly city: string
  readonly state: string
  readonly postal_code: string
  readonly country: string
}

const EMPTY: PostalDraft = { street: "", city: "", state: "", postal_code: "", country: "" }

/** The form of an address. */
export const postalDraftOf = (address: PostalAddress): PostalDraft => ({ ...EMPTY, ...address })

/** What a form sends: an address is replaced whole, and null where nothing is written. */
export const postalAddressOf = (draft: PostalDraft): NonNullable<PostalAddress> | null => {
  const written = Object.entries(draft).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, text.trim()]]))
  return written.length === 0 ? null : Object.fromEntries(written)
}

/** A company as a form holds it. */
export interface CompanyDraft {
  readonly name: string
  readonly tax_id: string
  readonly email: string
  readonly phone: string
  readonly country: string
  readonly address: PostalDraft
}

/** The form of a company. */
export const companyDraftOf = (company: Answer<"GET /v1/companies/:id">): CompanyDraft => ({
  name: company.name,
  tax_id: company.tax_id ?? "",
  email: company.email ?? "",
  phone: company.phone ?? "",
  country: company.country ?? "",
  address: postalDraftOf(company.address)
})

const written = (text: string): string | null => (text.trim() === "" ? null : text.trim())

/** What a company's form sends. What was emptied is cleared. */
export const companyChangeOf = (draft: CompanyDraft): Payload<"PATCH /v1/companies/:id"> => ({
  name: draft.name.trim(),
  tax_id: written(draft.tax_id),
  email: written(draft.email),
  phone: written(draft.phone),
  country: written(draft.country),
  address: postalAddressOf(draft.address)
})
