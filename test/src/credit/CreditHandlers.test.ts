import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import fc from "fast-check"
import type { CreditProfile } from "../../../src/api/Credit.ts"
import { MOST_ASSESSMENTS_A_DAY } from "../../../engine/credit/CreditDecision.ts"
import { REQUEST } from "../../lib/CreditArbitraries.ts"
import { withLayer } from "../../lib/Effects.ts"
import { tokenOf } from "../../lib/OperationFixture.ts"
import { runs } from "../../lib/Property.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

type Card = typeof CreditProfile.Encoded

const ask = Effect.fnUntraced(function* (userId: string, change: object = {}, key?: string) {
  const server = yield* Server
  return yield* server.post<Card & { readonly message: string }>(
    "/v1/credit/request",
    { ...REQUEST, ...change },
    { as: userId, key }
  )
})

const someone = Effect.flatMap(Server, (server) => server.user())

describe("POST /v1/credit/request", () => {
  it("answers the card, whose points add up, with what of its limit is free", () =>
    Effect.gen(function* () {
      const { id } = yield* someone
      const { json, status } = yield* ask(id)
      expect(status).toBe(200)
      expect(json).toMatchObject({
        profileId: id,
        band: "A",
        limit: 9_000,
        assessedLimit: 9_000,
        available: 9_000,
        used: 0
      })
      expect(json.points.reduce((sum, { points }) => sum + points, 0)).toBe(json.score)
      expect(json.reasons.length).toBeLessThanOrEqual(4)
      expect(json.probability).toBeGreaterThan(0)
      expect(json.apr).toBeGreaterThan(6)
    }))

  it("gives the same score for the same request, and replaces the limit", () =>
    Effect.gen(function* () {
      const { id } = yield* someone
      const first = yield* ask(id)
      expect((yield* ask(id, { loanAmt: 1_000 })).json).toMatchObject({ limit: 1_000, available: 1_000 })
      const again = yield* ask(id)
      expect(again.json).toEqual({ ...first.json, assessedAt: again.json.assessedAt })
    }))

  it("scores once under one Idempotency-Key", () =>
    Effect.gen(function* () {
      const { id } = yield* someone
      const server = yield* Server
      const first = yield* ask(id, {}, "once")
      const again = yield* ask(id, {}, "once")
      expect(again.text).toBe(first.text)
      expect(again.headers.get("idempotency-replayed")).toBe("true")
      const { headers } = yield* server.get(`/v1/credit/profile/${id}/history`, id)
      expect(headers.get("x-total-count")).toBe("1")
      expect((yield* ask(id, { loanAmt: 1 }, "once")).status).toBe(422)
    }))

  it("never scores more income, a home or employment lower, or a larger loan higher", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const better = fc.constantFrom<readonly [object, object]>(
        [{ annualIncome: 30_000 }, { annualIncome: 90_000 }],
        [{ homeOwnership: false }, { homeOwnership: true }],
        [{ empLength: "1.5" }, { empLength: "12" }],
        [{ loanAmt: 20_000 }, { loanAmt: 3_000 }]
      )
      const rest = fc.record({
        annualIncome: fc.constantFrom(20_000, 48_000, 110_000),
        loanAmt: fc.constantFrom(1_000, 8_000, 30_000)
      })
      for (const [[worse, improved], other] of fc.sample(fc.tuple(better, rest), Math.ceil(runs() / 20))) {
        const { id } = yield* server.user()
        const [low, high] = [yield* ask(id, { ...other, ...worse }), yield* ask(id, { ...other, ...improved })]
        expect(high.json.score).toBeGreaterThanOrEqual(low.json.score)
      }
    }))

  it("names the field and what was expected of it", () =>
    Effect.gen(function* () {
      const { id } = yield* someone
      const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
        ["annualIncome", -1, "Expected"],
        ["annualIncome", "1", "Expected number"],
        ["homeOwnership", "yes", "Expected boolean"],
        ["empLength", 5, "Expected string"],
        ["empLength", "five", "years from 0 to 80"],
        ["empLength", "81", "years from 0 to 80"],
        ["loanAmt", 1.5, "Expected an integer"],
        ["loanAmt", 0, "an integer from 1 to 2147483647"],
        ["loanAmt", 2_147_483_648, "an integer from 1 to 2147483647"],
        ["purpose", "", "1 to 100 characters"],
        ["purpose", " ", "1 to 100 characters"],
        ["desc", "x".repeat(2_001), "0 to 2000 characters"]
      ]
      for (const [field, value, expected] of wrong) {
        const { json, status } = yield* ask(id, { [field]: value })
        expect([field, value, status]).toEqual([field, value, 400])
        expect(json.message).toContain(`payload.${field}`)
        expect(json.message).toContain(expected)
      }
      for (const field of Object.keys(REQUEST)) {
        const { json, status } = yield* ask(id, { [field]: undefined })
        expect([field, status]).toEqual([field, 400])
        expect(json.message).toContain(`payload.${field}`)
      }
    }))

  it("takes no additional properties", () =>
    Effect.gen(function* () {
      const { json, status } = yield* ask((yield* someone).id, { score: 850 })
      expect(status).toBe(400)
      expect(json.message).toContain("score")
    }))

  it("scores only so often a day, and says when again", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* someone
      for (let turn = 0; turn < MOST_ASSESSMENTS_A_DAY; turn++) expect((yield* ask(id)).status).toBe(200)
      const refused = yield* ask(id, { loanAmt: 1_000 })
      expect(refused.status).toBe(429)
      expect(refused.json.message).toContain("as often as a day allows")
      expect(refused.headers.get("retry-after")).toBe("86400")
      expect((yield* server.get<Card>(`/v1/credit/profile/${id}`, id)).json.limit).toBe(9_000)
    }))

  it("needs credit:write", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* someone
      const token = yield* tokenOf({ server }, id, ["credit:read"])
      const { status } = yield* server.post("/v1/credit/request", REQUEST, {
        headers: { authorization: `Bearer ${token}` }
      })
      expect(status).toBe(403)
    }))
})

describe("GET /v1/credit/profile/{profileId}", () => {
  it("is for the user itself and administrators", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const [mine, theirs, admin] = [yield* someone, yield* someone, yield* server.admin]
      const path = `/v1/credit/profile/${mine.id}`
      for (const each of [path, `${path}/history`]) {
        expect((yield* server.get(each, mine.id)).status).toBe(404)
        expect((yield* server.get(each, admin)).status).toBe(404)
        expect((yield* server.get(each, theirs.id)).status).toBe(403)
      }
      const given = yield* ask(mine.id)
      const present = { ...given.json, frozen: false }
      expect((yield* server.get(path, mine.id)).json as unknown).toEqual(present)
      expect((yield* server.get(path, admin)).json as unknown).toEqual(present)
      for (const each of [path, `${path}/history`]) expect((yield* server.get(each, theirs.id)).status).toBe(403)
    }))

  it("lists the cards, newest first", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* someone
      for (const loanAmt of [1_000, 2_000, 3_000]) yield* ask(id, { loanAmt })
      const path = `/v1/credit/profile/${id}/history`
      const { headers, json } = yield* server.get<ReadonlyArray<Card>>(`${path}?limit=2`, id)
      expect(headers.get("x-total-count")).toBe("3")
      expect(json.map(({ limit }) => limit)).toEqual([3_000, 2_000])
      expect((yield* server.get<ReadonlyArray<Card>>(`${path}?offset=2`, id)).json).toMatchObject([{ limit: 1_000 }])
    }))
})

describe("What was recorded", () => {
  it("is what a replay derives", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* someone
      yield* ask(id, { desc: 'Söme "stock"\nfor the season', annualIncome: 65_000.5 })
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    }))
})
