import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { HttpServer } from "../../../../src/http/HttpServer.ts"
import { Sessions } from "../../../../src/identity/sessions/Sessions.ts"
import { withLayer } from "../../../lib/Effects.ts"
import {
  administrator,
  ask,
  login,
  PASSWORD,
  person,
  refresh,
  signIn,
  statusAndCode
} from "../../../lib/IdentityActors.ts"
import { layerWith } from "../../../lib/IdentityServer.ts"
import { tokenIn } from "../../../lib/Mailbox.ts"
import { post, send } from "../../../lib/Requests.ts"
import { mailbox } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerWith({ TRUSTED_PROXIES: "127.0.0.1" }))

const NEXT = "another good password"

let places = 0

/** Another address each time, so that one test's failures delay no other. */
const elsewhere = (): string => {
  places += 1
  return `10.0.${places >> 8}.${places & 255}`
}

const forgot = (email: string, from = elsewhere()) =>
  ask("POST", "/api/v1/auth/password/forgot", undefined, { email }, { "x-forwarded-for": from })
const reset = (token: string, password: string, from = elsewhere()) =>
  ask("POST", "/api/v1/auth/password/reset", undefined, { token, password }, { "x-forwarded-for": from })
const verifyEmail = (token: string) => ask("POST", "/api/v1/auth/email/verify", undefined, { token })
const change = (token: string, current_password: string, new_password: string) =>
  ask("PUT", "/api/v1/users/me/password", token, { current_password, new_password })
const me = (token: string) => ask("GET", "/api/v1/users/me", token)

const fieldOf = (json: unknown, field: string): unknown => (json as Record<string, unknown>)[field]

/** Everything that a sign-in gives. */
const everything = Effect.gen(function* () {
  const someone = yield* person()
  const answer = yield* login(someone.email, PASSWORD)
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";")
  const session = Effect.flatMap(Sessions, ({ ofRequest }) =>
    ofRequest("GET", { cookie, origin: undefined, host: undefined })
  )
  return { ...someone, cookie, session, second: String(fieldOf(answer.json, "refresh_token")) }
})

const expectEnded = Effect.fnUntraced(function* (all: Effect.Success<typeof everything>) {
  expect(statusAndCode(yield* me(all.token))).toEqual([401, "unauthorized"])
  for (const token of [all.refreshToken, all.second]) {
    expect(statusAndCode(yield* refresh(token))).toEqual([400, "invalid_grant"])
  }
  expect(yield* Effect.flip(all.session)).toMatchObject({ _tag: "SessionEnded" })
})

describe("A forgotten password", () => {
  it("is reset by the token of a mail, which ends every sign-in", () =>
    Effect.gen(function* () {
      const someone = yield* everything
      const bystander = yield* everything
      expect(statusAndCode(yield* forgot(someone.email.toUpperCase()))).toEqual([200, undefined])
      const token = tokenIn(yield* mailbox.next(someone.email))
      expect(token).toMatch(/^mt_[\w-]{43}$/)
      expect(statusAndCode(yield* reset(token, NEXT))).toEqual([200, undefined])
      yield* expectEnded(someone)
      expect(statusAndCode(yield* login(someone.email, PASSWORD))).toEqual([401, "unauthorized"])
      const again = yield* login(someone.email, NEXT)
      expect(again.status).toBe(200)
      expect((yield* me(String(fieldOf(again.json, "access_token")))).json).toMatchObject({ email_verified: true })
      expect((yield* mailbox.next(someone.email)).subject).toBe("Your password was changed")
      expect((yield* me(bystander.token)).status).toBe(200)
    }))

  it("takes each token once, also from many at the same time, and no other token", () =>
    Effect.gen(function* () {
      const someone = yield* person()
      yield* forgot(someone.email)
      yield* forgot(someone.email)
      const [first, second] = [tokenIn(yield* mailbox.next(someone.email)), tokenIn(yield* mailbox.next(someone.email))]
      const told = yield* Effect.all(
        [1, 2, 3, 4].map((each) => Effect.map(reset(first, `${NEXT} ${each}`), statusAndCode)),
        { concurrency: "unbounded" }
      )
      expect(told.toSorted()).toEqual([
        [200, undefined],
        [400, "invalid_request"],
        [400, "invalid_request"],
        [400, "invalid_request"]
      ])
      for (const token of [first, second, "mt_unknown", someone.token]) {
        expect(statusAndCode(yield* reset(token, NEXT))).toEqual([400, "invalid_request"])
      }
    }))

  it("cannot be reset by an expired token, one for another purpose, nor for a suspended user", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [late, other, suspended] = yield* Effect.all([person(), person(), person()])
      yield* forgot(late.email)
      const expired = tokenIn(yield* mailbox.next(late.email))
      yield* sql`UPDATE mail_tokens SET created_at = 0, expires_at = 1 WHERE user_id = ${late.user.id}`
      yield* ask("POST", "/api/v1/users/me/email/verification", other.token)
      const foreign = tokenIn(yield* mailbox.next(other.email))
      yield* forgot(suspended.email)
      const useless = tokenIn(yield* mailbox.next(suspended.email))
      yield* sql`UPDATE users SET status = 'suspended' WHERE id = ${suspended.user.id}`
      for (const token of [expired, foreign, useless]) {
        expect(statusAndCode(yield* reset(token, NEXT))).toEqual([400, "invalid_request"])
      }
      expect(statusAndCode(yield* verifyEmail(foreign))).toEqual([200, undefined])
    }))

  it("is answered alike where there is no account, and fills nobody's mailbox", () =>
    Effect.gen(function* () {
      const someone = yield* person()
      const known = yield* forgot(someone.email)
      const unknown = yield* forgot("nobody-at-all@example.com")
      expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
      for (let more = 1; more < 5; more++) yield* forgot(someone.email)
      const late = yield* forgot(someone.email)
      expect([statusAndCode(late), late.headers.get("retry-after")]).toEqual([[429, "rate_limited"], "1"])
      for (let mail = 0; mail < 5; mail++) yield* mailbox.next(someone.email)
      expect(mailbox.unread(someone.email)).toBe(0)
      expect(mailbox.unread("nobody-at-all@example.com")).toBe(0)
    }))

  it("lets nobody guess tokens for long, and the guesses delay no login", () =>
    Effect.gen(function* () {
      const someone = yield* person()
      const from = elsewhere()
      for (let guess = 0; guess < 20; guess++) yield* reset("mt_guess", NEXT, from)
      const late = yield* reset("mt_guess", NEXT, from)
      expect([statusAndCode(late), late.headers.get("retry-after")]).toEqual([[429, "rate_limited"], "1"])
      expect((yield* login(someone.email, PASSWORD)).status).toBe(200)
    }))
})

describe("PUT /api/v1/users/me/password", () => {
  it("needs the old password, ends every other sign-in, and signs in anew", () =>
    Effect.gen(function* () {
      const someone = yield* everything
      expect(statusAndCode(yield* change(someone.token, "wrong password", NEXT))).toEqual([403, "access_denied"])
      expect((yield* me(someone.token)).status).toBe(200)
      const answer = yield* change(someone.token, PASSWORD, NEXT)
      expect(answer.status).toBe(200)
      expect(answer.json).toMatchObject({ token_type: "Bearer", user: { id: someone.user.id } })
      expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^emporion_session=[\w-]{64}; /)])
      yield* expectEnded(someone)
      expect((yield* me(String(fieldOf(answer.json, "access_token")))).status).toBe(200)
      expect((yield* refresh(String(fieldOf(answer.json, "refresh_token")))).status).toBe(200)
      expect((yield* login(someone.email, NEXT)).status).toBe(200)
    }))

  it("voids the mails that were sent to reset it", () =>
    Effect.gen(function* () {
      const someone = yield* person()
      yield* forgot(someone.email)
      const token = tokenIn(yield* mailbox.next(someone.email))
      expect((yield* change(someone.token, PASSWORD, NEXT)).status).toBe(200)
      expect(statusAndCode(yield* reset(token, PASSWORD))).toEqual([400, "invalid_request"])
    }))

  it("is slow to be guessed at with a stolen token, and changes once for many at the same time", () =>
    Effect.gen(function* () {
      const someone = yield* person()
      const answers = yield* Effect.all(
        [1, 2, 3, 4].map((each) => change(someone.token, PASSWORD, `${NEXT} ${each}`)),
        { concurrency: "unbounded" }
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const other = yield* person()
      for (let guess = 0; guess < 5; guess++) yield* change(other.token, "wrong password", NEXT)
      expect(statusAndCode(yield* change(other.token, PASSWORD, NEXT))).toEqual([429, "rate_limited"])
    }))

  it("is nothing for an API client", () =>
    Effect.gen(function* () {
      const someone = yield* person()
      const made = yield* ask("POST", "/v1/clients", someone.token, { name: "Robot", scopes: ["users:write"] })
      const { client_id, client_secret } = made.json as { readonly client_id: string; readonly client_secret: string }
      const credentials = { grant_type: "client_credentials", client_id, client_secret }
      const answer = yield* ask("POST", "/api/v1/auth/token", undefined, credentials)
      const token = String(fieldOf(answer.json, "access_token"))
      expect(statusAndCode(yield* change(token, PASSWORD, NEXT))).toEqual([409, "conflict"])
    }))
})

describe("POST /v1/logout/everywhere", () => {
  it("ends every token and session, and removes the cookie", () =>
    Effect.gen(function* () {
      const someone = yield* everything
      const bystander = yield* everything
      const answer = yield* ask("POST", "/v1/logout/everywhere", someone.token)
      expect([answer.status, answer.json]).toEqual([200, {}])
      expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^emporion_session=; Max-Age=0; /)])
      yield* expectEnded(someone)
      expect((yield* me(bystander.token)).status).toBe(200)
      expect((yield* login(someone.email, PASSWORD)).status).toBe(200)
    }))
})

describe("An email", () => {
  it("is verified by the token of the mail that registration sends", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      const email = "newcomer@accounts.example.com"
      yield* send(`${url}/api/v1/auth/register`, post({ email, password: PASSWORD, company_name: "Acme" }))
      const answer = yield* login(email, PASSWORD)
      const token = String(fieldOf(answer.json, "access_token"))
      expect((yield* me(token)).json).toMatchObject({ email_verified: false })
      const first = tokenIn(yield* mailbox.next(email))
      yield* ask("POST", "/api/v1/users/me/email/verification", token)
      const second = tokenIn(yield* mailbox.next(email))
      expect(statusAndCode(yield* verifyEmail(second))).toEqual([200, undefined])
      expect((yield* me(token)).json).toMatchObject({ email_verified: true, status: "pending_kyc" })
      for (const used of [first, second])
        expect(statusAndCode(yield* verifyEmail(used))).toEqual([400, "invalid_request"])
      yield* ask("POST", "/api/v1/users/me/email/verification", token)
      expect(mailbox.unread(email)).toBe(0)
    }))
})

describe("A suspended user", () => {
  it("is refused with whatever they have, at once, until reactivated", () =>
    Effect.gen(function* () {
      const admin = yield* administrator
      const someone = yield* everything
      const made = yield* ask("POST", "/v1/clients", someone.token, { name: "Robot", scopes: ["users:read"] })
      const { client_id, client_secret } = made.json as { readonly client_id: string; readonly client_secret: string }
      const credentials = { grant_type: "client_credentials", client_id, client_secret }
      const answer = yield* ask("POST", "/api/v1/auth/token", undefined, credentials)
      const robot = String(fieldOf(answer.json, "access_token"))
      yield* ask("PUT", `/v1/users/verify/${someone.user.id}`, admin.token)
      expect([(yield* me(someone.token)).status, (yield* me(robot)).json]).toMatchObject([200, { status: "active" }])
      const suspended = yield* ask("PUT", `/v1/users/${someone.user.id}/suspend`, admin.token)
      expect(suspended.json).toMatchObject({ status: "suspended" })
      for (const token of [someone.token, robot])
        expect(statusAndCode(yield* me(token))).toEqual([403, "access_denied"])
      expect(statusAndCode(yield* refresh(someone.refreshToken))).toEqual([400, "invalid_grant"])
      expect(yield* Effect.flip(someone.session)).toMatchObject({ _tag: "SessionEnded" })
      expect(statusAndCode(yield* login(someone.email, PASSWORD))).toEqual([403, "access_denied"])
      expect(statusAndCode(yield* ask("POST", "/api/v1/auth/token", undefined, credentials))).toEqual([
        403,
        "access_denied"
      ])
      yield* ask("PUT", `/v1/users/${someone.user.id}/reactivate`, admin.token)
      expect(statusAndCode(yield* me(someone.token))).toEqual([401, "unauthorized"])
      expect((yield* login(someone.email, PASSWORD)).status).toBe(200)
      expect((yield* ask("POST", "/api/v1/auth/token", undefined, credentials)).status).toBe(200)
      expect(statusAndCode(yield* refresh(someone.second))).toEqual([400, "invalid_grant"])
    }))

  it("is told no answer that was kept under a key, and the refusal is kept under none", () =>
    Effect.gen(function* () {
      const admin = yield* administrator
      const someone = yield* person({ status: "active" })
      const under = (key: string, token: string) =>
        ask("POST", "/api/v1/users/me/email/verification", token, undefined, { "idempotency-key": key })
      expect((yield* under("before", someone.token)).status).toBe(200)
      yield* ask("PUT", `/v1/users/${someone.user.id}/suspend`, admin.token)
      for (const key of ["before", "meanwhile"]) {
        const refused = yield* under(key, someone.token)
        expect([statusAndCode(refused), refused.headers.get("idempotency-replayed")]).toEqual([
          [403, "access_denied"],
          null
        ])
      }
      yield* ask("PUT", `/v1/users/${someone.user.id}/reactivate`, admin.token)
      const { token } = yield* signIn(someone.user)
      const [before, meanwhile] = [yield* under("before", token), yield* under("meanwhile", token)]
      expect([before.status, before.headers.get("idempotency-replayed")]).toEqual([200, "true"])
      expect([meanwhile.status, meanwhile.headers.get("idempotency-replayed")]).toEqual([200, null])
    }))
})
