import { describe, expect } from "bun:test"
import { Context, Deferred, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { type CompanyEvent, companyStream } from "../../../../engine/company/CompanyEvent.ts"
import { SCOPES } from "../../../../src/api/Authorization.ts"
import { verify } from "../../../../src/cli/Verifying.ts"
import { StreamRepository } from "../../../../src/database/StreamRepository.ts"
import { UnitOfWork } from "../../../../src/database/UnitOfWork.ts"
import { OPERATOR } from "../../../../src/identity/accounts/AdminAccount.ts"
import { Companies } from "../../../../src/identity/companies/Companies.ts"
import { CompanyOutboxRepository } from "../../../../src/identity/companies/CompanyOutboxRepository.ts"
import * as CompanyRecorder from "../../../../src/identity/companies/CompanyRecorder.ts"
import { CompanyRepository } from "../../../../src/identity/companies/CompanyRepository.ts"
import { PersonalText } from "../../../../src/identity/secrets/PersonalText.ts"
import { UserAdministration } from "../../../../src/identity/users/UserAdministration.ts"
import { UserRepository } from "../../../../src/identity/users/UserRepository.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { itEffect, withLayer } from "../../../lib/Effects.ts"
import { registration } from "../../../lib/TestIdentity.ts"
import { TestServer } from "../../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

/** Waits for a company's event of a kind, and answers all that are recorded of it then. */
const recorded = (companyId: string, tag: CompanyEvent["_tag"]) =>
  Effect.gen(function* () {
    const server = yield* Server
    const done = yield* Deferred.make<void>()
    yield* server.service(UnitOfWork).onCommit((events) => {
      const isIt = events.some(({ event }) => event._tag === tag && event.companyId === companyId)
      if (isIt) Deferred.doneUnsafe(done, Effect.void)
    })
    const read = Effect.map(
      server.run(
        Effect.provide(
          Effect.flatMap(StreamRepository, (streams) => streams.read(companyStream(companyId))),
          StreamRepository.layer
        )
      ),
      (events) => events as ReadonlyArray<CompanyEvent>
    )
    const present = yield* read
    if (present.some(({ _tag }) => _tag === tag)) return present
    yield* Deferred.await(done)
    return yield* read
  })

const notesOf = (companyId: string) =>
  Effect.gen(function* () {
    const server = yield* Server
    const notes = yield* Effect.orDie(server.service(CompanyOutboxRepository).unrecorded)
    return notes.filter((note) => note.companyId === companyId)
  })

/** Waits until what was noted of a company is taken away. */
const takenAway = (companyId: string) => Effect.repeat(notesOf(companyId), { while: (notes) => notes.length > 0 })

const registered = Effect.flatMap(Server, (server) =>
  Effect.orDie(server.service(Users).register(registration({ taxId: "BE1", companyName: "Newcomer" })))
)

const administrator = Effect.gen(function* () {
  const server = yield* Server
  const { companyId } = yield* server.user()
  return { userId: yield* server.admin, companyId, isAdmin: true, scopes: SCOPES, requestId: "r-1" }
})

/** The person's documents are there: verifying looks for them. */
const submitted = (userId: string) =>
  Effect.flatMap(Server, (server) =>
    server.post(
      "/v1/kyc",
      {
        fullnames: "New Comer",
        address: "1 High Street",
        country: "BE",
        email: "new@example.com",
        phoneNumber: "+32 470 12 34 56",
        identityId: `ID-${userId}`
      },
      { as: userId }
    )
  )

describe("What happens to companies outside the journal", () => {
  it("is recorded once that a company registered, with what it said of itself", () =>
    Effect.gen(function* () {
      const { companyId, id } = yield* registered
      const events = yield* recorded(companyId, "CompanyRegistered")
      expect(events).toHaveLength(1)
      expect(events[0]).toMatchObject({
        _tag: "CompanyRegistered",
        at: (yield* Server).world.now,
        by: { userId: id, administers: false },
        companyId,
        profile: { name: "Newcomer", taxId: expect.stringMatching(/^sealed:v1:cmp_/), email: null, address: null }
      })
      expect(yield* takenAway(companyId)).toEqual([])
    }))

  it("is recorded once that the first of a company's users was verified, and not of the second", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { companyId, id } = yield* registered
      const by = yield* administrator
      yield* submitted(id)
      const administration = server.service(UserAdministration)
      yield* administration.changeStatus(by, id, "verify")
      const [, event] = yield* recorded(companyId, "CompanyVerified")
      expect(event).toMatchObject({
        _tag: "CompanyVerified",
        by: { userId: by.userId, requestId: "r-1", administers: false },
        companyId,
        company: { plan: "standard", verifiedAt: server.world.now, profile: { name: "Newcomer" } }
      })
      expect((yield* server.service(Companies).find(by, companyId)).verifiedAt).toBe(server.world.now)
      yield* administration.changeStatus(by, id, "suspend")
      yield* administration.changeStatus(by, id, "reactivate")
      const { transaction } = server.service(UserRepository)
      yield* transaction(server.service(CompanyOutboxRepository).verified(OPERATOR, id))
      expect(yield* takenAway(companyId)).toEqual([])
      expect(yield* recorded(companyId, "CompanyVerified")).toHaveLength(2)
    }))

  it("is nothing where the transaction fails, or the company is the platform's own", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const one = registration()
      const users = server.service(Users)
      const { companyId } = yield* users.register(one)
      yield* recorded(companyId, "CompanyRegistered")
      const taken = yield* Effect.flip(users.register({ ...one, companyName: "Again" }))
      expect(taken._tag).toBe("EmailTaken")
      const house = yield* server.user()
      const { transaction } = server.service(UserRepository)
      yield* transaction(server.service(CompanyOutboxRepository).verified(OPERATOR, house.id))
      expect(yield* takenAway(companyId)).toEqual([])
      expect(yield* notesOf(house.companyId)).toEqual([])
    }))

  it("is recorded after a start where a stop came between", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { companyId, id } = yield* registered
      yield* server.run(
        Effect.flatMap(
          SqlClient,
          (sql) => sql`
            INSERT INTO company_outbox (company_id, kind, at, user_id)
            VALUES (${companyId}, 'verified', ${BigInt(server.world.now)}, ${id})`
        )
      )
      yield* server.restart()
      const types = yield* server.run(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { unrecorded } = yield* CompanyOutboxRepository
          yield* Effect.repeat(unrecorded, { while: (left) => left.length > 0 })
          return yield* sql<{ readonly type: string }>`
            SELECT type FROM events WHERE stream = ${`company/${companyId}`} ORDER BY version`
        })
      )
      expect(types.map(({ type }) => type)).toEqual(["CompanyRegistered", "CompanyVerified"])
      yield* server.run(
        Effect.flatMap(
          SqlClient,
          (sql) => sql`
            INSERT INTO company_outbox (company_id, kind, at, user_id)
            VALUES (${companyId}, 'registered', 1, ${id}), (${companyId}, 'verified', 2, ${id})`
        )
      )
      yield* server.restart()
      const again = yield* server.run(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { unrecorded } = yield* CompanyOutboxRepository
          yield* Effect.repeat(unrecorded, { while: (left) => left.length > 0 })
          return yield* sql`SELECT seq FROM events WHERE stream = ${`company/${companyId}`}`
        })
      )
      expect(again).toHaveLength(2)
      const source = { _tag: "Database", url: Redacted.make(server.databaseUrl) } as const
      expect((yield* Effect.orDie(verify(source))).finding).toBeUndefined()
    }))
})

describe("The recorder of companies", () => {
  itEffect("looks again every few seconds for what another process noted, which nothing tells it", () =>
    Effect.gen(function* () {
      let looks = 0
      const outbox = Layer.mock(CompanyOutboxRepository, {
        noted: Effect.never,
        unrecorded: Effect.sync(() => {
          looks += 1
          return []
        })
      })
      // Nothing is recorded here.
      const unused = [
        Layer.mock(CompanyRepository, {}),
        Layer.mock(PersonalText, { sealerNow: () => undefined }),
        Layer.mock(UnitOfWork, { isCertain: () => true, tell: () => {} })
      ] as const
      yield* Layer.build(Layer.provide(CompanyRecorder.layer, Layer.mergeAll(outbox, ...unused)))
      yield* TestClock.adjust("4 seconds")
      expect(looks).toBe(0)
      yield* TestClock.adjust("11 seconds")
      expect(looks).toBe(3)
    })
  )
})
