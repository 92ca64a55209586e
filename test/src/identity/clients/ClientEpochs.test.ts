import { describe, expect } from "bun:test"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AccessTokens } from "../../../../src/identity/tokens/AccessTokens.ts"
import { ApiClientRepository } from "../../../../src/identity/clients/ApiClientRepository.ts"
import { ApiClients } from "../../../../src/identity/clients/ApiClients.ts"
import { ClientEpochs } from "../../../../src/identity/clients/ClientEpochs.ts"
import { Owners } from "../../../../src/identity/users/Owners.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { later, layerOf, registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerOf())

const client = Effect.gen(function* () {
  const { companyId } = yield* Effect.flatMap(Users, ({ register }) => register(registration()))
  return (yield* Effect.flatMap(ApiClients, ({ create }) => create({ companyId, name: "Robot", scopes: [] }))).client
})

/** As after a start. */
const started = <A, E>(body: (epochs: ClientEpochs["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(ClientEpochs, body).pipe(Effect.provide(Layer.fresh(ClientEpochs.layer)))

describe("The epochs of clients that ended", () => {
  it("are known again after a start, as long as their tokens could live", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [lately, long, live] = yield* Effect.all([client, client, client])
      const now = BigInt(yield* Clock.currentTimeMillis)
      yield* sql`UPDATE api_clients SET created_at = 0`
      yield* sql`UPDATE api_clients SET deleted_at = ${now - 60_000n} WHERE client_id = ${lately.clientId}`
      yield* sql`UPDATE api_clients SET deleted_at = ${now - 3_600_000n} WHERE client_id = ${long.clientId}`
      const known = yield* started(({ isOver }) =>
        Effect.succeed([lately, long, live].map(({ clientId }) => isOver(clientId, 9)))
      )
      expect(known).toEqual([true, false, false])
    }))

  it("are known again after a start where a secret was replaced", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [lately, long] = yield* Effect.all([client, client])
      const now = BigInt(yield* Clock.currentTimeMillis)
      yield* sql`UPDATE users SET token_epoch = 2 WHERE id IN (${lately.principalId}, ${long.principalId})`
      yield* sql`UPDATE api_clients SET rotated_at = ${now - 60_000n} WHERE client_id = ${lately.clientId}`
      yield* sql`UPDATE api_clients SET rotated_at = ${now - 3_600_000n} WHERE client_id = ${long.clientId}`
      const known = yield* started(({ isOver }) =>
        Effect.succeed([...[Number.NaN, 1, 2].map((epoch) => isOver(lately.clientId, epoch)), isOver(long.clientId, 1)])
      )
      expect(known).toEqual([true, true, false, false])
    }))

  it("are forgotten once their tokens have expired by themselves", () =>
    started(({ end, isOver, restore }) =>
      Effect.gen(function* () {
        yield* end("cli_first", undefined)
        yield* end("cli_restored", undefined)
        yield* restore("cli_restored")
        expect([isOver("cli_first", 0), isOver("cli_restored", 0)]).toEqual([true, false])
        yield* end("cli_second", undefined).pipe(later(32 * 60_000))
        expect([isOver("cli_first", 0), isOver("cli_second", 0)]).toEqual([false, true])
      })
    ))

  it("that every start ensures come back", () =>
    Effect.gen(function* () {
      const clients = yield* ApiClients
      const { isOver } = yield* ClientEpochs
      const { verify, issue } = yield* AccessTokens
      const owners = yield* Owners
      const repository = yield* ApiClientRepository
      const { companyId } = yield* Effect.flatMap(Users, ({ register }) => register(registration()))
      const { secret } = yield* clients.create({ companyId, name: "Another", scopes: [] })
      const kept = { companyId, name: "Kept", clientId: "kept", scopes: [], secret } as const
      const { principalId } = yield* clients.ensure(kept)
      const owner = yield* owners.ownerOf(principalId)
      const by = { userId: principalId, companyId, isAdmin: false, scopes: [], requestId: undefined }
      yield* clients.remove(by, "kept")
      expect([isOver("kept", 9), yield* repository.find("kept")]).toEqual([true, undefined])
      const token = yield* issue({ owner, clientId: "kept", scopes: [] })
      expect(yield* Effect.flip(verify(token))).toMatchObject({ _tag: "InvalidToken" })
      expect((yield* clients.ensure(kept)).principalId).toBe(principalId)
      expect([isOver("kept", 9), (yield* owners.ownerOf(principalId)).status]).toEqual([false, "active"])
    }))
})
