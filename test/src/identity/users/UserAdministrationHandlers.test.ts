import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../../lib/Effects.ts"
import { administrator, ask, person, refresh, signIn, statusAndCode } from "../../../lib/IdentityActors.ts"
import { layer } from "../../../lib/IdentityServer.ts"

const it = withLayer(layer)

const put = (path: string, token: string, body?: unknown) => ask("PUT", path, token, body)

describe("PUT /v1/users/verify/{userId}", () => {
  it("makes a user active, and says so again", () =>
    Effect.gen(function* () {
      const admin = yield* administrator
      const { token, user } = yield* person()
      for (let times = 0; times < 2; times++) {
        const answer = yield* put(`/v1/users/verify/${user.id}`, admin.token)
        expect([answer.status, answer.json]).toMatchObject([200, { id: user.id, status: "active" }])
      }
      expect((yield* ask("GET", "/api/v1/users/me", token)).json).toMatchObject({ status: "active" })
      const audit = yield* ask("GET", `/v1/audit?subject_id=${user.id}`, admin.token)
      expect(audit.headers.get("x-total-count")).toBe("1")
      expect(audit.json).toEqual([
        {
          id: expect.any(Number),
          at: expect.stringMatching(/Z$/),
          actor_id: admin.user.id,
          act: "user.verify",
          subject_id: user.id,
          before: { status: "pending_kyc" },
          after: { status: "active" },
          request_id: expect.any(String)
        }
      ])
    }))

  it("and the others refuse what does not follow, and what is not there", () =>
    Effect.gen(function* () {
      const admin = yield* administrator
      const { user } = yield* person()
      expect(statusAndCode(yield* put(`/v1/users/${user.id}/suspend`, admin.token))).toEqual([409, "conflict"])
      expect((yield* put(`/v1/users/verify/${user.id}/reject`, admin.token)).json).toMatchObject({ status: "rejected" })
      for (const path of [`verify/${user.id}`, `${user.id}/suspend`, `${user.id}/reactivate`]) {
        const answer = yield* put(`/v1/users/${path}`, admin.token)
        expect(statusAndCode(answer)).toEqual([409, "conflict"])
        expect(answer.text).toContain("The user is rejected")
      }
      expect(statusAndCode(yield* put("/v1/users/verify/usr_nobody", admin.token))).toEqual([404, "not_found"])
      expect(statusAndCode(yield* put(`/v1/users/${admin.user.id}/suspend`, admin.token))).toEqual([409, "conflict"])
    }))

  it("is for administrators alone, as all of it", () =>
    Effect.gen(function* () {
      const { token, user } = yield* person()
      for (const [method, path, body] of [
        ["PUT", `/v1/users/verify/${user.id}`, undefined],
        ["PUT", `/v1/users/verify/${user.id}/reject`, undefined],
        ["PUT", `/v1/users/${user.id}/suspend`, undefined],
        ["PUT", `/v1/users/${user.id}/reactivate`, undefined],
        ["PUT", `/v1/users/${user.id}/role`, { role: "admin" }],
        ["GET", "/v1/audit", undefined]
      ] as const) {
        expect([path, ...statusAndCode(yield* ask(method, path, token, body))]).toEqual([path, 403, "access_denied"])
      }
    }))
})

describe("PUT /v1/users/{userId}/role", () => {
  it("gives and takes a role, from the next request on, and ends the sign-ins of before", () =>
    Effect.gen(function* () {
      const admin = yield* administrator
      const someone = yield* person()
      const path = `/v1/users/${someone.user.id}/role`
      expect((yield* put(path, admin.token, { role: "admin" })).json).toMatchObject({ role: "admin" })
      expect(statusAndCode(yield* ask("GET", "/v1/audit", someone.token))).toEqual([401, "unauthorized"])
      expect(statusAndCode(yield* refresh(someone.refreshToken))).toEqual([400, "invalid_grant"])
      const risen = yield* signIn(someone.user)
      expect((yield* ask("GET", "/v1/audit", risen.token)).status).toBe(200)
      expect((yield* put(path, admin.token, { role: "seller" })).status).toBe(200)
      expect(statusAndCode(yield* ask("GET", "/v1/audit", risen.token))).toEqual([401, "unauthorized"])
      expect(statusAndCode(yield* put(path, admin.token, { role: "service" }))).toEqual([400, "invalid_request"])
    }))
})
