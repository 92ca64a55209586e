import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { LIFETIME, MAX_TOKENS, MailTokens } from "../../../../src/identity/accounts/MailTokens.ts"
import { MailTokenRepository } from "../../../../src/identity/accounts/MailTokenRepository.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { later, layerOf, registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerOf())

const registered = Effect.flatMap(Users, ({ register }) => register(registration()))

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

const issued = Effect.gen(function* () {
  const { id } = yield* registered
  const token = yield* Effect.flatMap(MailTokens, ({ issue }) => issue(id, "password_reset"))
  return { id, token: token ?? "" }
})

describe("Mail tokens", () => {
  it("are good once, for their purpose, until they expire", () =>
    Effect.gen(function* () {
      const { use, userOf } = yield* MailTokens
      const { id, token } = yield* issued
      expect(token).toMatch(/^mt_[\w-]{43}$/)
      expect(yield* tagOf(use(token, "email_verification"))).toBe("InvalidMailToken")
      expect(yield* userOf(token, "password_reset").pipe(later(LIFETIME.password_reset - 60_000))).toBe(id)
      expect(yield* tagOf(use(token, "password_reset").pipe(later(LIFETIME.password_reset)))).toBe("InvalidMailToken")
      expect(yield* use(token, "password_reset")).toBe(id)
      expect(yield* tagOf(use(token, "password_reset"))).toBe("InvalidMailToken")
      expect(yield* tagOf(userOf(token, "password_reset"))).toBe("InvalidMailToken")
    }))

  it("are not used up by a transaction that fails", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { use } = yield* MailTokens
      const { id, token } = yield* issued
      yield* Effect.exit(use(token, "password_reset").pipe(Effect.andThen(Effect.fail("no")), sql.withTransaction))
      expect(yield* use(token, "password_reset")).toBe(id)
    }))

  it("are few for one user at a time, and voided together", () =>
    Effect.gen(function* () {
      const { issue, use, voidAll } = yield* MailTokens
      const { id, token } = yield* issued
      const many = Array.from({ length: 2 * MAX_TOKENS }, () => issue(id, "password_reset"))
      const given = yield* Effect.all(many, { concurrency: "unbounded" })
      expect(given.filter((each) => each !== undefined)).toHaveLength(MAX_TOKENS - 1)
      expect(yield* issue(id, "password_reset")).toBeUndefined()
      expect(yield* issue(id, "email_verification")).toBeDefined()
      expect(yield* issue(id, "password_reset").pipe(later(LIFETIME.password_reset + 1))).toBeDefined()
      yield* voidAll(id, "password_reset")
      expect(yield* tagOf(use(token, "password_reset"))).toBe("InvalidMailToken")
      expect(yield* issue(id, "password_reset")).toBeDefined()
    }))

  it("are stored as hashes, and removed when they have expired", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { prune } = yield* MailTokenRepository
      const { id, token } = yield* issued
      const rows = yield* sql`SELECT *, encode(hash, 'escape') AS escaped FROM mail_tokens WHERE user_id = ${id}`
      expect(rows).toHaveLength(1)
      expect(Bun.inspect(rows)).not.toContain(token.slice(3))
      yield* sql`UPDATE mail_tokens SET created_at = 0, expires_at = 1 WHERE user_id = ${id}`
      yield* prune(2)
      expect(yield* sql`SELECT FROM mail_tokens WHERE user_id = ${id}`).toEqual([])
    }))
})
