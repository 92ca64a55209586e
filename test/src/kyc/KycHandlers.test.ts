import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { decodeJwt } from "jose"
import { KycRecords } from "../../../src/identity/KycRecords.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { withLayer } from "../../lib/Effects.ts"
import { registration } from "../../lib/TestIdentity.ts"
import { kycFacts } from "../../lib/rows/KycRows.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/KycHandlers/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

interface Told {
  readonly id: string
  readonly status: string
  readonly code: string
  readonly message: string
  readonly reason: string | null
}

const person = Effect.gen(function* () {
  const server = yield* Server
  const { id } = yield* server.run(Effect.flatMap(Users, ({ register }) => register(registration())))
  return id
})

const request = (method: string, path: string, as: string | undefined, body?: unknown, key?: string) =>
  Effect.flatMap(Server, (server) => server.request<Told>(method, path, body, { as, key }))

const submit = (as: string | undefined, fields: object = {}, key?: string) =>
  request("POST", "/v1/kyc", as, { ...kycFacts, ...fields }, key)

const statusOf = (userId: string) =>
  Effect.flatMap(Server, (server) =>
    Effect.map(server.get<{ readonly status: string }>("/api/v1/users/me", userId), ({ json }) => json.status)
  )

const admin = Effect.flatMap(Server, ({ admin }) => admin)

const audited = Effect.fnUntraced(function* (subjectId: string) {
  const by = yield* admin
  const server = yield* Server
  const { json } = yield* server.get<ReadonlyArray<object>>(`/v1/audit?subject_id=${subjectId}`, by)
  return json
})

describe("POST /v1/kyc", () => {
  it("echoes the record and its id alone, and needs a token", () =>
    Effect.gen(function* () {
      const answer = yield* submit(yield* person)
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({ ...kycFacts, id: expect.stringMatching(/^kyc_[0-9a-z]{24}$/) } as never)
      const anonymous = yield* submit(undefined)
      expect([anonymous.status, anonymous.json.code]).toEqual([401, "unauthorized"])
    }))

  it("answers the same record again, under a key or none, and takes no other while it is open", () =>
    Effect.gen(function* () {
      const userId = yield* person
      const id = `own-${userId}`
      const first = yield* submit(userId, { id }, "one")
      for (const again of [
        yield* submit(userId, { id }, "one"),
        yield* submit(userId, { id }),
        yield* submit(userId)
      ]) {
        expect([again.status, again.json]).toEqual([200, first.json])
      }
      const other = yield* submit(userId, { address: "2 High Street" })
      expect([other.status, other.json.message]).toEqual([
        409,
        `Your KYC record ${id} awaits review: wait for the decision.`
      ])
      const sameId = yield* submit(userId, { id, address: "2 High Street" })
      expect([sameId.status, sameId.json.message]).toEqual([
        409,
        `Another KYC record has the id ${id}: choose another one, or leave it out.`
      ])
      const another = yield* person
      expect((yield* submit(another, { id })).status).toBe(409)
      expect((yield* request("GET", "/v1/kyc", another)).json).toEqual([] as never)
    }))

  it("keeps one of racing records", () =>
    Effect.gen(function* () {
      const userId = yield* person
      const racing = Array.from({ length: 10 }, (_, at) => submit(userId, { address: `${at} High Street` }))
      const answers = yield* Effect.all(racing, { concurrency: "unbounded" })
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)])
    }))

  it("is submitted by an API client for the person who made it", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const userId = yield* person
      const { json: made } = yield* server.post<object>(
        "/v1/clients",
        { name: "Onboarding", scopes: ["kyc:read", "kyc:write"] },
        { as: userId }
      )
      const { json: tokens } = yield* server.post<{ readonly access_token: string }>("/api/v1/auth/token", {
        grant_type: "client_credentials",
        ...made
      })
      const headers = { authorization: `Bearer ${tokens.access_token}` }
      const { json: submitted } = yield* server.post<Told>("/v1/kyc", kycFacts, { headers })
      expect((yield* request("GET", `/v1/kyc/${submitted.id}`, userId)).json).toMatchObject({
        user_id: userId,
        status: "pending"
      })
      yield* request("PUT", `/v1/kyc/${submitted.id}/verify`, yield* admin)
      const { isVerified } = server.service(KycRecords)
      const { sub } = decodeJwt(tokens.access_token)
      expect(yield* Effect.all([isVerified(userId), isVerified(sub ?? "")])).toEqual([true, true])
    }))

  it("keeps what identifies a person encrypted, and no answer of it", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const userId = yield* person
      const identityId = "PASSPORT-8812-4471-X"
      const { json } = yield* submit(userId, { identityId }, "kept-nowhere")
      const found = yield* server.run(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const [row] = yield* sql<{ readonly text: string }>`
            SELECT (SELECT row_to_json(k)::text FROM kyc_records k WHERE id = ${json.id})
              || (SELECT coalesce(string_agg(row_to_json(i)::text, ''), '') FROM idempotency_keys i) AS text`
          return row?.text ?? ""
        })
      )
      const hex = (text: string) => Buffer.from(text).toString("hex")
      expect(found).toContain("Ada Example")
      for (const secret of [identityId, kycFacts.phoneNumber]) {
        expect(found).not.toContain(secret)
        expect(found).not.toContain(hex(secret))
      }
    }))

  const bad = [
    ["fullnames", "", "payload.fullnames: Expected 1 to 200 characters"],
    ["fullnames", undefined, "payload.fullnames: Expected a value"],
    ["fullnames", 7, "payload.fullnames: Expected string"],
    ["address", "x".repeat(501), "payload.address: Expected 1 to 500 characters"],
    ["phoneNumber", "12", "payload.phoneNumber: Expected a phone number with its country code, such as"],
    ["phoneNumber", "not a number", "payload.phoneNumber: Expected a phone number"],
    ["country", "Atlantis", "payload.country: Expected a country by its code of ISO 3166-1 or its English name"],
    ["country", "ZZ", "payload.country: Expected a country by its code"],
    ["email", "nobody", "payload.email: Expected a mail address such as"],
    ["identityId", "1", "payload.identityId: Expected 3 to 64 characters"],
    ["identityId", "a\u0000b", "payload.identityId: Expected 3 to 64 characters without control characters"],
    ["id", "a/b", "payload.id: Expected 1 to 64 letters, digits, - and _"]
  ] as const
  for (const [field, value, message] of bad) {
    it(`refuses ${field} ${JSON.stringify(value)?.slice(0, 20)}`, () =>
      Effect.gen(function* () {
        const answer = yield* submit(yield* person, { [field]: value })
        expect([answer.status, answer.json.code]).toEqual([400, "invalid_request"])
        expect(answer.json.message).toContain(message)
        if (typeof value === "string" && value.length > 5) expect(answer.text).not.toContain(value)
      }))
  }
})

describe("GET /v1/kyc", () => {
  it("shows everybody's to administrators, and to others their own", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [yield* person, yield* person]
      const { json: record } = yield* submit(mine)
      yield* submit(theirs)
      const own = yield* request("GET", "/v1/kyc", mine)
      expect(own.headers.get("x-total-count")).toBe("1")
      const whole = {
        ...kycFacts,
        id: record.id,
        user_id: mine,
        status: "pending",
        reason: null,
        submitted_at: expect.stringMatching(/Z$/),
        reviewed_at: null
      }
      expect(own.json).toEqual([whole] as never)
      const foreign = yield* request("GET", `/v1/kyc?user_id=${theirs}`, mine)
      expect([foreign.status, foreign.json.code]).toEqual([403, "access_denied"])
      const by = yield* admin
      expect((yield* request("GET", `/v1/kyc?user_id=${mine}&status=pending`, by)).json).toEqual([whole] as never)
      expect((yield* request("GET", `/v1/kyc?user_id=${mine}&status=verified`, by)).json).toEqual([] as never)
      expect((yield* request("GET", `/v1/kyc/${record.id}`, by)).json).toEqual(whole as never)
      const all = yield* request("GET", "/v1/kyc?limit=2", by)
      expect(Number(all.headers.get("x-total-count"))).toBeGreaterThan(2)
      const hidden = yield* request("GET", `/v1/kyc/${record.id}`, theirs)
      const missing = yield* request("GET", "/v1/kyc/kyc_nothing", theirs)
      expect([hidden.status, missing.status]).toEqual([404, 404])
      expect(hidden.json.message.replace(record.id, "kyc_nothing")).toBe(missing.json.message)
    }))
})

describe("The review of a KYC record", () => {
  it("verifies the record and its user in one step, once, and writes both down", () =>
    Effect.gen(function* () {
      const userId = yield* person
      const { json: record } = yield* submit(userId)
      const by = yield* admin
      expect(yield* statusOf(userId)).toBe("pending_kyc")
      const verified = yield* request("PUT", `/v1/kyc/${record.id}/verify`, by)
      expect(verified.json).toMatchObject({ status: "verified", reason: null })
      expect(yield* statusOf(userId)).toBe("active")
      expect((yield* request("PUT", `/v1/kyc/${record.id}/verify`, by)).json).toEqual(verified.json)
      const rejected = yield* request("PUT", `/v1/kyc/${record.id}/reject`, by, { reason: "late" })
      expect([rejected.status, rejected.json.code]).toEqual([409, "conflict"])
      expect(yield* audited(record.id)).toMatchObject([
        {
          act: "kyc.verify",
          actor_id: by,
          before: { status: "pending" },
          after: { status: "verified", user_id: userId }
        }
      ])
      expect(yield* audited(userId)).toMatchObject([{ act: "user.verify", after: { status: "active" } }])
      const again = yield* submit(userId, { address: "2 High Street" })
      expect([again.status, again.json.message]).toEqual([
        409,
        `Your KYC record ${record.id} is verified: nothing is to be submitted.`
      ])
    }))

  it("rejects with a reason that the subject reads, after which another record can be submitted", () =>
    Effect.gen(function* () {
      const userId = yield* person
      const { json: record } = yield* submit(userId)
      const by = yield* admin
      const reason = "The document has expired."
      expect((yield* request("PUT", `/v1/kyc/${record.id}/reject`, by, {})).status).toBe(400)
      expect((yield* request("PUT", `/v1/kyc/${record.id}/reject`, by, { reason })).json).toMatchObject({
        status: "rejected",
        reason
      })
      expect((yield* request("GET", `/v1/kyc/${record.id}`, userId)).json).toMatchObject({ status: "rejected", reason })
      expect(yield* statusOf(userId)).toBe("pending_kyc")
      const refused = yield* request("PUT", `/v1/users/verify/${userId}`, by)
      expect([refused.status, refused.json.code]).toEqual([409, "conflict"])
      const second = yield* submit(userId)
      expect(second.status).toBe(200)
      expect(second.json.id).not.toBe(record.id)
      expect((yield* request("PUT", `/v1/kyc/${record.id}/verify`, by)).status).toBe(409)
      expect((yield* request("PUT", `/v1/kyc/${second.json.id}/verify`, by)).status).toBe(200)
      expect(yield* audited(record.id)).toMatchObject([{ act: "kyc.reject", after: { reason } }])
    }))

  it("follows from the decision on the user", () =>
    Effect.gen(function* () {
      const [good, bad] = [yield* person, yield* person]
      const by = yield* admin
      expect((yield* request("PUT", `/v1/users/verify/${good}`, by)).json.message).toContain(
        "has no KYC record to verify"
      )
      const { json: first } = yield* submit(good)
      const { json: second } = yield* submit(bad)
      yield* request("PUT", `/v1/users/verify/${good}`, by)
      yield* request("PUT", `/v1/users/verify/${bad}/reject`, by)
      expect((yield* request("GET", `/v1/kyc/${first.id}`, by)).json.status).toBe("verified")
      expect((yield* request("GET", `/v1/kyc/${second.id}`, by)).json).toMatchObject({
        status: "rejected",
        reason: "The account was rejected."
      })
      const barred = yield* submit(bad)
      expect([barred.status, barred.json.code]).toEqual([403, "access_denied"])
      expect(yield* audited(first.id)).toMatchObject([{ act: "kyc.verify" }])
    }))

  it("leaves a suspended user suspended, and is nobody's own", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const by = yield* admin
      const { json: own } = yield* submit(by)
      for (const act of ["verify", "reject"]) {
        const answer = yield* request(
          "PUT",
          `/v1/kyc/${own.id}/${act}`,
          by,
          act === "reject" ? { reason: "x" } : undefined
        )
        expect([answer.status, answer.json.message]).toEqual([
          409,
          "Administrators do not review their own KYC record: ask another one."
        ])
      }
      const userId = yield* person
      const { json: record } = yield* submit(userId)
      yield* server.run(Effect.flatMap(Users, ({ setStatus }) => setStatus(userId, "suspended")))
      expect((yield* request("PUT", `/v1/kyc/${record.id}/verify`, by)).json.status).toBe("verified")
      const { json } = yield* server.get<{ readonly status: string }>(`/v1/users/${userId}`, by)
      expect(json.status).toBe("suspended")
      const asPerson = yield* request("PUT", `/v1/kyc/${record.id}/verify`, yield* person)
      expect([asPerson.status, asPerson.json.code]).toEqual([403, "access_denied"])
      expect((yield* request("PUT", "/v1/kyc/kyc_nothing/verify", by)).status).toBe(404)
    }))

  it("comes to one decision, whichever doors are taken at once", () =>
    Effect.gen(function* () {
      const userId = yield* person
      const { json: record } = yield* submit(userId)
      const by = yield* admin
      const racing = [
        request("PUT", `/v1/kyc/${record.id}/verify`, by),
        request("PUT", `/v1/users/verify/${userId}`, by),
        request("PUT", `/v1/kyc/${record.id}/verify`, by),
        request("PUT", `/v1/users/verify/${userId}`, by)
      ]
      const answers = yield* Effect.all(racing, { concurrency: "unbounded" })
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect([(yield* audited(record.id)).length, (yield* audited(userId)).length]).toEqual([1, 1])
    }))

  it("is needed by nobody who stands for the platform", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const house = yield* server.user()
      const { exists, isVerified } = server.service(KycRecords)
      const nobody = yield* person
      expect(yield* Effect.all([exists(house.id), isVerified(house.id)])).toEqual([true, true])
      expect(yield* Effect.all([exists(nobody), isVerified(nobody), exists("usr_nobody")])).toEqual([
        false,
        false,
        false
      ])
    }))
})
