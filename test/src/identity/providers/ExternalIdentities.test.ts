import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ExternalIdentities } from "../../../../src/identity/providers/ExternalIdentities.ts"
import type { ProviderClaims } from "../../../../src/identity/providers/ProviderClaims.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { layerOf, registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerOf())

let people = 0
const claims = (change: Partial<ProviderClaims> = {}): ProviderClaims => {
  people += 1
  return {
    issuer: "https://provider.example",
    subject: `person-${people}`,
    email: `person-${people}@provider.example`,
    emailVerified: true,
    name: "Ada Buyer",
    mayLink: true,
    shop: undefined,
    ...change
  }
}

const signIn = (given: ProviderClaims) => Effect.flatMap(ExternalIdentities, (identities) => identities.signIn(given))
const refused = (given: ProviderClaims) => Effect.map(Effect.flip(signIn(given)), ({ _tag }) => _tag)

/** A registered user, who has verified the address or not. */
const account = (verified: boolean) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const user = yield* Effect.flatMap(Users, ({ register }) => register(registration()))
    if (verified) yield* sql`UPDATE users SET email_verified_at = 1 WHERE id = ${user.id}`
    return user
  })

describe("A person of a provider", () => {
  it("is one user, whatever becomes of the address", () =>
    Effect.gen(function* () {
      const given = claims()
      const first = yield* signIn(given)
      const later = { ...given, email: "moved@provider.example", emailVerified: false, name: "Ada Married" }
      expect((yield* signIn(later)).id).toBe(first.id)
      expect(first).toMatchObject({
        role: "buyer",
        status: "pending_kyc",
        contactName: "Ada Buyer",
        email: given.email
      })
      expect((yield* signIn({ ...claims(), subject: given.subject, issuer: "https://other.example" })).id).not.toBe(
        first.id
      )
    }))

  it("gets into an account of the same address when both sides have verified it", () =>
    Effect.gen(function* () {
      const { id, email } = yield* account(true)
      expect(yield* refused(claims({ email, emailVerified: false }))).toBe("IdentityRefused")
      expect(yield* refused(claims({ email, mayLink: false }))).toBe("IdentityRefused")
      expect((yield* signIn(claims({ email: email?.toUpperCase() }))).id).toBe(id)
      const squatter = yield* account(false)
      expect(yield* refused(claims({ email: squatter.email }))).toBe("IdentityRefused")
    }))

  it("without a proven address that is one is refused", () =>
    Effect.gen(function* () {
      for (const email of [undefined, "", "nobody", "a b@example.com", `${"a".repeat(250)}@b.cd`]) {
        expect(yield* refused(claims({ email }))).toBe("IdentityRefused")
      }
      expect(yield* refused(claims({ subject: "" }))).toBe("IdentityRefused")
      expect(yield* refused(claims({ subject: "x".repeat(256) }))).toBe("IdentityRefused")
    }))

  it("may have a name that is none", () =>
    Effect.gen(function* () {
      for (const name of [undefined, "", "a\u0000b", "x".repeat(201)]) {
        const given = claims({ name })
        expect(yield* signIn(given)).toMatchObject({ companyName: given.email, contactName: undefined })
      }
    }))

  it("who comes many times at once is made once", () =>
    Effect.gen(function* () {
      const given = claims()
      const users = yield* Effect.all(
        Array.from({ length: 8 }, () => signIn(given)),
        { concurrency: "unbounded" }
      )
      expect(new Set(users.map(({ id }) => id)).size).toBe(1)
    }))

  it("owns one shop, which nobody else does", () =>
    Effect.gen(function* () {
      const owner = claims({ shop: "one.myshopify.com", issuer: "one.myshopify.com" })
      const user = yield* signIn(owner)
      expect(user).toMatchObject({ ecommerceCompanyId: "one.myshopify.com", companyName: "one.myshopify.com" })
      expect((yield* signIn(owner)).id).toBe(user.id)
      expect(yield* refused(claims({ shop: "one.myshopify.com" }))).toBe("IdentityRefused")
      expect(yield* refused({ ...owner, shop: "two.myshopify.com" })).toBe("IdentityRefused")
      const sql = yield* SqlClient
      expect(yield* sql`SELECT count(*) AS n FROM users WHERE ecommerce_company_id IS NOT NULL`).toEqual([{ n: 1n }])
    }))
})
