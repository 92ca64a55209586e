import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Unavailable } from "../../../../src/database/DatabaseError.ts"
import type { PasswordsBusy } from "../../../../src/identity/sessions/HashingTurns.ts"
import { PRUNE_BATCH, SessionRepository } from "../../../../src/identity/sessions/SessionRepository.ts"
import { LIFETIME_MILLISECONDS, SEEN_EVERY, Sessions } from "../../../../src/identity/sessions/Sessions.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { itLive, withLayer } from "../../../lib/Effects.ts"
import { openedArena, refusal, usd } from "../../../lib/OpenedArena.ts"
import type { TestServer } from "../../../lib/TestServer.ts"
import { later, layerOf, registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerOf())

const HOST = "127.0.0.1:3000"
const ORIGIN = `http://${HOST}`

const headersOf = (cookie: string | undefined, origin?: string) => ({ cookie, origin, host: HOST })

const begun = Effect.gen(function* () {
  const user = yield* Effect.flatMap(Users, ({ register }) => register(registration()))
  const { name, value } = yield* Effect.flatMap(Sessions, ({ begin }) => begin(user))
  return { user, value, cookie: `${name}=${value}` }
})

const read = (cookie: string) => Effect.flatMap(Sessions, ({ ofRequest }) => ofRequest("GET", headersOf(cookie)))

const userOf = (cookie: string) => Effect.map(read(cookie), (session) => session?.principal.userId)

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

const lastSeen = (userId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{
      readonly seen: bigint
    }>`SELECT last_seen_at AS seen FROM sessions WHERE user_id = ${userId}`
    return Number(rows[0]?.seen)
  })

describe("Sessions", () => {
  it("stand for the user who signed in, as a login's token does", () =>
    Effect.gen(function* () {
      const { cookie, user } = yield* begun
      const session = yield* read(cookie)
      expect(session?.principal).toMatchObject({
        userId: user.id,
        companyId: user.companyId,
        clientId: "emporion",
        role: "buyer",
        kind: "user",
        status: "pending_kyc",
        plan: "standard"
      })
      expect(session?.principal.scopes).toHaveLength(12)
      expect(yield* Effect.flatMap(Sessions, ({ ofRequest }) => ofRequest("GET", headersOf("a=b")))).toBeUndefined()
    }))

  it("keep no token in the database, and take no invented one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { cookie, user, value } = yield* begun
      const [row] = yield* sql<{ readonly hash: Uint8Array }>`SELECT hash FROM sessions WHERE user_id = ${user.id}`
      expect(Buffer.from(row?.hash ?? []).toString("base64url")).not.toBe(value)
      expect(value).toMatch(/^[\w-]{64}$/)
      for (const wrong of [
        "",
        "x",
        `${value}x`,
        "x".repeat(64),
        `${value.startsWith("A") ? "B" : "A"}${value.slice(1)}`
      ]) {
        expect(yield* tagOf(read(cookie.replace(value, wrong)))).toBe("SessionEnded")
      }
    }))

  it("read from anywhere, and change something only from this site's pages", () =>
    Effect.gen(function* () {
      const { ofRequest, ofUpgrade } = yield* Sessions
      const { cookie, user } = yield* begun
      for (const origin of [undefined, "null", "http://evil.example", "http://127.0.0.1", `https://${HOST}`]) {
        const asked = headersOf(cookie, origin)
        for (const method of ["GET", "HEAD", "OPTIONS"]) {
          expect((yield* ofRequest(method, asked))?.principal.userId).toBe(user.id)
        }
        for (const method of ["POST", "PUT", "PATCH", "DELETE", "ODD"]) {
          expect(yield* tagOf(ofRequest(method, asked))).toBe("ForeignOrigin")
        }
        const upgrade = new Headers({ cookie, host: HOST, ...(origin === undefined ? {} : { origin }) })
        expect(yield* tagOf(ofUpgrade(upgrade))).toBe("ForeignOrigin")
      }
      expect((yield* ofRequest("POST", headersOf(cookie, ORIGIN)))?.principal.userId).toBe(user.id)
      const session = yield* ofUpgrade(new Headers({ cookie, host: HOST, origin: ORIGIN }))
      expect(session).toMatchObject({ principal: { userId: user.id }, expiresAt: expect.any(Number) })
      expect(yield* ofUpgrade(new Headers({ host: HOST, origin: "http://evil.example" }))).toBeUndefined()
    }))

  it("end 30 days after the sign-in, however much they are used", () =>
    Effect.gen(function* () {
      const { cookie, user } = yield* begun
      expect(yield* userOf(cookie).pipe(later(LIFETIME_MILLISECONDS - 60_000))).toBe(user.id)
      expect(yield* tagOf(read(cookie)).pipe(later(LIFETIME_MILLISECONDS))).toBe("SessionEnded")
    }))

  it("note their use once an hour", () =>
    Effect.gen(function* () {
      const { cookie, user } = yield* begun
      const first = yield* lastSeen(user.id)
      yield* read(cookie)
      yield* read(cookie).pipe(later(SEEN_EVERY / 2))
      expect(yield* lastSeen(user.id)).toBe(first)
      yield* read(cookie).pipe(later(SEEN_EVERY))
      const second = yield* lastSeen(user.id)
      expect(second - first).toBeGreaterThanOrEqual(SEEN_EVERY)
      yield* read(cookie).pipe(later(SEEN_EVERY + 60_000))
      expect(yield* lastSeen(user.id)).toBe(second)
    }))

  it("end by logout, each alone", () =>
    Effect.gen(function* () {
      const { begin, end } = yield* Sessions
      const { cookie, user } = yield* begun
      const other = yield* begin(user)
      expect(yield* userOf(cookie)).toBe(user.id)
      expect(yield* tagOf(end(headersOf(cookie, "http://evil.example")))).toBe("ForeignOrigin")
      expect(yield* userOf(cookie)).toBe(user.id)
      for (const headers of [headersOf(cookie, ORIGIN), headersOf(cookie, ORIGIN), headersOf(undefined)]) {
        expect(yield* end(headers)).toMatchObject({ name: "emporion_session", value: "" })
      }
      expect(yield* tagOf(read(cookie))).toBe("SessionEnded")
      expect(yield* userOf(`${other.name}=${other.value}`)).toBe(user.id)
    }))

  it("end together by logging out everywhere, a suspension, a new password and a new role", () =>
    Effect.gen(function* () {
      const { begin, endAll } = yield* Sessions
      const { setPassword, setRole, setStatus } = yield* Users
      const bystander = yield* begun
      const endings: ReadonlyArray<(id: string) => Effect.Effect<void, PasswordsBusy | Unavailable>> = [
        endAll,
        (id) => setStatus(id, "suspended"),
        (id) => setPassword(id, Redacted.make("another good password")),
        (id) => setRole(id, "seller")
      ]
      for (const ending of endings) {
        const { cookie, user } = yield* begun
        const other = yield* begin(user)
        const cookies = [cookie, `${other.name}=${other.value}`]
        for (const one of cookies) expect(yield* userOf(one)).toBe(user.id)
        yield* ending(user.id)
        for (const one of cookies) expect(yield* tagOf(read(one))).toBe("SessionEnded")
        expect(yield* lastSeen(user.id)).toBeNaN()
      }
      expect(yield* userOf(bystander.cookie)).toBe(bystander.user.id)
    }))

  it("are refused where only the epoch or the status says so", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { begin } = yield* Sessions
      const users = yield* Users
      const changed = yield* begun
      yield* sql`UPDATE users SET token_epoch = token_epoch + 1 WHERE id = ${changed.user.id}`
      expect(yield* tagOf(read(changed.cookie))).toBe("SessionEnded")
      const suspended = yield* begun
      yield* sql`UPDATE users SET status = 'suspended' WHERE id = ${suspended.user.id}`
      expect(yield* tagOf(read(suspended.cookie))).toBe("SessionEnded")
      expect(yield* tagOf(begin(suspended.user))).toBe("UserSuspended")
      yield* users.setStatus(suspended.user.id, "active")
      expect((yield* begin(suspended.user)).name).toBe("emporion_session")
    }))

  it("do not begin once the tokens of their sign-in were withdrawn", () =>
    Effect.gen(function* () {
      const { begin } = yield* Sessions
      const { user } = yield* begun
      yield* Effect.flatMap(Users, ({ setRole }) => setRole(user.id, "seller"))
      expect(yield* tagOf(begin(user))).toBe("SignInOutdated")
      expect(yield* lastSeen(user.id)).toBeNaN()
    }))

  it("are at most 100 a user, the oldest ending first", () =>
    Effect.gen(function* () {
      const { begin } = yield* Sessions
      const { cookie, user } = yield* begun
      const second = yield* begin(user).pipe(later(1))
      for (let more = 0; more < 99; more++) yield* begin(user).pipe(later(2))
      expect(yield* tagOf(read(cookie))).toBe("SessionEnded")
      expect(yield* userOf(`${second.name}=${second.value}`)).toBe(user.id)
    }))
})

describe("SessionRepository", () => {
  it("removes what has expired, a batch at a time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { prune } = yield* SessionRepository
      const { cookie, user } = yield* begun
      yield* sql`
        INSERT INTO sessions (hash, user_id, token_epoch, created_at, last_seen_at, expires_at)
        SELECT sha256(n::text::bytea), ${user.id}, 0, 0, 0, 1 + n FROM generate_series(1, ${PRUNE_BATCH + 5}::int) AS n`
      expect(yield* prune(1)).toBe(0)
      expect(yield* prune(PRUNE_BATCH + 6)).toBe(PRUNE_BATCH)
      expect(yield* prune(PRUNE_BATCH + 6)).toBe(5)
      expect(yield* userOf(cookie)).toBe(user.id)
    }))
})

const PASSWORD = "correct horse battery"

/** A registered person with money whose browser has signed in. */
const browser = (server: TestServer, email: string) =>
  Effect.gen(function* () {
    const registered = yield* server.post<{ readonly id: string }>("/api/v1/auth/register", {
      email,
      password: PASSWORD,
      company_name: email
    })
    yield* server.mint(registered.json.id, usd(10_000n))
    const { headers } = yield* server.post("/api/v1/auth/login", { email, password: PASSWORD })
    const [cookie = ""] = (headers.get("set-cookie") ?? "").split(";")
    return { id: registered.json.id, cookie }
  })

const MINE = "/api/arena/commitments/my"

const FOREIGN: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  { origin: "null" },
  { origin: "http://evil.example" },
  { origin: "http://127.0.0.1" }
]

describe("The arena by a session's cookie", () => {
  itLive("takes commitments from this site's own pages", () =>
    Effect.gen(function* () {
      const { server, terms, trader } = yield* openedArena()
      const { cookie, id } = yield* browser(server, "ada@example.com")
      const commit = (headers: Readonly<Record<string, string>>, key?: string) =>
        server.post("/api/arena/commitments", terms, { headers: { cookie, ...headers }, key })
      const mine = (headers: Readonly<Record<string, string>>) =>
        server.request<{ readonly commitments: ReadonlyArray<unknown> }>("GET", MINE, undefined, { headers })

      for (const headers of FOREIGN) {
        expect(refusal(yield* commit(headers))).toEqual([403, "access_denied", "at once"])
        expect((yield* mine({ cookie, ...headers })).json.commitments).toEqual([])
      }
      const origin = server.url
      const first = yield* commit({ origin }, "once")
      expect(first.status).toBe(200)
      const again = yield* commit({ origin }, "once")
      expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([first.text, "true"])
      expect((yield* mine({ cookie })).json.commitments).toHaveLength(1)
      const detail = yield* server.get<{ readonly commitments: ReadonlyArray<unknown> }>(MINE, id)
      expect(detail.json.commitments).toHaveLength(1)

      const bearer = `Bearer ${yield* server.token(trader.id)}`
      expect((yield* mine({ cookie, authorization: bearer })).json.commitments).toEqual([])
      expect((yield* commit({ authorization: bearer })).status).toBe(200)
      const refused = yield* commit({ authorization: "Bearer x", origin })
      expect(refusal(refused)).toEqual([401, "unauthorized", "at once"])
    })
  )

  itLive("ends by logout, suspension and time, and nothing but the arena is served", () =>
    Effect.gen(function* () {
      const { server } = yield* openedArena()
      const users = server.service(Users)
      const mine = (cookie: string) => server.request("GET", MINE, undefined, { headers: { cookie } })
      const expectEnded = (cookie: string) =>
        Effect.map(mine(cookie), (answer) => {
          expect(refusal(answer)).toEqual([401, "unauthorized", "at once"])
          expect(answer.headers.get("www-authenticate")).toBe("Bearer")
          expect(answer.text).toContain("The session has ended: sign in again.")
        })
      const [one, two, three] = yield* Effect.all([
        browser(server, "one@example.com"),
        browser(server, "two@example.com"),
        browser(server, "three@example.com")
      ])
      for (const { cookie } of [one, two, three]) expect((yield* mine(cookie)).status).toBe(200)
      for (const path of ["/api/v1/users/me", "/v1/funds"]) {
        const headers = { cookie: one.cookie, origin: server.url }
        expect(refusal(yield* server.request("GET", path, undefined, { headers }))).toEqual([
          401,
          "unauthorized",
          "at once"
        ])
      }

      const headers = { cookie: one.cookie, origin: server.url }
      expect((yield* server.post("/v1/logout", undefined, { headers })).status).toBe(200)
      yield* expectEnded(one.cookie)
      yield* Effect.orDie(users.setStatus(two.id, "suspended"))
      yield* expectEnded(two.cookie)
      server.world.pass(LIFETIME_MILLISECONDS - 1)
      expect((yield* mine(three.cookie)).status).toBe(200)
      server.world.pass(1)
      yield* expectEnded(three.cookie)
      yield* expectEnded("emporion_session=invented")
    })
  )
})
