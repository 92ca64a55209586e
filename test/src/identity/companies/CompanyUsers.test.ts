import { describe, expect } from "bun:test"
import { Effect, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SCOPES } from "../../../../src/api/Authorization.ts"
import type { ActingUser } from "../../../../src/identity/users/ActingUser.ts"
import { CompanyUsers, MAX_PEOPLE } from "../../../../src/identity/companies/CompanyUsers.ts"
import type { NewPerson } from "../../../../src/identity/companies/CompanyUsers.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { layerOf, registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerOf())

const actor = Effect.flatMap(Users, ({ register }) => register(registration())).pipe(
  Effect.map(({ companyId, id }): ActingUser => ({
    userId: id,
    companyId,
    isAdmin: false,
    scopes: SCOPES,
    requestId: "r"
  }))
)

const newPerson = (email: string): NewPerson => ({
  email,
  password: Redacted.make("correct horse battery"),
  contactName: "Ada Buyer",
  phone: "+32 9",
  address: { country: "BE" },
  profile: { firstname: "Ada" }
})

describe("A company's users", () => {
  it("are limited as the token is that adds them", () =>
    Effect.gen(function* () {
      const { add } = yield* CompanyUsers
      const by = yield* actor
      expect((yield* add(by, newPerson("a@company.example"), undefined)).scopes).toBeUndefined()
      const weak = { ...by, scopes: ["users:write"] as const }
      expect((yield* add(weak, newPerson("b@company.example"), by.companyId)).scopes).toEqual(["users:write"])
    }))

  it("are not added to one that was forgotten", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { add } = yield* CompanyUsers
      const by = yield* actor
      yield* sql`
        INSERT INTO erasures (id, company_id, at, erased_by, recorded)
        VALUES (${by.companyId}, ${by.companyId}, 1, 'operator', true)`
      const error = yield* Effect.flip(add(by, newPerson("late@company.example"), undefined))
      expect(error).toMatchObject({ _tag: "CompanyNotFound", companyId: by.companyId })
    }))

  it("are so many at most, however many are added at once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { add, list } = yield* CompanyUsers
      const by = yield* actor
      yield* sql`
        INSERT INTO users (id, company_id, role, status, created_at)
        SELECT 'usr_' || lpad(n::text, 24, '0'), ${by.companyId}, 'buyer', 'active', 0
        FROM generate_series(1, ${BigInt(MAX_PEOPLE - 2)}::bigint) n`
      const added = yield* Effect.all(
        [1, 2, 3].map((each) => Effect.result(add(by, newPerson(`many${each}@company.example`), undefined))),
        { concurrency: "unbounded" }
      )
      expect(added.filter(Result.isSuccess)).toHaveLength(1)
      for (const { failure } of added.filter(Result.isFailure)) {
        expect(failure).toMatchObject({ _tag: "CompanyFull", what: "users", limit: MAX_PEOPLE })
      }
      const page = yield* list(by, {}, { limit: 1, offset: 5_000 })
      expect([page.users, page.total]).toEqual([[], MAX_PEOPLE])
    }))
})
