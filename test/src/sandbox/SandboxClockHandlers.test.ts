import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { isoUtc } from "../../../src/api/Timestamp.ts"
import { itLive } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

const PATH = "/v1/sandbox/clock"
const HOUR = 3_600_000

describe("the clock of a sandbox over HTTP", () => {
  itLive(
    "is an administrator's, goes on once at a time, and is written down",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make()
        const admin = yield* server.admin
        const now = isoUtc(server.world.now)
        const until = isoUtc(server.world.now + HOUR)
        expect((yield* server.get(PATH, admin)).json).toEqual({
          now,
          ahead_seconds: 0,
          status: "ready",
          until: null
        })
        const somebody = (yield* server.user()).id
        for (const answer of [
          yield* server.get(PATH, somebody),
          yield* server.post(PATH, { until }, { as: somebody })
        ]) {
          expect([answer.status, answer.json]).toEqual([
            403,
            { code: "access_denied", message: "Only an administrator may do that." }
          ])
        }
        const back = yield* server.post(PATH, { until: now }, { as: admin })
        expect([back.status, (back.json as { readonly message: string }).message]).toEqual([
          400,
          `Time does not go back: choose one after ${now}.`
        ])
        expect((yield* server.post(PATH, { until }, { as: admin })).json).toEqual({
          now,
          ahead_seconds: 0,
          status: "advancing",
          until
        })
        expect((yield* server.post(PATH, { until }, { as: admin })).status).toBe(409)
        const { json } = yield* server.get("/v1/audit?act=sandbox.set_clock", admin)
        expect(json).toMatchObject([{ actor_id: admin, subject_id: "clock", after: { until } }])
      }),
    60_000
  )
})
