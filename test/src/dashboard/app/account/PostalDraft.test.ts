import { describe, expect, it } from "bun:test"
import {
  companyChangeOf,
  companyDraftOf,
  postalAddressOf,
  postalDraftOf
} from "../../../../../src/dashboard/app/account/PostalDraft.ts"

const COMPANY = {
  id: "cmp_1",
  name: "Northwind",
  plan: "pro",
  status: "verified",
  managed_by: null,
  tax_id: "DE 123",
  email: null,
  phone: null,
  country: "DE",
  address: { city: "Hamburg", postal_code: "20457" },
  created_at: "2026-11-22T00:00:00.000Z",
  verified_at: null,
  machine_trader: true
} as const

describe("An address's form", () => {
  it("sends what is written, and nothing where all is empty", () => {
    expect(postalAddressOf(postalDraftOf(null))).toBeNull()
    expect(postalAddressOf(postalDraftOf(COMPANY.address))).toEqual(COMPANY.address)
    expect(postalAddressOf({ ...postalDraftOf(COMPANY.address), city: "  ", state: " HH " })).toEqual({
      postal_code: "20457",
      state: "HH"
    })
  })
})

describe("A company's form", () => {
  it("sends a company back as it was read, and clears what was emptied", () => {
    const { address, country, email, name, phone, tax_id } = COMPANY
    expect(companyChangeOf(companyDraftOf(COMPANY))).toEqual({ address, country, email, name, phone, tax_id })
    expect(companyChangeOf({ ...companyDraftOf(COMPANY), tax_id: "", phone: " 1 " })).toMatchObject({
      tax_id: null,
      phone: "1"
    })
  })
})
