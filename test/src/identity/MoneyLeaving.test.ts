import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { UserStatus } from "../../../src/identity/users/User.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { withLayer } from "../../lib/Effects.ts"
import { sendOperation } from "../../lib/OperationRequest.ts"
import { OPERATION_ROWS, requestOf } from "../../lib/OperationRows.ts"
import { makeFixture, type Fixture, tokenOf } from "../../lib/OperationFixture.ts"
import { OPERATIONS } from "../../lib/Operations.ts"

class TheFixture extends Context.Service<TheFixture, Fixture>()("test/MoneyLeaving/Fixture") {}

const it = withLayer(Layer.effect(TheFixture, makeFixture()))

/** Everything by which money leaves its owner. */
const LEAVING = [
  "POST /v1/withdraw",
  "POST /v1/transfers",
  "POST /v1/orders/{id}/pay",
  "POST /v1/payments",
  "POST /v1/payments/{id}/capture",
  "POST /v1/payments/{id}/refund",
  "POST /v1/subscriptions",
  "POST /v1/subscriptions/{id}/renew"
]

const REFUSED = {
  pending_kyc: "submit your KYC record with POST /v1/kyc",
  rejected: "this one was rejected: ask the operator",
  suspended: "suspended: ask the operator"
} as const

const become = (status: UserStatus) =>
  Effect.flatMap(TheFixture, ({ mine, server }) =>
    server.run(Effect.flatMap(Users, ({ setStatus }) => setStatus(mine.userId, status)))
  )

/** What the ledger says of everybody. */
const ledger = Effect.flatMap(TheFixture, ({ server }) =>
  server.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return yield* sql`SELECT id, balance::text AS balance, held::text AS held FROM ledger_accounts ORDER BY id`
    })
  )
)

describe("Money leaves an active user's account alone", () => {
  let turn = 500_000
  for (const name of LEAVING) {
    it(`by ${name}`, () =>
      Effect.gen(function* () {
        const fixture = yield* TheFixture
        const operation = OPERATIONS.find((one) => one.name === name)
        if (operation === undefined) throw new Error(`the contract has no ${name}`)
        yield* become("active")
        const sent = yield* requestOf(OPERATION_ROWS[name], fixture, (turn += 1))
        const before = yield* ledger
        for (const status of ["pending_kyc", "rejected", "suspended"] as const) {
          yield* become(status)
          const token = yield* tokenOf(fixture, fixture.mine.userId)
          const { json } = yield* sendOperation(fixture, operation, sent, token)
          expect([name, status, json]).toMatchObject([
            name,
            status,
            { code: "access_denied", message: expect.stringContaining(REFUSED[status]) }
          ])
        }
        expect(yield* ledger).toEqual(before)
        yield* become("active")
        const allowed = yield* sendOperation(fixture, operation, sent, yield* tokenOf(fixture, fixture.mine.userId))
        expect([name, allowed.status]).toEqual([name, 200])
      }))
  }
})
