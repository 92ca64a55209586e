import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { accountId } from "../../../engine/ledger/Account.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { DemoAccount } from "../../../src/sandbox/DemoAccount.ts"
import { KycRecords } from "../../../src/identity/KycRecords.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { itLive } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

const money = (server: TestServer, userId: string) =>
  server.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [row] = yield* sql<{ balance: string }>`
        SELECT balance::text AS balance FROM ledger_accounts WHERE id = ${accountId(userId, "USD", "wallet")}`
      return BigInt(row?.balance ?? -1)
    })
  )

describe("DemoAccount", () => {
  itLive("signs in with what the banner shows, has money, and is the same after a restart", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.makeFirst()
      const { demo } = server.service(DemoAccount)
      if (demo === undefined) throw new Error("the sandbox has a demo account")
      const person = yield* Effect.orDie(server.service(Users).login(demo.email, demo.password, "127.0.0.1"))
      expect(person.status).toBe("active")
      expect(yield* money(server, person.id)).toBe(usd("100000"))
      expect(yield* money(server, demo.client.principalId)).toBe(usd("100000"))
      const { isVerified } = server.service(KycRecords)
      for (const userId of [person.id, demo.client.principalId]) {
        expect(yield* Effect.orDie(isVerified(userId))).toBe(true)
      }
      yield* server.restart()
      const again = server.service(DemoAccount).demo
      expect(again?.password === undefined ? "" : Redacted.value(again.password)).toBe(Redacted.value(demo.password))
      expect(yield* money(server, person.id)).toBe(usd("100000"))
    })
  )

  itLive("finishes what an interrupted first start began", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.makeFirst()
      const { demo } = server.service(DemoAccount)
      if (demo === undefined) throw new Error("the sandbox has a demo account")
      const { register } = server.service(Users)
      yield* server.run(
        Effect.flatMap(
          SqlClient,
          (sql) => sql`UPDATE users SET email = 'earlier@emporion.local' WHERE email = ${demo.email}`
        )
      )
      const person = yield* Effect.orDie(
        register({ email: demo.email, password: demo.password, companyName: "Demo", status: "active" })
      )
      expect(yield* money(server, person.id)).toBe(-1n)
      yield* server.restart()
      expect(yield* money(server, person.id)).toBe(usd("100000"))
    })
  )
})
