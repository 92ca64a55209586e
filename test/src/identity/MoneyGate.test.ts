import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { MoneyGate } from "../../../src/identity/MoneyGate.ts"
import type { UserStatus } from "../../../src/identity/users/User.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { withLayer } from "../../lib/Effects.ts"
import { layerOf, registration } from "../../lib/TestIdentity.ts"

const it = withLayer(layerOf())

const userThatIs = (status: UserStatus) =>
  Effect.gen(function* () {
    const users = yield* Users
    const { id } = yield* users.register(registration())
    yield* users.setStatus(id, status)
    return id
  })

describe("MoneyGate", () => {
  const closed = [
    ["pending_kyc", "submit your KYC record with POST /v1/kyc"],
    ["suspended", "is suspended: ask the operator"],
    ["rejected", "was rejected: ask the operator"]
  ] as const
  for (const [status, told] of closed) {
    it(`is closed to a user who is ${status}, and says what to do`, () =>
      Effect.gen(function* () {
        const { open } = yield* MoneyGate
        const userId = yield* userThatIs(status)
        const refusal = yield* Effect.flip(open(userId))
        expect(refusal).toMatchObject({ _tag: "MoneyGateClosed", userId, status })
        expect(refusal.message).toContain("needs a verified account")
        expect(refusal.message).toContain(told)
      }))
  }

  it("is open to an active user until a suspension, and as the status changes at once", () =>
    Effect.gen(function* () {
      const { open } = yield* MoneyGate
      const users = yield* Users
      const userId = yield* userThatIs("active")
      expect(yield* open(userId)).toBeUndefined()
      yield* users.setStatus(userId, "suspended")
      expect(yield* Effect.flip(open(userId))).toMatchObject({ status: "suspended" })
    }))
})
