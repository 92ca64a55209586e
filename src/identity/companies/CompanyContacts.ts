import { Effect } from "effect"
import type { CompanyProfile } from "../../../engine/company/CompanyEvent.ts"
import type { PostalAddress } from "../users/User.ts"
import { PersonalText } from "../secrets/PersonalText.ts"
import type { Company } from "./Company.ts"

/** The parts of an address that lead to somebody. A country does not. */
const PARTS = ["street", "city", "state", "postal_code"] as const

type Contacts = Pick<Company, "taxId" | "email" | "phone" | "address">

const sealedAddress = Effect.fnUntraced(function* (companyId: string, address: PostalAddress) {
  const { seal } = yield* PersonalText
  const sealed: Record<string, string> = {}
  for (const [part, value] of Object.entries(address)) {
    const isPersonal = PARTS.some((one) => one === part)
    if (typeof value === "string") sealed[part] = isPersonal ? yield* seal(companyId, value) : value
  }
  return sealed as PostalAddress
})

/** A company's contacts under its key, as tables and the journal have them. What is sealed already stays so. */
export const sealedContacts = Effect.fnUntraced(function* <C extends Contacts>(companyId: string, company: C) {
  const { seal } = yield* PersonalText
  const sealed = (text: string | undefined) => (text === undefined ? Effect.undefined : seal(companyId, text))
  const { address } = company
  return {
    ...company,
    taxId: yield* sealed(company.taxId),
    email: yield* sealed(company.email),
    phone: yield* sealed(company.phone),
    address: address === undefined ? undefined : yield* sealedAddress(companyId, address)
  } as C
})

/** The same of a profile. */
export const sealedProfile = Effect.fnUntraced(function* (companyId: string, profile: CompanyProfile) {
  const { address, email, phone, taxId } = profile
  const sealed = yield* sealedContacts(companyId, {
    taxId: taxId ?? undefined,
    email: email ?? undefined,
    phone: phone ?? undefined,
    address: address ?? undefined
  })
  return {
    ...profile,
    taxId: sealed.taxId ?? null,
    email: sealed.email ?? null,
    phone: sealed.phone ?? null,
    address: sealed.address ?? null
  } satisfies CompanyProfile
})

/** Companies as whoever may see them sees them. What is forgotten is missing. */
export const openedCompanies = Effect.fnUntraced(function* (companies: ReadonlyArray<Company>) {
  const { openValue } = yield* PersonalText
  const opened = yield* openValue(
    companies.map(({ address, email, phone, taxId }) => ({
      contacts: [taxId ?? null, email ?? null, phone ?? null],
      address: Object.entries(address ?? {})
    }))
  )
  return companies.map((company, at): Company => {
    const { address = [], contacts: [taxId, email, phone] = [] } = opened[at] ?? {}
    const parts = address.filter(([, value]) => value !== null)
    return {
      ...company,
      taxId: taxId ?? undefined,
      email: email ?? undefined,
      phone: phone ?? undefined,
      address: company.address === undefined ? undefined : (Object.fromEntries(parts) as PostalAddress)
    }
  })
})

/** The same of one. */
export const openedContacts = (company: Company) =>
  Effect.map(openedCompanies([company]), ([opened]) => opened ?? company)
