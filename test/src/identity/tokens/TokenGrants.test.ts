import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { decodeJwt } from "jose"
import { SCOPES } from "../../../../src/api/Authorization.ts"
import { AccessTokens } from "../../../../src/identity/tokens/AccessTokens.ts"
import { ApiClients } from "../../../../src/identity/clients/ApiClients.ts"
import { TokenGrants } from "../../../../src/identity/tokens/TokenGrants.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { layerOf, registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerOf())

const registered = Effect.flatMap(Users, ({ register }) => register(registration()))

const client = Effect.gen(function* () {
  const { companyId } = yield* registered
  const { create } = yield* ApiClients
  const made = yield* create({ companyId, name: "Robot", scopes: ["orders:read", "orders:write"] })
  return { clientId: made.client.clientId, secret: made.secret, principalId: made.client.principalId }
})

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

const scopesOf = (token: string): unknown => decodeJwt(token)["scopes"]

describe("TokenGrants", () => {
  it("give a person every scope", () =>
    Effect.gen(function* () {
      const { login } = yield* TokenGrants
      const { verify } = yield* AccessTokens
      const user = yield* registered
      const answer = yield* login(user)
      expect(answer).toMatchObject({ token_type: "Bearer", expires_in: 1800 })
      const principal = yield* verify(answer.access_token)
      expect(principal).toMatchObject({ userId: user.id, kind: "user", clientId: "emporion", scopes: [...SCOPES] })
    }))

  it("give a client what it was given, or the part it asks for", () =>
    Effect.gen(function* () {
      const { clientCredentials } = yield* TokenGrants
      const { verify } = yield* AccessTokens
      const robot = yield* client
      const all = yield* clientCredentials(robot, undefined)
      const { clientId, principalId } = robot
      expect(yield* verify(all.access_token)).toMatchObject({ userId: principalId, clientId, kind: "service" })
      expect(scopesOf(all.access_token)).toEqual(["orders:read", "orders:write"])
      const part = yield* clientCredentials(robot, "orders:write")
      expect(scopesOf(part.access_token)).toEqual(["orders:write"])
      expect(yield* tagOf(clientCredentials(robot, "kyc:read"))).toBe("ScopeNotGranted")
      expect(yield* tagOf(clientCredentials(robot, "all"))).toBe("UnknownScope")
      expect(yield* tagOf(clientCredentials({ clientId, secret: Redacted.make("wrong") }, undefined))).toBe(
        "InvalidClient"
      )
    }))

  it("refresh for the same client, with the scopes of the sign-in or fewer", () =>
    Effect.gen(function* () {
      const { clientCredentials, refresh } = yield* TokenGrants
      const [robot, other] = yield* Effect.all([client, client])
      const first = yield* clientCredentials(robot, undefined)
      expect(yield* tagOf(refresh(first.refresh_token, other, undefined))).toBe("InvalidRefreshToken")
      expect(yield* tagOf(refresh(first.refresh_token, undefined, undefined))).toBe("InvalidClient")
      expect(yield* tagOf(refresh(first.refresh_token, robot, "kyc:read"))).toBe("ScopeNotGranted")
      const second = yield* refresh(first.refresh_token, robot, "orders:read")
      expect(scopesOf(second.access_token)).toEqual(["orders:read"])
      expect(yield* tagOf(refresh(first.refresh_token, undefined, "orders:read"))).toBe("InvalidClient")
      const third = yield* refresh(second.refresh_token, robot, undefined)
      expect(scopesOf(third.access_token)).toEqual(["orders:read", "orders:write"])
      expect(decodeJwt(third.access_token)["client_id"]).toBe(robot.clientId)
    }))

  it("give whoever refreshes at the same time no more scopes than it asks for, and the same refresh token", () =>
    Effect.gen(function* () {
      const { login, refresh } = yield* TokenGrants
      const { refresh_token } = yield* login(yield* registered)
      const all = yield* refresh(refresh_token, undefined, undefined)
      expect(scopesOf(all.access_token)).toEqual([...SCOPES])
      for (const asked of ["orders:read", "kyc:write orders:read", "orders:read kyc:write"]) {
        const again = yield* refresh(refresh_token, undefined, asked)
        expect(new Set(scopesOf(again.access_token) as ReadonlyArray<string>)).toEqual(new Set(asked.split(" ")))
        expect(again.refresh_token).toBe(all.refresh_token)
      }
      expect(yield* refresh(refresh_token, undefined, undefined)).toEqual(all)
      expect(yield* tagOf(refresh(refresh_token, undefined, "all"))).toBe("UnknownScope")
    }))

  it("answer refreshes at the same time alike", () =>
    Effect.gen(function* () {
      const { login, refresh } = yield* TokenGrants
      const { refresh_token } = yield* login(yield* registered)
      const answers = yield* Effect.all(
        Array.from({ length: 6 }, () => refresh(refresh_token, undefined, undefined)),
        { concurrency: "unbounded" }
      )
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    }))

  it("end with a revocation, a suspension, or a new password", () =>
    Effect.gen(function* () {
      const { login, refresh, revoke } = yield* TokenGrants
      const users = yield* Users
      const ends = {
        revoke: (_: string, token: string) => revoke(token),
        suspend: (id: string) => users.setStatus(id, "suspended"),
        password: (id: string) => users.setPassword(id, Redacted.make("another password"))
      }
      for (const end of Object.values(ends)) {
        const user = yield* registered
        const { refresh_token } = yield* login(user)
        yield* end(user.id, refresh_token)
        expect(yield* tagOf(refresh(refresh_token, undefined, undefined))).toBe("InvalidRefreshToken")
      }
    }))
})
