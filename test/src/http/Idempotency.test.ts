import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { withLayer } from "../../lib/Effects.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { post, send } from "../../lib/Requests.ts"

const it = withLayer(layer())

const item = { name: "a", amount: 1.5 }

const create = (key: string, body: unknown = item, token: string | null = "buyer", path = "/v1/probe/items") =>
  Effect.flatMap(HttpServer, ({ url }) =>
    send(`${url}${path}`, post(body, { "idempotency-key": key }, token ?? undefined))
  )

const replayed = ({ headers }: { readonly headers: Headers }) => headers.get("idempotency-replayed")

describe("Idempotency-Key", () => {
  it("replays the answer to the same body", () =>
    Effect.gen(function* () {
      const first = yield* create("same")
      const second = yield* create("same")
      expect([first.status, replayed(first), replayed(second)]).toEqual([200, null, "true"])
      expect([second.status, second.text]).toEqual([200, first.text])
      expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"))
      expect((yield* create("another")).text).not.toBe(first.text)
    }))

  it("refuses another body", () =>
    Effect.gen(function* () {
      yield* create("other body")
      yield* create("otherbody")
      const answer = yield* create("otherbody", { name: "b", amount: 1 })
      expect([answer.status, (answer.json as { code: string }).code]).toEqual([422, "unprocessable"])
    }))

  it("belongs to its caller, method and path", () =>
    Effect.gen(function* () {
      const mine = yield* create("mine")
      const theirs = yield* create("mine", item, "other")
      expect([replayed(theirs), theirs.status]).toEqual([null, 200])
      expect(theirs.text).not.toBe(mine.text)
      expect(replayed(yield* create("mine", item, "buyer", "/v1/probe/strict"))).toBeNull()
    }))

  it("409 while the first is running, and only one runs", () =>
    Effect.gen(function* () {
      const slow = create("slow", {}, null, "/v1/probe/fail/slow")
      const answers = yield* Effect.all([slow, slow, slow, slow], { concurrency: "unbounded" })
      const done = answers.find(({ status }) => status === 200)
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
      expect(answers.find(({ status }) => status === 409)?.headers.get("retry-after")).toBe("1")
      expect((yield* slow).text).toBe(done?.text ?? "")
    }))

  it("replays refusals, but neither 401, 403, 429 nor 5xx", () =>
    Effect.gen(function* () {
      const fail = (how: string, key = how) => create(key, {}, undefined, `/v1/probe/fail/${how}`)
      yield* fail("conflict")
      const again = yield* fail("conflict")
      expect([again.status, replayed(again)]).toEqual([409, "true"])
      for (const how of ["defect", "unavailable"]) {
        yield* fail(how)
        expect(replayed(yield* fail(how))).toBeNull()
      }
      yield* create("invalid", { name: 1 })
      expect(replayed(yield* create("invalid", { name: 1 }))).toBe("true")
      yield* create("anonymous", item, null, "/v1/probe/admin")
      expect(replayed(yield* create("anonymous", item, null, "/v1/probe/admin"))).toBeNull()
      const unscoped = yield* create("scoped", item, "reader")
      expect([unscoped.status, replayed(yield* create("scoped", item, "reader"))]).toEqual([403, null])
    }))

  it("does not keep secrets", () =>
    Effect.gen(function* () {
      yield* create("secret", {}, null, "/v1/probe/secrets")
      expect(replayed(yield* create("secret", {}, null, "/v1/probe/secrets"))).toBeNull()
    }))

  it("does not keep twice what the operation kept itself", () =>
    Effect.gen(function* () {
      const kept = () => create("journal", {}, null, "/v1/probe/fail/journal")
      expect((yield* kept()).json).toMatchObject({ name: "a" })
      const again = yield* kept()
      expect([replayed(again), (again.json as { name: string }).name]).toEqual(["true", "kept by the journal"])
    }))

  it("refuses a key that is empty, too long or unprintable", () =>
    Effect.gen(function* () {
      for (const key of ["", "a b", "x".repeat(256)]) {
        expect((yield* create(key)).json).toMatchObject({
          message: "headers.idempotency-key: Expected 1 to 255 visible ASCII characters",
          code: "invalid_request"
        })
      }
      expect((yield* create("x".repeat(255))).status).toBe(200)
    }))
})
