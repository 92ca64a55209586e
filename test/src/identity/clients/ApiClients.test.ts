import { describe, expect } from "bun:test"
import { Effect, Exit, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ApiClients } from "../../../../src/identity/clients/ApiClients.ts"
import { Owners } from "../../../../src/identity/users/Owners.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { layerOf, registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerOf())

const created = Effect.gen(function* () {
  const { companyId } = yield* Effect.flatMap(Users, ({ register }) => register(registration()))
  const clients = yield* ApiClients
  return { companyId, ...(yield* clients.create({ companyId, name: "Robot", scopes: ["orders:read"] })) }
})

describe("ApiClients", () => {
  it("have a principal of their own in their company", () =>
    Effect.gen(function* () {
      const { client, companyId } = yield* created
      const owner = yield* Effect.flatMap(Owners, ({ ownerOf }) => ownerOf(client.principalId))
      expect(owner).toMatchObject({ role: "service", status: "active", companyId })
    }))

  it("authenticate with their secret alone", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* ApiClients
      const { client, secret } = yield* created
      const { secret: another } = yield* created
      expect(yield* authenticate(client.clientId, secret)).toEqual(client)
      for (const [id, wrong] of [
        [client.clientId, another],
        [client.clientId, Redacted.make("")],
        ["cli_unknown", secret],
        ["", secret]
      ] as const) {
        expect(yield* Effect.flip(authenticate(id, wrong))).toMatchObject({ _tag: "InvalidClient" })
      }
    }))

  it("keep only a hash of the secret", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { secret } = yield* created
      const rows = yield* sql`SELECT *, encode(secret_hash, 'escape') AS escaped FROM api_clients`
      expect(Bun.inspect(rows)).not.toContain(Redacted.value(secret))
    }))

  it("that are ensured are made once and take the latest secret", () =>
    Effect.gen(function* () {
      const { authenticate, ensure } = yield* ApiClients
      const { companyId } = yield* created
      const [first, second] = [Redacted.make("first"), Redacted.make("second")]
      const client = { companyId, name: "Robot", clientId: "robot", scopes: ["kyc:read"] } as const
      const made = yield* ensure({ ...client, secret: first })
      expect(yield* ensure({ ...client, secret: second })).toEqual(made)
      expect(yield* authenticate("robot", second)).toEqual(made)
      expect(Exit.isFailure(yield* Effect.exit(authenticate("robot", first)))).toBe(true)
    }))

  it("cannot speak for a person, nor for another company", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { client, companyId } = yield* created
      const person = yield* Effect.flatMap(Users, ({ register }) => register(registration()))
      const insert = (company: string, principal: string) =>
        Effect.exit(sql`
          INSERT INTO api_clients (client_id, secret_hash, name, company_id, principal_id, scopes, created_at)
          VALUES ('wrong', ${new Uint8Array(32)}, 'Wrong', ${company}, ${principal}, '{}', 0)`)
      expect(Exit.isFailure(yield* insert(person.companyId, person.id))).toBe(true)
      expect(Exit.isFailure(yield* insert(person.companyId, client.principalId))).toBe(true)
      expect(Exit.isFailure(yield* insert(companyId, client.principalId))).toBe(true)
    }))
})
