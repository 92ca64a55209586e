import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import {
  challengeOf,
  LIFETIME_MILLISECONDS,
  PendingSignIns
} from "../../../../src/identity/providers/PendingSignIns.ts"
import type { Way } from "../../../../src/identity/providers/PendingSignIns.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { later, layerOf } from "../../../lib/TestIdentity.ts"

const SERVER = "http://127.0.0.1:3000"

const it = withLayer(layerOf())

const begin = (way: Way = "provider", shop?: string) =>
  Effect.map(
    Effect.flatMap(PendingSignIns, (pendings) => pendings.begin(way, "/docs", shop)),
    ({ cookie, pending }) => ({ pending, cookie: `${cookie.name}=${cookie.value}` })
  )

const resume = (cookie: string | undefined, state?: string, origin?: string, ways: ReadonlyArray<Way> = ["provider"]) =>
  Effect.flatMap(PendingSignIns, (pendings) => pendings.resume(ways, { cookie, origin, host: "127.0.0.1:3000" }, state))

describe("A pending sign-in", () => {
  it("is in its cookie alone, which shows nothing of it", () =>
    Effect.gen(function* () {
      const one = yield* begin("shop", "acme.myshopify.com")
      const two = yield* begin()
      expect(one.pending.state).not.toBe(two.pending.state)
      for (const secret of [one.pending.state, one.pending.nonce, one.pending.verifier, "acme"]) {
        expect(Buffer.from(one.cookie.split("=")[1] ?? "", "base64url").includes(secret)).toBe(false)
      }
      expect(yield* resume(one.cookie, one.pending.state, undefined, ["shop"])).toEqual(one.pending)
    }))

  it("ends after ten minutes", () =>
    Effect.gen(function* () {
      const { cookie } = yield* begin()
      yield* later(LIFETIME_MILLISECONDS - 1_000)(resume(cookie))
      expect((yield* Effect.flip(later(LIFETIME_MILLISECONDS)(resume(cookie))))._tag).toBe("SignInRefused")
    }))

  it("is refused with another's state, another way, or a cookie that was changed", () =>
    Effect.gen(function* () {
      const { cookie, pending } = yield* begin()
      const other = yield* begin()
      const at = cookie.length - 10
      const changed = `${cookie.slice(0, at)}${cookie[at] === "A" ? "B" : "A"}${cookie.slice(at + 1)}`
      const refusals = [
        resume(cookie, other.pending.state),
        resume(cookie, ""),
        resume(cookie, pending.state, undefined, ["shop", "sandbox"]),
        resume(changed),
        resume("emporion_sign_in="),
        resume(`emporion_sign_in=${"A".repeat(10_000)}`),
        resume(undefined, pending.state)
      ]
      for (const refused of refusals) expect((yield* Effect.flip(refused))._tag).toBe("SignInRefused")
    }))

  it("is completed by pages of this site alone", () =>
    Effect.gen(function* () {
      const { cookie } = yield* begin()
      for (const origin of [undefined, SERVER]) yield* resume(cookie, undefined, origin)
      for (const origin of ["null", "https://127.0.0.1:3000", "http://127.0.0.1"]) {
        expect((yield* Effect.flip(resume(cookie, undefined, origin)))._tag).toBe("SignInRefused")
      }
    }))

  it("is completed once, and forgotten after it has expired", () =>
    Effect.gen(function* () {
      const { complete } = yield* PendingSignIns
      const sql = yield* SqlClient
      const { pending } = yield* begin()
      const outcomes = yield* Effect.all(
        Array.from({ length: 10 }, () => Effect.exit(complete(pending))),
        { concurrency: "unbounded" }
      )
      expect(outcomes.filter(({ _tag }) => _tag === "Success")).toHaveLength(1)
      const { pending: next } = yield* begin()
      yield* later(LIFETIME_MILLISECONDS)(complete(next))
      expect(yield* sql`SELECT expires_at FROM spent_sign_ins`).toEqual([{ expires_at: BigInt(next.expiresAt) }])
    }))

  it("sends the challenge of RFC 7636", () =>
    Effect.sync(() => {
      const example = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
      expect(challengeOf(example)).toBe("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }))
})
