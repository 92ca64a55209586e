import { describe, expect } from "bun:test"
import { Context, Effect, Layer, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { SCOPES } from "../../../../src/api/Authorization.ts"
import { verify } from "../../../../src/cli/Verifying.ts"
import type { ActingUser } from "../../../../src/identity/users/ActingUser.ts"
import { AuditLog } from "../../../../src/identity/audit/AuditLog.ts"
import { Companies, MAX_MANAGED, type ProfileChange } from "../../../../src/identity/companies/Companies.ts"
import { Owners } from "../../../../src/identity/users/Owners.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { runs } from "../../../lib/Property.ts"
import { TestServer } from "../../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

const actor = Effect.gen(function* () {
  const server = yield* Server
  const { companyId, id } = yield* server.user()
  return { userId: id, companyId, isAdmin: false, scopes: SCOPES, requestId: "request-1" } satisfies ActingUser
})

const admin = Effect.map(actor, (by): ActingUser => ({ ...by, isAdmin: true }))

const companies = Effect.map(Server, (server) => server.service(Companies))

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.result(effect), (result) => (Result.isSuccess(result) ? "done" : result.failure._tag))

const actsOf = (subjectId: string) =>
  Effect.gen(function* () {
    const { list } = (yield* Server).service(AuditLog)
    return (yield* list({ subjectId }, { limit: 100, offset: 0 })).entries.toReversed()
  })

const typesOf = (companyId: string) =>
  Effect.gen(function* () {
    const server = yield* Server
    const rows = yield* server.run(
      Effect.flatMap(
        SqlClient,
        (sql) =>
          sql<{ readonly type: string }>`
          SELECT type FROM events WHERE data::jsonb ->> 'companyId' = ${companyId} ORDER BY seq`
      )
    )
    return rows.map(({ type }) => type)
  })

const PAGE = { limit: 100, offset: 0 }

const change: fc.Arbitrary<ProfileChange> = fc.record(
  {
    name: fc.constantFrom("Acme", "Umbrella"),
    taxId: fc.constantFrom(null, "BE1"),
    email: fc.constantFrom(null, "a@example.com"),
    phone: fc.constantFrom(null, "+32 1"),
    country: fc.constantFrom(null, "BE"),
    address: fc.constantFrom(null, { city: "Ghent", street: "1 High Street" }, {})
  },
  { requiredKeys: [], noNullPrototype: true }
)

const steps = fc.array(fc.record({ by: fc.nat(2), whom: fc.nat(5), change }), { maxLength: 12 })

describe("Companies", () => {
  it(
    "are seen and changed by their own and who manages them, and by administrators, and by nobody else",
    () =>
      Effect.gen(function* () {
        const service = yield* companies
        const context = yield* Effect.context<Server>()
        const play = Effect.fnUntraced(function* (
          played: ReadonlyArray<typeof steps extends fc.Arbitrary<ReadonlyArray<infer S>> ? S : never>
        ) {
          const actors = [yield* actor, yield* actor, yield* admin]
          ;(yield* Server).world.pass(1)
          const made = yield* Effect.forEach(actors, (by) => service.create(by, { name: "Acme" }, undefined))
          const all = [...actors.map(({ companyId }) => companyId), ...made.map(({ id }) => id)]
          const present = yield* Effect.forEach(all, (id) => service.find(actors[2]!, id))
          for (const { by, change, whom } of played) {
            const who = actors[by]!
            const isSeen = who.isAdmin || whom === by || whom === by + 3
            expect(yield* tagOf(service.find(who, all[whom]!))).toBe(isSeen ? "done" : "CompanyNotFound")
            expect(yield* tagOf(service.change(who, all[whom]!, change))).toBe(isSeen ? "done" : "CompanyNotFound")
            if (!isSeen) continue
            const given = Object.entries(change).filter(([, value]) => value !== undefined)
            present[whom] = {
              ...present[whom]!,
              ...Object.fromEntries(given.map(([field, value]) => [field, value ?? undefined]))
            }
          }
          expect(yield* Effect.forEach(all, (id) => service.find(actors[2]!, id))).toEqual(present)
          for (const by of [0, 1]) {
            const { companies: listed, total } = yield* service.list(actors[by]!, undefined, PAGE)
            expect([listed, total]).toEqual([[present[by]!, present[by + 3]!], 2])
          }
        })
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(steps, (played) => Effect.runPromiseWith(context)(Effect.orDie(play(played)))),
            { numRuns: Math.ceil(runs() / 20) }
          )
        )
      }),
    60_000
  )

  it("may be bought for by their own and who manages them", () =>
    Effect.gen(function* () {
      const { create, mayBuyFor, standings } = yield* companies
      const [one, other, operator] = [yield* actor, yield* actor, yield* admin]
      const mine = yield* create(one, { name: "Customer" }, undefined)
      const nobodys = yield* create(operator, { name: "Nobody's" }, undefined)
      expect([mine.managedBy, nobodys.managedBy]).toEqual([one.companyId, undefined])
      const asked: ReadonlyArray<readonly [string, string, boolean]> = [
        [one.companyId, one.companyId, true],
        [one.companyId, mine.id, true],
        [other.companyId, mine.id, false],
        [mine.id, one.companyId, false],
        [one.companyId, other.companyId, false],
        [one.companyId, nobodys.id, false],
        [one.companyId, "cmp_nobody", false]
      ]
      for (const [who, whom, may] of asked) expect([who, whom, yield* mayBuyFor(who, whom)]).toEqual([who, whom, may])
      expect(yield* standings([mine.id, nobodys.id, "cmp_nobody"])).toEqual(
        new Map([
          [mine.id, { plan: "standard", managedBy: one.companyId }],
          [nobodys.id, { plan: "standard", managedBy: null }]
        ])
      )
    }))

  it("are found by a part of their name, as it is written", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { create, list } = yield* companies
      const by = yield* actor
      for (const name of ["Zürich 100%", "ZÜRICH", "Basel_1"]) {
        server.world.pass(1)
        yield* create(by, { name }, undefined)
      }
      const named = (part: string) =>
        Effect.map(list(by, part, PAGE), ({ companies }) => companies.map(({ name }) => name))
      expect(yield* named("zür")).toEqual(["Zürich 100%", "ZÜRICH"])
      expect(yield* named("%")).toEqual(["Zürich 100%"])
      expect(yield* named("_")).toEqual(["Basel_1"])
      const page = yield* list(by, "z", { limit: 1, offset: 1 })
      expect([page.companies.map(({ name }) => name), page.total]).toEqual([["ZÜRICH"], 2])
    }))

  it("record each change once, and those of administrators in the audit log too", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { change, create, setPlan, verify } = yield* companies
      const [by, operator] = [yield* actor, yield* admin]
      const { id } = yield* create(by, { name: "Customer", country: "BE" }, undefined)
      for (let times = 0; times < 2; times++) {
        yield* change(by, id, { country: "NL" })
        yield* change(operator, id, { country: "FR", address: { city: "Lille" } })
        yield* setPlan(operator, id, "pro")
        expect((yield* verify(operator, id)).verifiedAt).toBe(server.world.now)
        yield* change(operator, id, { country: "FR" })
        yield* change(by, id, { country: "NL" })
        yield* change(operator, id, { country: "FR" })
      }
      const once = ["CompanyUpdated", "CompanyUpdated"]
      const first = ["CompanyCreated", ...once, "CompanyPlanSet", "CompanyVerified", ...once]
      expect(yield* typesOf(id)).toEqual([...first, ...once, ...once])
      const SEALED = expect.stringMatching(/^\{"city":"sealed:v1:cmp_/)
      const entry = { actorId: operator.userId, requestId: "request-1" }
      const again = { ...entry, act: "company.update", before: { country: "NL" }, after: { country: "FR" } }
      expect(yield* actsOf(id)).toMatchObject([
        { ...again, before: { country: "NL", address: null }, after: { country: "FR", address: SEALED } },
        { ...entry, act: "company.set_plan", before: { plan: "standard" }, after: { plan: "pro" } },
        { ...entry, act: "company.verify", before: { status: "pending" }, after: { status: "verified" } },
        again,
        again,
        again
      ])
    }))

  it("have another plan from the next request on", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { setPlan } = yield* companies
      const { companyId, userId } = yield* actor
      const plan = Effect.map(server.service(Owners).ownerOf(userId), (owner) => owner.plan)
      expect(yield* plan).toBe("standard")
      yield* setPlan(yield* admin, companyId, "enterprise")
      expect(yield* plan).toBe("enterprise")
    }))

  it("take changes at the same time one after the other", () =>
    Effect.gen(function* () {
      const { change, create, find } = yield* companies
      const by = yield* actor
      const { id } = yield* create(by, { name: "Customer" }, undefined)
      const fields = ["taxId", "email", "phone", "country"] as const
      yield* Effect.all(
        fields.map((field) => change(by, id, { [field]: field })),
        { concurrency: "unbounded" }
      )
      expect(yield* find(by, id)).toMatchObject(Object.fromEntries(fields.map((field) => [field, field])))
      const made = yield* Effect.all(
        Array.from({ length: 20 }, () => create(by, { name: "Racing" }, undefined)),
        { concurrency: "unbounded" }
      )
      expect(new Set(made.map(({ id }) => id)).size).toBe(20)
    }))

  it("stand in a log that can be verified", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { create, verify: verified } = yield* companies
      const { id } = yield* create(yield* actor, { name: "Customer" }, undefined)
      yield* verified(yield* admin, id)
      const source = { _tag: "Database", url: Redacted.make(server.databaseUrl) } as const
      const { events, finding } = yield* Effect.orDie(verify(source))
      expect([events > 1, finding]).toEqual([true, undefined])
    }))

  it("end at the most that one can manage", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { create } = yield* companies
      const by = yield* actor
      yield* create(by, { name: "First" }, undefined)
      const count = (version: number) =>
        server.run(
          Effect.flatMap(
            SqlClient,
            (sql) => sql`UPDATE event_streams SET version = ${version} WHERE id = ${`companies/${by.companyId}`}`
          )
        )
      yield* count(MAX_MANAGED)
      expect(yield* tagOf(create(by, { name: "Last" }, undefined))).toBe("CompanyFull")
      yield* count(1)
    }))
})
