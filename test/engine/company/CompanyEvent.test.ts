import { describe, expect, it } from "bun:test"
import { companyStream, managedStream, streamOf } from "../../../engine/company/CompanyEvent.ts"

const by = { userId: "u", requestId: null, administers: false }

describe("streamOf", () => {
  it("keeps what one manages apart, and what happens to each", () => {
    const profile = { name: "n", taxId: null, email: null, phone: null, country: null, address: null }
    const made = { _tag: "CompanyCreated", at: 1, by, companyId: "c", profile } as const
    expect(streamOf({ ...made, managedBy: "m" })).toBe(managedStream("m"))
    expect(streamOf({ ...made, managedBy: null })).toBe("companies/unmanaged")
    expect(streamOf({ _tag: "CompanyVerified", at: 1, by, companyId: "c" })).toBe(companyStream("c"))
  })
})
