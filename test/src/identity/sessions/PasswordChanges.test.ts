import { describe, expect } from "bun:test"
import { Deferred, Effect, Fiber, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SCOPES } from "../../../../src/api/Authorization.ts"
import { AccessTokens } from "../../../../src/identity/tokens/AccessTokens.ts"
import { ApiClients } from "../../../../src/identity/clients/ApiClients.ts"
import { PasswordChanges } from "../../../../src/identity/sessions/PasswordChanges.ts"
import { TokenGrants } from "../../../../src/identity/tokens/TokenGrants.ts"
import { Sessions } from "../../../../src/identity/sessions/Sessions.ts"
import { Owners } from "../../../../src/identity/users/Owners.ts"
import type { User } from "../../../../src/identity/users/User.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { tokenIn } from "../../../lib/Mailbox.ts"
import { layerOf, mailbox, registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerOf())

const NEXT = Redacted.make("another good password")

const registered = Effect.gen(function* () {
  const given = registration()
  return { given, user: yield* Effect.flatMap(Users, ({ register }) => register(given)) }
})

describe("A new password", () => {
  it("leaves nothing of a login with the old one that comes at the same time", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const grants = yield* TokenGrants
      const sessions = yield* Sessions
      const passwords = yield* PasswordChanges
      const tokens = yield* AccessTokens
      for (let round = 0; round < 8; round++) {
        const { given, user } = yield* registered
        const login = Effect.gen(function* () {
          const known = yield* users.login(given.email, given.password, "1")
          const answer = yield* grants.login(known)
          return { answer, session: yield* sessions.begin(known) }
        })
        const asked = { userId: user.id, current: given.password, next: NEXT }
        const [, ...logins] = yield* Effect.all(
          [Effect.result(passwords.change(asked, "2")), ...[1, 2, 3, 4].map(() => Effect.result(login))],
          { concurrency: "unbounded" }
        )
        for (const each of logins.filter(Result.isSuccess)) {
          const { answer, session } = each.success as Effect.Success<typeof login>
          expect(yield* Effect.flip(tokens.verify(answer.access_token))).toMatchObject({ _tag: "InvalidToken" })
          const refreshed = yield* Effect.flip(grants.refresh(answer.refresh_token, undefined, undefined))
          expect(refreshed).toMatchObject({ _tag: "InvalidRefreshToken" })
          const headers = { cookie: `${session.name}=${session.value}`, origin: undefined, host: undefined }
          expect(yield* Effect.flip(sessions.ofRequest("GET", headers))).toMatchObject({ _tag: "SessionEnded" })
        }
      }
    }))

  it("makes what was decided before it begin nothing", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const grants = yield* TokenGrants
      const sessions = yield* Sessions
      const passwords = yield* PasswordChanges
      const { given, user } = yield* registered
      const known = yield* users.login(given.email, given.password, "1")
      const changed = yield* passwords.change({ userId: user.id, current: given.password, next: NEXT }, "1")
      expect(yield* Effect.flip(grants.login(known))).toMatchObject({ _tag: "SignInOutdated" })
      expect(yield* Effect.flip(sessions.begin(known))).toMatchObject({ _tag: "SignInOutdated" })
      expect((yield* grants.login(changed)).token_type).toBe("Bearer")
    }))

  it("that is being written is waited for by a sign-in", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const grants = yield* TokenGrants
      const sessions = yield* Sessions
      const signIns = [
        (user: User) => Effect.asVoid(grants.login(user)),
        (user: User) => Effect.asVoid(sessions.begin(user))
      ]
      for (const signIn of signIns) {
        const { user } = yield* registered
        const written = yield* Deferred.make<void>()
        const gate = yield* Deferred.make<void>()
        const change = sql`UPDATE users SET token_epoch = token_epoch + 1 WHERE id = ${user.id}`.pipe(
          Effect.andThen(Deferred.succeed(written, undefined)),
          Effect.andThen(Deferred.await(gate)),
          sql.withTransaction
        )
        const changing = yield* Effect.forkChild(change)
        yield* Deferred.await(written)
        const fiber = yield* Effect.forkChild(Effect.flip(signIn(user)))
        const waiting = sql<{ readonly count: bigint }>`
          SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
        const isOver = () => fiber.pollUnsafe() !== undefined
        yield* Effect.repeat(waiting, { until: ([row]) => row?.count === 1n || isOver() })
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(changing)
        expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "SignInOutdated" })
      }
    }))

  it("by a mail ends the delay that guesses brought", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const passwords = yield* PasswordChanges
      const { given } = yield* registered
      for (let guess = 0; guess < 5; guess++) {
        yield* Effect.exit(users.login(given.email, Redacted.make("wrong password"), "stranger"))
      }
      expect(yield* Effect.flip(users.login(given.email, given.password, "3"))).toMatchObject({
        _tag: "TooManyAttempts"
      })
      yield* passwords.forgot(given.email, "3")
      yield* passwords.reset(tokenIn(yield* mailbox.next(given.email)), NEXT, "3")
      expect((yield* users.login(given.email, NEXT, "3")).isEmailVerified).toBe(true)
    }))

  it("by the first mail that shows whose the address is ends the secrets of clients made before, and none later", () =>
    Effect.gen(function* () {
      const clients = yield* ApiClients
      const tokens = yield* AccessTokens
      const grants = yield* TokenGrants
      const passwords = yield* PasswordChanges
      const owners = yield* Owners
      const { given, user } = yield* registered
      const made = { companyId: user.companyId, name: "early", scopes: ["users:read"], createdBy: user.id } as const
      const reset = Effect.gen(function* () {
        yield* passwords.forgot(given.email, "5")
        yield* passwords.reset(tokenIn(yield* mailbox.next(given.email)), NEXT, "5")
        yield* mailbox.next(given.email)
      })
      const early = yield* clients.create(made)
      const token = yield* grants.clientCredentials(
        { clientId: early.client.clientId, secret: early.secret },
        undefined
      )
      yield* reset
      expect(yield* Effect.flip(clients.authenticate(early.client.clientId, early.secret))).toMatchObject({
        _tag: "InvalidClient"
      })
      expect(yield* Effect.flip(tokens.verify(token.access_token))).toMatchObject({ _tag: "InvalidToken" })
      const refreshed = grants.refresh(token.refresh_token, undefined, undefined)
      expect(yield* Effect.flip(refreshed)).toMatchObject({ _tag: "InvalidRefreshToken" })
      const listed = yield* clients.list(user.companyId, { limit: 10, offset: 0 })
      expect(listed.clients.map(({ clientId }) => clientId)).toEqual([early.client.clientId])
      expect((yield* owners.ownerOf(early.client.principalId)).status).not.toBe("suspended")
      const by = { userId: user.id, companyId: user.companyId, isAdmin: false, scopes: SCOPES, requestId: undefined }
      const { client, secret } = yield* clients.rotate(by, early.client.clientId)
      expect(yield* clients.authenticate(client.clientId, secret)).toMatchObject({
        principalId: early.client.principalId
      })
      const later = yield* clients.create({ ...made, name: "later" })
      yield* reset
      expect(yield* clients.authenticate(later.client.clientId, later.secret)).toMatchObject({ name: "later" })
    }))
})
