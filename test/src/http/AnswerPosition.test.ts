import { describe, expect } from "bun:test"
import { Effect, Fiber, Layer } from "effect"
import { AnswerPosition } from "../../../src/http/AnswerPosition.ts"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { itLive } from "../../lib/Effects.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { post, send } from "../../lib/Requests.ts"

const ask = (path: string, init?: RequestInit) => Effect.flatMap(HttpServer, ({ url }) => send(`${url}${path}`, init))

const shown = ({ headers }: { readonly headers: Headers }) => headers.get("emporion-position")

/** A server whose journal is the test's own, or none. */
const withJournal = (
  name: string,
  journal: { readonly epoch: string; seq: number } | undefined,
  body: Effect.Effect<void, never, HttpServer>
) => {
  const answered = journal === undefined ? undefined : { epoch: journal.epoch, seq: () => journal.seq }
  itLive(name, () =>
    Effect.provide(body, Layer.provide(layer({ RATE_LIMITS: "on" }), Layer.succeed(AnswerPosition, answered)))
  )
}

describe("The position of an answer", () => {
  const written = { epoch: "log", seq: 7 }
  withJournal(
    "is on every answer, and moves with the journal",
    written,
    Effect.gen(function* () {
      expect(shown(yield* ask("/v1/probe/items"))).toBe("log-7")
      written.seq = 8
      const item = post({ name: "a", amount: 1.5 }, {}, "buyer")
      for (const answer of [yield* ask("/v1/probe/items", item), yield* ask("/nowhere")]) {
        expect(shown(answer)).toBe("log-8")
      }
    })
  )

  withJournal(
    "is not there, and not looked at, where one server answers alone",
    undefined,
    Effect.gen(function* () {
      const answer = yield* ask("/v1/probe/items", { headers: { "emporion-position": "nonsense" } })
      expect([answer.status, shown(answer)]).toEqual([200, null])
    })
  )
})

describe("A request that names a position", () => {
  const at = (text: string) => ({ headers: { "emporion-position": text } })

  const behind = { epoch: "log", seq: 7 }
  withJournal(
    "is answered once the journal goes as far, counted once",
    behind,
    Effect.gen(function* () {
      const before = yield* ask("/v1/probe/items")
      const waiting = yield* Effect.forkChild(ask("/v1/probe/items", at("log-9")), { startImmediately: true })
      yield* Effect.yieldNow
      behind.seq = 9
      const answer = yield* Fiber.join(waiting)
      expect([answer.status, shown(answer)]).toEqual([200, "log-9"])
      const left = (one: typeof answer) => Number(one.headers.get("x-ratelimit-remaining"))
      expect(left(before) - left(answer)).toBe(1)
      expect((yield* ask("/v1/probe/items", at("log-9"))).status).toBe(200)
    })
  )

  withJournal(
    "is told to come back where the journal does not go as far, and changes nothing",
    { epoch: "log", seq: 7 },
    Effect.gen(function* () {
      const late = yield* ask("/v1/probe/items", at("log-8"))
      expect([late.status, late.headers.get("retry-after")]).toEqual([503, "1"])
      expect(late.json).toMatchObject({ code: "unavailable", message: expect.stringContaining("Emporion-Position") })
      const change = post(
        { name: "a", amount: 1.5 },
        { "emporion-position": "log-8", "idempotency-key": "late" },
        "buyer"
      )
      expect((yield* ask("/v1/probe/items", change)).status).toBe(503)
      const again = yield* ask(
        "/v1/probe/items",
        post({ name: "a", amount: 1.5 }, { "idempotency-key": "late" }, "buyer")
      )
      expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, null])
    })
  )

  withJournal(
    "is refused where that is no position, and not held up by another log's",
    { epoch: "log", seq: 7 },
    Effect.gen(function* () {
      const refused = yield* ask("/v1/probe/items", at("seven"))
      expect(refused.status).toBe(400)
      expect(refused.json).toMatchObject({
        code: "invalid_request",
        errors: [{ field: "headers.emporion-position" }]
      })
      expect((yield* ask("/v1/probe/items", at("another-9"))).status).toBe(200)
    })
  )
})
