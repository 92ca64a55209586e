import { describe, expect } from "bun:test"
import { Clock, Deferred, Effect, Fiber, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import {
  GRACE_MILLISECONDS,
  LIFETIME_MILLISECONDS,
  RefreshTokens
} from "../../../../src/identity/tokens/RefreshTokens.ts"
import type { Grant, Minting, NewGrant } from "../../../../src/identity/tokens/RefreshTokens.ts"
import { PRUNE_BATCH, RefreshTokenRepository } from "../../../../src/identity/tokens/RefreshTokenRepository.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { later, layerOf, registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerOf())

const HOUR = 3_600_000

const AFTER_GRACE = later(GRACE_MILLISECONDS)

const begun = Effect.gen(function* () {
  const user = yield* Effect.flatMap(Users, ({ register }) => register(registration()))
  const grant: NewGrant = { userId: user.id, clientId: undefined, scopes: ["orders:read", "kyc:write"], tokenEpoch: 0 }
  return { grant, token: yield* Effect.flatMap(RefreshTokens, ({ begin }) => begin(grant)) }
})

/** Answers again what was kept. */
const minting = <E, R>(first: Minting<E, R>["first"]): Minting<E, R> => ({
  first,
  again: (_, kept) => Effect.succeed(kept)
})

/** Answers the next token itself. */
const use = (token: string, clientId?: string) =>
  Effect.flatMap(RefreshTokens, ({ exchange }) =>
    exchange(
      token,
      clientId,
      minting((_, next) => Effect.succeed(next))
    )
  )

const isRefused = (token: string, clientId?: string) =>
  Effect.map(Effect.result(use(token, clientId)), Result.isFailure)

describe("RefreshTokens", () => {
  it("are replaced at each use, for the same grant", () =>
    Effect.gen(function* () {
      const { exchange } = yield* RefreshTokens
      const { grant, token } = yield* begun
      const second = yield* use(token)
      expect(second).not.toBe(token)
      const seen = yield* exchange(
        second,
        undefined,
        minting((grant, next) => Effect.succeed(JSON.stringify({ grant, next })))
      )
      expect(JSON.parse(seen)).toMatchObject({ grant: { userId: grant.userId, scopes: grant.scopes } })
      expect(yield* isRefused(JSON.parse(seen).next)).toBe(false)
    }))

  it("answer callers at the same time alike", () =>
    Effect.gen(function* () {
      const { token } = yield* begun
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => use(token)),
        { concurrency: "unbounded" }
      )
      expect(new Set(answers).size).toBe(1)
      expect(yield* isRefused(answers[0] ?? "")).toBe(false)
    }))

  it("are exchanged by one caller while the others wait", () =>
    Effect.gen(function* () {
      const { exchange } = yield* RefreshTokens
      const sql = yield* SqlClient
      const { token } = yield* begun
      const gate = yield* Deferred.make<void>()
      let minted = 0
      const mint = (_: Grant, next: string) =>
        Effect.as(
          Effect.andThen(
            Effect.sync(() => (minted += 1)),
            Deferred.await(gate)
          ),
          next
        )
      const both = yield* Effect.forkChild(
        Effect.all([exchange(token, undefined, minting(mint)), exchange(token, undefined, minting(mint))], {
          concurrency: 2
        })
      )
      const waiting = sql<{ readonly waits: boolean }>`
        SELECT EXISTS (SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits`
      yield* Effect.repeat(waiting, { until: ([row]) => row?.waits === true || minted > 1 })
      yield* Deferred.succeed(gate, undefined)
      const [first, second] = yield* Fiber.join(both)
      expect(second).toBe(first)
      expect(minted).toBe(1)
    }))

  it("used again after the grace revoke their whole family", () =>
    Effect.gen(function* () {
      const { token } = yield* begun
      const second = yield* use(token)
      const third = yield* use(second)
      expect(yield* AFTER_GRACE(isRefused(token))).toBe(true)
      expect(yield* isRefused(third)).toBe(true)
      expect(yield* isRefused(second)).toBe(true)
    }))

  it("still answer within the grace when the next one was used too", () =>
    Effect.gen(function* () {
      const { token } = yield* begun
      const second = yield* use(token)
      yield* use(second)
      expect(yield* use(token)).toBe(second)
    }))

  it("end 30 days after the sign-in, however often they are used", () =>
    Effect.gen(function* () {
      const { token } = yield* begun
      const second = yield* later(LIFETIME_MILLISECONDS - 60_000)(use(token))
      expect(yield* later(LIFETIME_MILLISECONDS)(isRefused(second))).toBe(true)
      expect(yield* later(LIFETIME_MILLISECONDS - 30_000)(isRefused(second))).toBe(false)
    }))

  it("are unused when their answer fails", () =>
    Effect.gen(function* () {
      const { exchange } = yield* RefreshTokens
      const { token } = yield* begun
      const failed = yield* Effect.flip(
        exchange(
          token,
          undefined,
          minting(() => Effect.fail("no"))
        )
      )
      expect(failed).toBe("no")
      expect(yield* isRefused(token)).toBe(false)
    }))

  it("of a person are no client's", () =>
    Effect.gen(function* () {
      const { token } = yield* begun
      expect(yield* isRefused(token, "sandbox-client")).toBe(true)
      expect(yield* isRefused(token)).toBe(false)
    }))

  it("are revoked one sign-in at a time, or all of a user's", () =>
    Effect.gen(function* () {
      const tokens = yield* RefreshTokens
      const { grant, token } = yield* begun
      const [second, third] = yield* Effect.all([tokens.begin(grant), tokens.begin(grant)])
      yield* tokens.revoke(yield* use(token))
      expect(yield* isRefused(token)).toBe(true)
      expect(yield* isRefused(second)).toBe(false)
      yield* tokens.revokeUser(grant.userId)
      expect(yield* isRefused(third)).toBe(true)
      yield* tokens.revoke("unknown")
    }))

  it("of a user's oldest sign-ins make room for the hundredth and later ones", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { begin } = yield* RefreshTokens
      const { grant, token } = yield* begun
      yield* Effect.forEach(Array.from({ length: 100 }), (_, index) => later(index + 1)(begin(grant)))
      expect(yield* isRefused(token)).toBe(true)
      const [count] = yield* sql`SELECT count(*) FROM refresh_families WHERE user_id = ${grant.userId}`
      expect(count).toEqual({ count: 100n })
    }))

  it("never stand in the database as they are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { token } = yield* begun
      const second = yield* use(token)
      const rows =
        yield* sql`SELECT encode(hash, 'escape') AS hash, encode(answer, 'escape') AS answer FROM refresh_tokens`
      const text = JSON.stringify(rows)
      expect(text).toContain("answer")
      for (const secret of [token, second, token.slice(3), second.slice(3)]) expect(text).not.toContain(secret)
    }))

  it("are removed with their sign-in once that is over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { prune } = yield* RefreshTokenRepository
      const { grant, token } = yield* begun
      const live = yield* later(HOUR)(begun)
      yield* use(token)
      const over = (yield* Clock.currentTimeMillis) + LIFETIME_MILLISECONDS
      while ((yield* prune(over)) === PRUNE_BATCH);
      const users = [grant.userId, live.grant.userId]
      expect(yield* sql`SELECT user_id FROM refresh_families WHERE user_id = ANY(${users}::text[])`).toEqual([
        { user_id: live.grant.userId }
      ])
      const orphans = sql`SELECT FROM refresh_tokens WHERE family_id NOT IN (SELECT id FROM refresh_families)`
      expect(yield* orphans).toEqual([])
      expect(yield* prune(over)).toBe(0)
      expect([yield* isRefused(token), yield* isRefused(live.token)]).toEqual([true, false])
    }))
})
