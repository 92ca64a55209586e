import { describe, expect } from "bun:test"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Owners } from "../../../../src/identity/users/Owners.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { later, layerOf, registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerOf())

const registered = Effect.flatMap(Users, ({ register }) => register(registration()))

/** As another process would. */
const changeElsewhere = (companyId: string) =>
  Effect.flatMap(SqlClient, (sql) => sql`UPDATE companies SET plan = 'pro' WHERE id = ${companyId}`)

describe("Owners", () => {
  it("say who stands behind a user id", () =>
    Effect.gen(function* () {
      const user = yield* registered
      expect(yield* (yield* Owners).ownerOf(user.id)).toEqual({
        userId: user.id,
        personId: user.id,
        companyId: user.companyId,
        companyKind: "normal",
        plan: "standard",
        botsWithdrawn: false,
        role: "buyer",
        status: "pending_kyc",
        walletAddress: undefined,
        scopes: undefined,
        tokenEpoch: 0
      })
    }))

  it("are read again after half a minute, or when forgotten", () =>
    Effect.gen(function* () {
      const { forget, forgetAll, ownerOf } = yield* Owners
      const [first, second, third] = yield* Effect.all([registered, registered, registered])
      const planOf = ({ id }: { readonly id: string }) => Effect.map(ownerOf(id), ({ plan }) => plan)
      for (const user of [first, second, third]) {
        yield* planOf(user)
        yield* changeElsewhere(user.companyId)
        expect(yield* planOf(user)).toBe("standard")
      }
      expect(yield* later(31_000)(planOf(first))).toBe("pro")
      yield* forget(second.id)
      expect(yield* planOf(second)).toBe("pro")
      expect(yield* planOf(third)).toBe("standard")
      yield* forgetAll
      expect(yield* planOf(third)).toBe("pro")
    }))

  it("are known without asking while they are fresh, and not what was read before a change", () =>
    Effect.gen(function* () {
      const { forget, known, ownerOf } = yield* Owners
      const { id } = yield* registered
      const now = yield* Clock.currentTimeMillis
      expect(known(id, now)).toBeUndefined()
      const owner = yield* ownerOf(id)
      expect(known(id, now)).toEqual(owner)
      expect(known(id, now + 31_000)).toBeUndefined()
      yield* forget(id)
      expect(known(id, now)).toBeUndefined()
      yield* Effect.all([ownerOf(id), forget(id)], { concurrency: "unbounded" })
      expect(known(id, now)).toBeUndefined()
    }))

  it("tell who changed, as long as somebody watches", () =>
    Effect.gen(function* () {
      const { forget, forgetAll, watch } = yield* Owners
      const told: Array<string | undefined> = []
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* watch((userId) => void told.push(userId))
          yield* forget("usr_one")
          yield* forgetAll
        })
      )
      yield* forget("usr_two")
      expect(told).toEqual(["usr_one", undefined])
    }))

  it("do not remember that someone was not there", () =>
    Effect.gen(function* () {
      const { ownerOf } = yield* Owners
      const sql = yield* SqlClient
      const { companyId } = yield* registered
      const id = `usr_${"0".repeat(24)}`
      expect(yield* Effect.flip(ownerOf(id))).toMatchObject({ _tag: "UserNotFound", userId: id })
      yield* sql`
        INSERT INTO users (id, company_id, role, status, created_at) VALUES (${id}, ${companyId}, 'service', 'active', 0)`
      expect((yield* ownerOf(id)).role).toBe("service")
    }))

  it("keep what a change that did not commit has not changed", () =>
    Effect.gen(function* () {
      const { ownerOf } = yield* Owners
      const sql = yield* SqlClient
      const users = yield* Users
      const { id } = yield* registered
      const undone = users.setStatus(id, "suspended").pipe(Effect.andThen(Effect.fail("no")), sql.withTransaction)
      yield* Effect.exit(undone)
      expect((yield* ownerOf(id)).status).toBe("pending_kyc")
    }))
})
