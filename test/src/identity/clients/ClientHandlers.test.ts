import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withLayer } from "../../../lib/Effects.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { administrator, ask, PASSWORD, person, refresh, signIn, statusAndCode } from "../../../lib/IdentityActors.ts"
import { layer } from "../../../lib/IdentityServer.ts"

const it = withLayer(layer)

interface Made {
  readonly client_id: string
  readonly client_secret: string
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

const COLLEAGUE = {
  email: "colleague-of-maker@example.com",
  password: PASSWORD,
  cellphone: "+32 1",
  firstname: "Ada",
  lastname: "Buyer",
  country: "BE",
  address: "1 High Street"
}

const make = (token: string, scopes: ReadonlyArray<string>, name = "Robot") =>
  ask("POST", "/v1/clients", token, { name, scopes })

const made = (token: string, scopes: ReadonlyArray<string>) =>
  Effect.map(make(token, scopes), ({ json }) => json as Made)

const grant = ({ client_id, client_secret }: Made) =>
  ask("POST", "/api/v1/auth/token", undefined, { grant_type: "client_credentials", client_id, client_secret })

const tokensOf = (client: Made) => Effect.map(grant(client), ({ json }) => json as Tokens)

const list = (token: string) => ask("GET", "/v1/clients", token)
const remove = (token: string, id: string) => ask("DELETE", `/v1/clients/${id}`, token)
const rotate = (token: string, id: string) => ask("POST", `/v1/clients/${id}/secret/rotate`, token)
const me = (token: string) => ask("GET", "/api/v1/users/me", token)

describe("/v1/clients", () => {
  it("shows a client's secret once, and the client to its company", () =>
    Effect.gen(function* () {
      const [one, other] = yield* Effect.all([person(), person()])
      const answer = yield* make(one.token, ["users:read", "orders:read"])
      expect([answer.status, answer.json]).toEqual([
        200,
        {
          id: expect.stringMatching(/^cli_/),
          client_id: expect.stringMatching(/^cli_/),
          name: "Robot",
          scopes: ["orders:read", "users:read"],
          created_at: expect.stringMatching(/Z$/),
          client_secret: expect.stringMatching(/^sec_[\w-]{43}$/)
        }
      ])
      const { client_secret, ...rest } = answer.json as Made
      const listed = yield* list(one.token)
      expect(listed.json).toEqual([rest])
      expect([listed.headers.get("x-total-count"), listed.text.includes(client_secret)]).toEqual(["1", false])
      expect((yield* list(other.token)).json).toEqual([])
      const robot = yield* tokensOf(answer.json as Made)
      expect((yield* me(robot.access_token)).json).toMatchObject({
        role: "service",
        status: "pending_kyc",
        company_id: one.user.companyId
      })
    }))

  it("ends with its deletion, and every token of it at once", () =>
    Effect.gen(function* () {
      const { token } = yield* person()
      const client = yield* made(token, ["users:read"])
      const tokens = yield* tokensOf(client)
      expect((yield* me(tokens.access_token)).status).toBe(200)
      const answer = yield* remove(token, client.client_id)
      expect([answer.status, answer.json]).toEqual([200, { id: client.client_id, deleted: true }])
      expect(statusAndCode(yield* me(tokens.access_token))).toEqual([401, "unauthorized"])
      expect(statusAndCode(yield* refresh(tokens.refresh_token))).toEqual([400, "invalid_grant"])
      expect(statusAndCode(yield* grant(client))).toEqual([401, "invalid_client"])
      expect((yield* list(token)).json).toEqual([])
      expect(statusAndCode(yield* remove(token, client.client_id))).toEqual([404, "not_found"])
    }))

  it("takes with it the tokens that people were given by it, and no others", () =>
    Effect.gen(function* () {
      const { email, token } = yield* person()
      const client = yield* made(token, ["users:read"])
      const given = yield* ask("POST", "/v1/authorize", undefined, {
        ...client,
        id: undefined,
        username: email,
        password: "correct horse battery"
      })
      const tokens = given.json as Tokens
      expect((yield* me(tokens.access_token)).status).toBe(200)
      yield* remove(token, client.client_id)
      expect(statusAndCode(yield* me(tokens.access_token))).toEqual([401, "unauthorized"])
      expect(statusAndCode(yield* refresh(tokens.refresh_token))).toEqual([400, "invalid_grant"])
      expect((yield* me(token)).status).toBe(200)
    }))

  it("cannot be told of or deleted by another company, but by an administrator, who is written down", () =>
    Effect.gen(function* () {
      const admin = yield* administrator
      const [one, other] = yield* Effect.all([person(), person()])
      const client = yield* made(one.token, ["users:read"])
      const foreign = yield* remove(other.token, client.client_id)
      const unknown = yield* remove(other.token, "cli_unknown")
      expect([statusAndCode(foreign), statusAndCode(unknown)]).toEqual([
        [404, "not_found"],
        [404, "not_found"]
      ])
      expect(foreign.text.replace(client.client_id, "cli_unknown")).toBe(unknown.text)
      expect((yield* grant(client)).status).toBe(200)
      expect((yield* remove(admin.token, client.client_id)).status).toBe(200)
      const audit = yield* ask("GET", `/v1/audit?subject_id=${client.client_id}`, admin.token)
      expect(audit.json).toMatchObject([{ act: "client.delete", actor_id: admin.user.id }])
    }))

  it("gets no scope that its maker's token lacks, through any number of clients", () =>
    Effect.gen(function* () {
      const { token } = yield* person()
      const weak = yield* tokensOf(yield* made(token, ["users:write", "orders:read"]))
      const refused = yield* make(weak.access_token, ["orders:read", "orders:write"])
      expect(statusAndCode(refused)).toEqual([403, "insufficient_scope"])
      expect(refused.text).toContain("orders:write")
      const child = yield* tokensOf(yield* made(weak.access_token, ["users:write"]))
      expect(statusAndCode(yield* make(child.access_token, ["orders:read"]))).toEqual([403, "insufficient_scope"])
      expect(statusAndCode(yield* make(token, ["everything"]))).toEqual([400, "invalid_request"])
      const reader = yield* tokensOf(yield* made(token, ["users:read"]))
      expect(statusAndCode(yield* make(reader.access_token, []))).toEqual([403, "insufficient_scope"])
    }))

  it("gets another secret and stays the same account, and every token of before ends at once", () =>
    Effect.gen(function* () {
      const { token } = yield* person()
      const client = yield* made(token, ["users:read"])
      const before = yield* tokensOf(client)
      const account = (yield* me(before.access_token)).json as { readonly id: string }
      const answer = yield* rotate(token, client.client_id)
      expect([answer.status, answer.json]).toEqual([
        200,
        { ...client, client_secret: expect.stringMatching(/^sec_[\w-]{43}$/) }
      ])
      const next = answer.json as Made
      expect(next.client_secret).not.toBe(client.client_secret)
      expect(statusAndCode(yield* me(before.access_token))).toEqual([401, "unauthorized"])
      expect(statusAndCode(yield* refresh(before.refresh_token))).toEqual([400, "invalid_grant"])
      expect(statusAndCode(yield* grant(client))).toEqual([401, "invalid_client"])
      const after = yield* tokensOf(next)
      expect((yield* me(after.access_token)).json).toMatchObject({ id: account.id, status: "pending_kyc" })
      expect(((yield* list(token)).json as ReadonlyArray<Made>).map(({ client_id }) => client_id)).toEqual([
        client.client_id
      ])
    }))

  it("by another secret ends the tokens that people were given by it, and gives them new ones", () =>
    Effect.gen(function* () {
      const { email, token } = yield* person()
      const client = yield* made(token, ["users:read"])
      const giving = (by: Made) =>
        Effect.map(
          ask("POST", "/v1/authorize", undefined, {
            client_id: by.client_id,
            client_secret: by.client_secret,
            username: email,
            password: "correct horse battery"
          }),
          ({ json }) => json as Tokens
        )
      const before = yield* giving(client)
      expect((yield* me(before.access_token)).status).toBe(200)
      const next = (yield* rotate(token, client.client_id)).json as Made
      expect(statusAndCode(yield* me(before.access_token))).toEqual([401, "unauthorized"])
      expect(statusAndCode(yield* refresh(before.refresh_token))).toEqual([400, "invalid_grant"])
      expect((yield* me(token)).status).toBe(200)
      const after = yield* giving(next)
      const { client_id, client_secret } = next
      const refreshed = yield* ask("POST", "/api/v1/auth/token", undefined, {
        grant_type: "refresh_token",
        refresh_token: after.refresh_token,
        client_id,
        client_secret
      })
      expect((yield* me(after.access_token)).status).toBe(200)
      expect((yield* me((refreshed.json as Tokens).access_token)).status).toBe(200)
    }))

  it("gives its new secret to nobody whose token lacks its scopes, nor to another company", () =>
    Effect.gen(function* () {
      const admin = yield* administrator
      const [one, other] = yield* Effect.all([person(), person()])
      const strong = yield* made(one.token, ["payments:write"])
      const weak = yield* tokensOf(yield* made(one.token, ["users:write", "orders:read"]))
      const refused = yield* rotate(weak.access_token, strong.client_id)
      expect([...statusAndCode(refused), refused.text.includes("payments:write")]).toEqual([
        403,
        "insufficient_scope",
        true
      ])
      const foreign = yield* rotate(other.token, strong.client_id)
      const unknown = yield* rotate(other.token, "cli_unknown")
      expect([statusAndCode(foreign), foreign.text.replace(strong.client_id, "cli_unknown")]).toEqual([
        [404, "not_found"],
        unknown.text
      ])
      expect(statusAndCode(yield* rotate(admin.token, strong.client_id))).toEqual([404, "not_found"])
      expect((yield* grant(strong)).status).toBe(200)
      yield* remove(one.token, strong.client_id)
      expect(statusAndCode(yield* rotate(one.token, strong.client_id))).toEqual([404, "not_found"])
    }))

  it("gives its new secret to no colleague of who made it, and to another client of that person", () =>
    Effect.gen(function* () {
      const { token } = yield* person({ status: "active" })
      const client = yield* made(token, ["users:read"])
      const { json } = yield* ask("POST", "/v1/users", token, COLLEAGUE)
      const { id } = json as { readonly id: string }
      const colleague = yield* signIn(yield* Effect.flatMap(Users, ({ find }) => find(id)))
      const refused = yield* rotate(colleague.token, client.client_id)
      expect([...statusAndCode(refused), refused.text.includes("sec_")]).toEqual([403, "access_denied", false])
      expect((yield* grant(client)).status).toBe(200)
      const other = yield* tokensOf(yield* made(token, ["users:read", "users:write"]))
      expect((yield* rotate(other.access_token, client.client_id)).status).toBe(200)
    }).pipe(Effect.orDie))

  it("of an administrator's company is rotated in writing", () =>
    Effect.gen(function* () {
      const admin = yield* administrator
      const client = yield* made(admin.token, ["users:read"])
      expect((yield* rotate(admin.token, client.client_id)).status).toBe(200)
      const audit = yield* ask("GET", `/v1/audit?subject_id=${client.client_id}`, admin.token)
      expect(audit.json).toMatchObject([{ act: "client.rotate", actor_id: admin.user.id }])
      expect(audit.text).not.toContain("sec_")
    }))

  it("that was deleted comes back by no administrator's word", () =>
    Effect.gen(function* () {
      const admin = yield* administrator
      const { token } = yield* person({ status: "active" })
      const [gone, kept] = yield* Effect.all([made(token, ["users:read"]), made(token, ["users:read"])])
      const principalOf = (client: Made) =>
        Effect.flatMap(tokensOf(client), ({ access_token }) =>
          Effect.map(me(access_token), ({ json }) => (json as { readonly id: string }).id)
        )
      const [goneId, keptId] = [yield* principalOf(gone), yield* principalOf(kept)]
      const put = (id: string, act: string) => ask("PUT", `/v1/users/${id}/${act}`, admin.token)
      yield* remove(token, gone.client_id)
      expect(statusAndCode(yield* put(goneId, "reactivate"))).toEqual([409, "conflict"])
      expect(statusAndCode(yield* put(goneId, "suspend"))).toEqual([409, "conflict"])
      expect((yield* put(keptId, "suspend")).status).toBe(200)
      expect((yield* put(keptId, "reactivate")).status).toBe(200)
      expect((yield* grant(kept)).status).toBe(200)
    }))

  it("outlives the client that made it", () =>
    Effect.gen(function* () {
      const { token } = yield* person()
      const old = yield* made(token, ["users:read", "users:write"])
      const { access_token } = yield* tokensOf(old)
      const next = yield* made(access_token, ["users:read", "users:write"])
      const successor = yield* tokensOf(next)
      expect((yield* remove(successor.access_token, old.client_id)).status).toBe(200)
      expect((yield* me(successor.access_token)).status).toBe(200)
      expect((yield* grant(next)).status).toBe(200)
    }))

  it("is one of at most 100 of a company, however many are made at once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { token, user } = yield* person()
      const first = yield* made(token, [])
      yield* sql`
        WITH principals AS (
          INSERT INTO users (id, company_id, role, status, created_at)
          SELECT 'usr_' || lpad(n::text, 24, '0'), ${user.companyId}, 'service', 'active', 0 FROM generate_series(1, 97) n
          RETURNING id)
        INSERT INTO api_clients (client_id, secret_hash, name, company_id, principal_id, scopes, created_at)
        SELECT 'cli_many_' || id, ${new Uint8Array(32)}, 'Many', ${user.companyId}, id, '{}', 0 FROM principals`
      const answers = yield* Effect.all(
        [1, 2, 3, 4].map(() => make(token, [])),
        { concurrency: "unbounded" }
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409])
      yield* remove(token, first.client_id)
      expect((yield* make(token, [])).status).toBe(200)
    }))
})
