import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import fc from "fast-check"
import { CompanyAnswer, companyObject } from "../../../engine/company/CompanyObject.ts"
import type { Company } from "../../../src/identity/companies/Company.ts"
import { companyAnswer, snapshotOf } from "../../../src/identity/companies/CompanySnapshot.ts"
import { runs } from "../../lib/Property.ts"

const text = fc.option(fc.string(), { nil: undefined })
const at = fc.integer({ min: 0, max: 4_000_000_000_000 })

const company: fc.Arbitrary<Company> = fc.record(
  {
    id: fc.string(),
    name: fc.string(),
    plan: fc.constantFrom("standard", "pro", "enterprise"),
    managedBy: text,
    taxId: text,
    email: text,
    phone: text,
    country: text,
    address: fc.option(
      fc.record(
        { city: fc.string({ minLength: 1 }), street: fc.string({ minLength: 1 }) },
        { requiredKeys: [], noNullPrototype: true }
      ),
      {
        nil: undefined
      }
    ),
    createdAt: at,
    verifiedAt: fc.option(at, { nil: undefined }),
    botsWithdrawn: fc.boolean()
  },
  { noNullPrototype: true }
)

const encode = Schema.encodeSync(CompanyAnswer)

describe("companyObject", () => {
  it("is what the company's own endpoint answers but for its entitlements, with what every object says", () => {
    fc.assert(
      fc.property(company, (given) => {
        const { machine_trader: _, ...answer } = encode(companyAnswer(given))
        const expected: unknown = { ...answer, object: "company", company_id: given.id }
        expect(companyObject(given.id, snapshotOf(given)) as unknown).toEqual(expected)
      }),
      { numRuns: runs() }
    )
  })
})
