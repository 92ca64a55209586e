import type { CompanyProfile, CompanySnapshot } from "../../../engine/company/CompanyEvent.ts"
import { type CompanyAnswer, companyObject } from "../../../engine/company/CompanyObject.ts"
import type { Company } from "./Company.ts"
import type { PostalAddress } from "../users/User.ts"

const ADDRESS_FIELDS = ["street", "city", "state", "postal_code", "country"] as const

/** With its fields in one order, and none that is undefined. */
export const ordered = (address: PostalAddress): PostalAddress =>
  Object.fromEntries(
    ADDRESS_FIELDS.flatMap((field) => {
      const value = address[field]
      return value === undefined ? [] : [[field, value]]
    })
  )

/** What a company says of itself, as events have it. */
export const profileOf = (company: Company): CompanyProfile => ({
  name: company.name,
  taxId: company.taxId ?? null,
  email: company.email ?? null,
  phone: company.phone ?? null,
  country: company.country ?? null,
  address: company.address === undefined ? null : ordered(company.address)
})

/** A company as events have it. */
export const snapshotOf = (company: Company): CompanySnapshot => ({
  profile: profileOf(company),
  plan: company.plan,
  managedBy: company.managedBy ?? null,
  createdAt: company.createdAt,
  verifiedAt: company.verifiedAt ?? null
})

/** A company as `/v1/companies` answers it. */
export const companyAnswer = (company: Company): typeof CompanyAnswer.Type => ({
  ...companyObject(company.id, snapshotOf(company)),
  machine_trader: !company.botsWithdrawn
})
