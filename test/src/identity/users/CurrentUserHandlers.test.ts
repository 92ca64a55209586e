import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isoUtc } from "../../../../src/api/Timestamp.ts"
import { HttpServer } from "../../../../src/http/HttpServer.ts"
import { Owners } from "../../../../src/identity/users/Owners.ts"
import { TokenGrants } from "../../../../src/identity/tokens/TokenGrants.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { layer } from "../../../lib/IdentityServer.ts"
import { type Answer, send } from "../../../lib/Requests.ts"
import { registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layer)

const me = (token: string, change?: unknown): Effect.Effect<Answer, never, HttpServer> =>
  Effect.flatMap(HttpServer, ({ url }) =>
    send(`${url}/api/v1/users/me`, {
      method: change === undefined ? "GET" : "PUT",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(change === undefined ? {} : { body: JSON.stringify(change) })
    })
  )

const signedIn = Effect.gen(function* () {
  const users = yield* Users
  const grants = yield* TokenGrants
  const user = yield* users.register(registration({ phone: "+32 9", contactName: "A. B.", taxId: "BE1" }))
  return { user, token: (yield* grants.login(user)).access_token }
})

const WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"

describe("/api/v1/users/me", () => {
  it("is the caller's record", () =>
    Effect.gen(function* () {
      const { user, token } = yield* signedIn
      const answer = yield* me(token)
      expect([answer.status, answer.json]).toEqual([
        200,
        {
          id: user.id,
          email: user.email,
          company_name: "Acme",
          company_id: user.companyId,
          tax_id: "BE1",
          role: "buyer",
          status: "pending_kyc",
          phone: "+32 9",
          address: null,
          contact_name: "A. B.",
          wallet_address: null,
          ecommerce_company_id: null,
          email_verified: false,
          created_at: isoUtc(user.createdAt)
        }
      ])
    }))

  it("changes in the fields that are sent", () =>
    Effect.gen(function* () {
      const { token } = yield* signedIn
      const address = { city: "Ghent", postal_code: "9000" }
      expect((yield* me(token, { address })).json).toMatchObject({ phone: "+32 9", address })
      expect((yield* me(token, { wallet_address: WALLET.toLowerCase() })).json).toMatchObject({
        address,
        wallet_address: WALLET
      })
      expect((yield* me(token, {})).json).toMatchObject({ phone: "+32 9", address, wallet_address: WALLET })
      const other = yield* signedIn
      expect((yield* me(other.token, { wallet_address: WALLET })).json).toMatchObject({ code: "conflict" })
    }))

  it("refuses a wallet address that is none, or whose checksum is wrong", () =>
    Effect.gen(function* () {
      const { token } = yield* signedIn
      for (const wallet_address of ["0x", WALLET.replace("A", "a"), `${WALLET}0`, 7]) {
        const answer = yield* me(token, { wallet_address })
        expect(answer.json).toMatchObject({
          code: "invalid_request",
          message: expect.stringMatching(/^payload\.wallet_address: /)
        })
        expect(answer.status).toBe(400)
      }
    }))

  it("is counted by the plan of the company", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { user, token } = yield* signedIn
      expect((yield* me(token)).headers.get("x-ratelimit-limit")).toBe("100")
      yield* sql`UPDATE companies SET plan = 'enterprise' WHERE id = ${user.companyId}`
      yield* Effect.flatMap(Owners, ({ forget }) => forget(user.id))
      expect((yield* me(token)).headers.get("x-ratelimit-limit")).toBe("2000")
    }))

  it("needs a token that is still good", () =>
    Effect.gen(function* () {
      expect((yield* me("nothing")).status).toBe(401)
      const { user, token } = yield* signedIn
      const users = yield* Users
      yield* users.setPassword(user.id, Redacted.make("another password"))
      expect((yield* me(token)).status).toBe(401)
    }))
})
