import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../../lib/Effects.ts"
import { administrator, ask, login, PASSWORD, person, statusAndCode } from "../../../lib/IdentityActors.ts"
import { layer } from "../../../lib/IdentityServer.ts"
import { mailbox } from "../../../lib/TestIdentity.ts"

const it = withLayer(layer)

let colleagues = 0

const newUser = (fields: Readonly<Record<string, unknown>> = {}) => {
  colleagues += 1
  return {
    email: `colleague${colleagues}@users.example.com`,
    password: PASSWORD,
    cellphone: "+32 9",
    firstname: "Ada",
    lastname: "Buyer",
    country: "BE",
    address: "1 High Street",
    ...fields
  }
}

const add = (token: string, body: unknown, query = "") => ask("POST", `/v1/users${query}`, token, body)

/** A token of a client that may do so little. */
const limited = Effect.fnUntraced(function* (token: string, scopes: ReadonlyArray<string>) {
  const made = yield* ask("POST", "/v1/clients", token, { name: "Robot", scopes })
  const { client_id, client_secret } = made.json as { readonly client_id: string; readonly client_secret: string }
  const credentials = { grant_type: "client_credentials", client_id, client_secret }
  const answer = yield* ask("POST", "/api/v1/auth/token", undefined, credentials)
  return (answer.json as { readonly access_token: string }).access_token
})

describe("POST /v1/users", () => {
  it("adds a buyer who awaits KYC to the caller's own company, and answers the whole user", () =>
    Effect.gen(function* () {
      const { token, user } = yield* person()
      const body = newUser({ language: "nl-BE", accountname: "Ada's", accesstoken: "never kept" })
      const answer = yield* add(token, body)
      expect([answer.status, answer.json]).toEqual([
        200,
        {
          id: expect.stringMatching(/^usr_/),
          email: body.email,
          email_verified: false,
          cellphone: "+32 9",
          firstname: "Ada",
          lastname: "Buyer",
          contact_name: "Ada Buyer",
          country: "BE",
          address: "1 High Street",
          accountname: "Ada's",
          language: "nl-BE",
          profileurl: null,
          appsprofile: null,
          company_id: user.companyId,
          company_name: "Acme",
          role: "buyer",
          status: "pending_kyc",
          wallet_address: null,
          created_at: expect.stringMatching(/Z$/)
        }
      ])
      expect((yield* login(body.email, PASSWORD)).status).toBe(200)
      expect((yield* mailbox.next(body.email)).subject).toBe("Verify your email")
      expect(statusAndCode(yield* add(token, body))).toEqual([409, "conflict"])
    }))

  it("takes no field beyond the specified ones, least of all a role, a status or a company", () =>
    Effect.gen(function* () {
      const { token } = yield* person()
      for (const extra of [{ role: "admin" }, { status: "active" }, { company_id: "cmp_1" }, { scopes: [] }]) {
        const answer = yield* add(token, newUser(extra))
        expect(statusAndCode(answer)).toEqual([400, "invalid_request"])
        expect(answer.text).toContain(`payload.${Object.keys(extra)[0]}: `)
      }
      for (const missing of ["email", "password", "cellphone", "firstname", "lastname", "country", "address"]) {
        const answer = yield* add(token, newUser({ [missing]: undefined }))
        expect([missing, ...statusAndCode(answer)]).toEqual([missing, 400, "invalid_request"])
      }
    }))

  it("adds to another company for administrators alone; to others it is not there", () =>
    Effect.gen(function* () {
      const admin = yield* administrator
      const [one, other] = yield* Effect.all([person(), person()])
      const query = `?company_id=${one.user.companyId}`
      expect(statusAndCode(yield* add(other.token, newUser(), query))).toEqual([404, "not_found"])
      expect((yield* add(one.token, newUser(), query)).status).toBe(200)
      const added = yield* add(admin.token, newUser(), query)
      expect(added.json).toMatchObject({ company_id: one.user.companyId, role: "buyer", status: "pending_kyc" })
      expect(statusAndCode(yield* add(admin.token, newUser(), "?company_id=cmp_nobody"))).toEqual([404, "not_found"])
      const { id } = added.json as { readonly id: string }
      const audit = yield* ask("GET", `/v1/audit?subject_id=${id}`, admin.token)
      expect(audit.json).toMatchObject([{ act: "user.add", actor_id: admin.user.id }])
    }))

  it("does not take the same body for another company for a retry", () =>
    Effect.gen(function* () {
      const admin = yield* administrator
      const [one, other] = yield* Effect.all([person(), person()])
      const body = newUser()
      const under = (companyId: string) =>
        ask("POST", `/v1/users?company_id=${companyId}`, admin.token, body, { "idempotency-key": "once" })
      const first = yield* under(one.user.companyId)
      expect((yield* under(one.user.companyId)).text).toBe(first.text)
      expect(statusAndCode(yield* under(other.user.companyId))).toEqual([422, "unprocessable"])
    }))

  it("makes nobody who may do more than the token that asks", () =>
    Effect.gen(function* () {
      const admin = yield* administrator
      const { token, user } = yield* person()
      const weak = yield* limited(token, ["users:read", "users:write"])
      const body = newUser()
      const added = yield* add(weak, body)
      expect(added.json).toMatchObject({ company_id: user.companyId })
      const signedIn = yield* login(body.email, PASSWORD)
      const { access_token } = signedIn.json as { readonly access_token: string }
      const me = yield* ask("GET", "/api/v1/users/me", access_token)
      expect(me.status).toBe(200)
      const more = { name: "More", scopes: ["payments:write"] }
      expect(statusAndCode(yield* ask("POST", "/v1/clients", access_token, more))).toEqual([403, "insufficient_scope"])
      const { id } = added.json as { readonly id: string }
      expect((yield* ask("PUT", `/v1/users/${id}/role`, admin.token, { role: "buyer" })).status).toBe(200)
      const again = (yield* login(body.email, PASSWORD)).json as { readonly access_token: string }
      expect((yield* ask("POST", "/v1/clients", again.access_token, more)).status).toBe(200)
      const reader = yield* limited(token, ["users:read"])
      expect(statusAndCode(yield* add(reader, newUser()))).toEqual([403, "insufficient_scope"])
    }))
})

describe("GET /v1/users", () => {
  it("shows the company's people, and of other companies nothing", () =>
    Effect.gen(function* () {
      const admin = yield* administrator
      const [one, other] = yield* Effect.all([person(), person()])
      const added = yield* add(one.token, newUser())
      yield* limited(one.token, [])
      const { id } = added.json as { readonly id: string }
      const listed = yield* ask("GET", "/v1/users", one.token)
      expect(listed.json).toMatchObject([{ id: one.user.id }, { id }])
      expect(listed.headers.get("x-total-count")).toBe("2")
      const second = yield* ask("GET", "/v1/users?limit=1&offset=1", one.token)
      expect(second.json).toMatchObject([{ id }])
      expect((yield* ask("GET", "/v1/users?status=active", one.token)).json).toEqual([])
      expect((yield* ask("GET", `/v1/users/${id}`, one.token)).json).toEqual(added.json)
      expect(statusAndCode(yield* ask("GET", `/v1/users/${id}`, other.token))).toEqual([404, "not_found"])
      expect(statusAndCode(yield* ask("GET", "/v1/users/usr_nobody", other.token))).toEqual([404, "not_found"])
      const foreign = `/v1/users?company_id=${one.user.companyId}`
      expect(statusAndCode(yield* ask("GET", foreign, other.token))).toEqual([404, "not_found"])
      expect((yield* ask("GET", foreign, admin.token)).json).toEqual(listed.json)
      expect((yield* ask("GET", `/v1/users/${id}`, admin.token)).status).toBe(200)
    }))
})

describe("PUT /api/v1/users/me", () => {
  it("changes neither role, status, company nor email", () =>
    Effect.gen(function* () {
      const { token, user } = yield* person()
      const change = {
        role: "admin",
        status: "active",
        company_id: "cmp_1",
        email: "x@example.com",
        email_verified: true
      }
      expect((yield* ask("PUT", "/api/v1/users/me", token, { ...change, phone: "1" })).json).toMatchObject({
        phone: "1",
        role: "buyer",
        status: "pending_kyc",
        company_id: user.companyId,
        email: user.email,
        email_verified: false
      })
    }))
})
