import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import type { Company } from "../../../../src/identity/companies/Company.ts"
import { openedContacts, sealedContacts } from "../../../../src/identity/companies/CompanyContacts.ts"
import { PersonalText } from "../../../../src/identity/secrets/PersonalText.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { layerOf } from "../../../lib/TestIdentity.ts"

const it = withLayer(Layer.effect(PersonalText, PersonalText).pipe(Layer.provide(layerOf())))

const COMPANY: Company = {
  id: `cmp_${"z".repeat(24)}`,
  name: "Acme",
  plan: "standard",
  managedBy: undefined,
  taxId: "BE 1",
  email: "acme@example.com",
  phone: undefined,
  country: "BE",
  address: { street: "1 High Street", city: "Ghent", country: "BE" },
  createdAt: 1,
  verifiedAt: undefined,
  botsWithdrawn: false
}

describe("sealedContacts", () => {
  it("seals what leads to somebody and nothing else, once, and is opened to what it was", () =>
    Effect.gen(function* () {
      const sealed = yield* sealedContacts(COMPANY.id, COMPANY)
      const text = JSON.stringify(sealed)
      for (const value of ["BE 1", "acme@", "High Street", "Ghent"]) expect(text).not.toContain(value)
      expect(sealed).toMatchObject({ name: "Acme", country: "BE", address: { country: "BE" } })
      expect(yield* sealedContacts(COMPANY.id, sealed)).toEqual(sealed)
      expect(yield* openedContacts(sealed)).toEqual(COMPANY)
    }))
})
