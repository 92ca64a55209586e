import { describe, expect } from "bun:test"
import { Effect, Result } from "effect"
import fc from "fast-check"
import { SqlClient } from "effect/sql/SqlClient"
import type { ActingUser } from "../../../../src/identity/users/ActingUser.ts"
import { AuditLog } from "../../../../src/identity/audit/AuditLog.ts"
import { Owners } from "../../../../src/identity/users/Owners.ts"
import type { Role, User, UserStatus } from "../../../../src/identity/users/User.ts"
import { UserAdministration } from "../../../../src/identity/users/UserAdministration.ts"
import type { PersonRole } from "../../../../src/identity/users/UserAdministration.ts"
import type { StatusAct } from "../../../../src/identity/users/UserLifecycle.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { SCOPES } from "../../../../src/api/Authorization.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { runs } from "../../../lib/Property.ts"
import { layerOf, registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerOf())
const production = withLayer(layerOf({ APP_MODE: "production", PUBLIC_URL: "https://emporion.example" }))

const actorOf = ({ companyId, id, role }: User): ActingUser => ({
  userId: id,
  companyId,
  isAdmin: role === "admin",
  scopes: SCOPES,
  requestId: "request-1"
})

const registered = (role: Role = "buyer", status: UserStatus = "pending_kyc") =>
  Effect.flatMap(Users, ({ register }) => register(registration({ role, status })))

const admin = Effect.map(registered("admin", "active"), actorOf)

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.result(effect), (result) => (Result.isSuccess(result) ? "done" : result.failure._tag))

const actsOf = (subjectId: string) =>
  Effect.flatMap(AuditLog, ({ list }) => list({ subjectId }, { limit: 100, offset: 0 })).pipe(
    Effect.map(({ entries }) => entries.toReversed())
  )

interface Step {
  readonly act: StatusAct | PersonRole
  readonly by: 0 | 1
  readonly whom: 0 | 1 | 2
}

const isRole = (act: Step["act"]): act is PersonRole => act === "admin" || act === "buyer" || act === "seller"

/** Two administrators and a person, told again in the plainest way. */
class Model {
  readonly roles: Array<Role> = ["admin", "admin", "buyer"]
  readonly statuses: Array<UserStatus> = ["active", "active", "pending_kyc"]
  readonly acts: Array<string> = []

  step({ act, by, whom }: Step): string {
    if (this.roles[by] !== "admin" || this.statuses[by] === "suspended") return "NotAdministrator"
    if (isRole(act)) {
      if (this.roles[whom] === act) return "done"
      if (by === whom) return "OwnAccount"
      this.roles[whom] = act
      this.acts.push("user.set_role")
      return "done"
    }
    const now = this.statuses[whom]
    if (act === "verify" && now === "pending_kyc") return this.#move(whom, "active", act)
    if (act === "reject" && now === "pending_kyc") return this.#move(whom, "rejected", act)
    if (act === "suspend" && now === "active") return by === whom ? "OwnAccount" : this.#move(whom, "suspended", act)
    if (act === "reactivate" && now === "suspended") return this.#move(whom, "active", act)
    const same = { verify: "active", reject: "rejected", suspend: "suspended", reactivate: "active" }[act]
    return now === same ? "done" : "IllegalTransition"
  }

  #move(whom: number, status: UserStatus, act: string): string {
    this.statuses[whom] = status
    this.acts.push(`user.${act}`)
    return "done"
  }
}

const steps = fc.array(
  fc.record({
    act: fc.constantFrom<Step["act"]>("verify", "reject", "suspend", "reactivate", "admin", "buyer", "seller"),
    by: fc.constantFrom<Step["by"]>(0, 1),
    whom: fc.constantFrom<Step["whom"]>(0, 1, 2)
  }),
  { maxLength: 12 }
)

describe("UserAdministration", () => {
  it(
    "does what its model does, and writes down exactly what it did",
    () =>
      Effect.gen(function* () {
        const { changeStatus, setRole } = yield* UserAdministration
        const owners = yield* Owners
        const context = yield* Effect.context<Users | AuditLog>()
        const play = Effect.fnUntraced(function* (played: ReadonlyArray<Step>) {
          const model = new Model()
          const cast = yield* Effect.all([registered("admin", "active"), registered("admin", "active"), registered()])
          const actors = cast.map(actorOf)
          for (const step of played) {
            const by = actors[step.by] ?? expect.unreachable()
            const whom = cast[step.whom]?.id ?? ""
            const { act } = step
            const done = isRole(act) ? tagOf(setRole(by, whom, act)) : tagOf(changeStatus(by, whom, act))
            expect([step, yield* done]).toEqual([step, model.step(step)])
          }
          const present = yield* Effect.forEach(cast, ({ id }) => owners.ownerOf(id))
          expect(present.map(({ role }) => role)).toEqual(model.roles)
          expect(present.map(({ status }) => status)).toEqual(model.statuses)
          const written = (yield* Effect.forEach(cast, ({ id }) => actsOf(id))).flat()
          expect(written.map(({ act }) => act).toSorted()).toEqual(model.acts.toSorted())
        })
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(steps, (played) => Effect.runPromiseWith(context)(Effect.orDie(play(played)))),
            { numRuns: Math.ceil(runs() / 10) }
          )
        )
      }),
    60_000
  )

  it("leaves one administrator when two demote or suspend each other at the same time", () =>
    Effect.gen(function* () {
      const { changeStatus, setRole } = yield* UserAdministration
      for (const attack of [
        (by: ActingUser, whom: ActingUser) => tagOf(setRole(by, whom.userId, "buyer")),
        (by: ActingUser, whom: ActingUser) => tagOf(changeStatus(by, whom.userId, "suspend"))
      ]) {
        const [one, other] = yield* Effect.all([admin, admin])
        const ends = yield* Effect.all([attack(one, other), attack(other, one)], { concurrency: "unbounded" })
        expect(ends.toSorted()).toEqual(["NotAdministrator", "done"])
      }
    }))

  it("writes down who, what, whom, before, after and the request", () =>
    Effect.gen(function* () {
      const { changeStatus, setRole } = yield* UserAdministration
      const by = yield* admin
      const { id } = yield* registered()
      yield* changeStatus(by, id, "verify")
      yield* setRole(by, id, "seller")
      const entry = { actorId: by.userId, requestId: "request-1" }
      expect(yield* actsOf(id)).toMatchObject([
        { ...entry, act: "user.verify", before: { status: "pending_kyc" }, after: { status: "active" } },
        { ...entry, act: "user.set_role", before: { role: "buyer" }, after: { role: "seller" } }
      ])
    }))

  it("neither does nor writes anything when its transaction fails", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { changeStatus } = yield* UserAdministration
      const by = yield* admin
      const { id } = yield* registered()
      yield* Effect.exit(changeStatus(by, id, "verify").pipe(Effect.andThen(Effect.fail("no")), sql.withTransaction))
      expect((yield* Effect.flatMap(Owners, ({ ownerOf }) => ownerOf(id))).status).toBe("pending_kyc")
      expect(yield* actsOf(id)).toEqual([])
    }))

  it("gives no API client another role, and nobody without an email the administrators'", () =>
    Effect.gen(function* () {
      const { setRole } = yield* UserAdministration
      const users = yield* Users
      const by = yield* admin
      const house = yield* users.createHouse({ companyName: "House", label: "house-admin", kind: "house" })
      expect(yield* tagOf(setRole(by, house.id, "admin"))).toBe("RoleRefused")
      expect(yield* tagOf(setRole(by, "usr_nobody", "admin"))).toBe("UserNotFound")
    }))

  production("verifies nobody without a KYC record in production", () =>
    Effect.gen(function* () {
      const { changeStatus } = yield* UserAdministration
      const by = yield* admin
      const { id } = yield* registered()
      expect(yield* tagOf(changeStatus(by, id, "verify"))).toBe("KycMissing")
      expect(yield* tagOf(changeStatus(by, id, "reject"))).toBe("done")
    })
  )
})
