import { describe, expect, it } from "bun:test"
import {
  companyStream,
  managedStream,
  streamOf,
  type CompanyEvent,
  decodeCompanyEvent
} from "../../../engine/company/CompanyEvent.ts"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { runs } from "../../lib/Property.ts"

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

import fc from "fast-check"

const text = fc.option(fc.string(), { nil: null })

const address = fc.record(
  { street: fc.string(), city: fc.string(), state: fc.string(), postal_code: fc.string(), country: fc.string() },
  { requiredKeys: [], noNullPrototype: true }
)

const profile = fc.record(
  {
    name: fc.string(),
    taxId: text,
    email: text,
    phone: text,
    country: text,
    address: fc.option(address, { nil: null })
  },
  { noNullPrototype: true }
)

const plan = fc.constantFrom("standard" as const, "pro" as const, "enterprise" as const)

const common = {
  at: fc.nat(),
  by: fc.record({ userId: fc.string(), requestId: text, administers: fc.boolean() }, { noNullPrototype: true }),
  companyId: fc.string()
}

const snapshot = fc.record(
  { profile, plan, managedBy: text, createdAt: fc.nat(), verifiedAt: fc.option(fc.nat(), { nil: null }) },
  { noNullPrototype: true }
)

/** A change says what the company is then; those of the first version do not. */
const changed = { ...common, company: snapshot }

const anyEvent: fc.Arbitrary<CompanyEvent> = fc.oneof(
  fc.record({ _tag: fc.constant("CompanyCreated" as const), ...common, managedBy: text, profile }),
  fc.record({ _tag: fc.constant("CompanyRegistered" as const), ...common, profile }),
  fc.record({ _tag: fc.constant("CompanyUpdated" as const), ...changed, before: profile, after: profile }),
  fc.record({ _tag: fc.constant("CompanyPlanSet" as const), ...changed, before: plan, after: plan }),
  fc.record({ _tag: fc.constant("CompanyVerified" as const), ...changed }),
  fc.record({ _tag: fc.constant("CompanyUpdated" as const), ...common, before: profile, after: profile }),
  fc.record({ _tag: fc.constant("CompanyPlanSet" as const), ...common, before: plan, after: plan }),
  fc.record({
    _tag: fc.constant("CompanyEntitlementSet" as const),
    ...common,
    entitlement: fc.constant("machine_trader" as const),
    after: fc.boolean()
  }),
  fc.record({ _tag: fc.constant("CompanyVerified" as const), ...common })
)

describe("decodeCompanyEvent", () => {
  it("reads each event back to the bytes it was recorded with", () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        expect(encodeEvent(decodeCompanyEvent(encodeEvent(event)))).toBe(encodeEvent(event))
      }),
      { numRuns: runs() }
    )
  })

  it("dies on bytes that no event encodes to", () => {
    const by = { userId: "u", requestId: null, administers: true }
    const bytes = encodeEvent({ _tag: "CompanyPlanSet", at: 1, by, companyId: "c", before: "pro", after: "standard" })
    for (const wrong of [
      "",
      "{}",
      bytes.replace('"pro"', '"free"'),
      bytes.replace("CompanyPlanSet", "CompanyMelted")
    ]) {
      expect(() => decodeCompanyEvent(wrong)).toThrow()
    }
  })
})
