import { describe, expect } from "bun:test"
import { Duration, Effect, Exit, Fiber, Layer, Metric, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { Principal } from "../../../src/api/Authorization.ts"
import { Settings } from "../../../src/Config.ts"
import { Unavailable } from "../../../src/database/DatabaseError.ts"
import { AnsweredRequests } from "../../../src/http/AnsweredRequests.ts"
import { Exchange } from "../../../src/http/Exchange.ts"
import { ofJson } from "../../../src/http/PlainResponse.ts"
import { RequestFacts } from "../../../src/RequestState.ts"
import type { LoggedRequest } from "../../../src/requests/LoggedRequest.ts"
import { MAX_OF_A_CALLER } from "../../../src/requests/RequestBuffer.ts"
import { RequestLogRepository } from "../../../src/requests/RequestLogRepository.ts"
import { FLUSH_INTERVAL, RequestRecorder } from "../../../src/requests/RequestRecorder.ts"
import { itEffect } from "../../lib/Effects.ts"

/** The id of a request that no table takes. */
const UNWRITABLE = "unwritable"

/** A repository that remembers what it was given, and can be broken. */
const fake = (variables: Record<string, string> = {}) => {
  const written: Array<LoggedRequest> = []
  const state = { broken: false, refusing: false, stuck: false, lastId: 0 }
  const repository = Layer.succeed(
    RequestLogRepository,
    RequestLogRepository.of({
      add: (rows) =>
        Effect.suspend(() => {
          if (state.stuck) return Effect.never
          if (state.broken) return Effect.fail(new Unavailable({ reason: "broken" }))
          if (state.refusing || rows.some(({ requestId }) => requestId === UNWRITABLE)) {
            return Effect.die(new Error("a row that no table takes"))
          }
          written.push(...rows)
          return Effect.void
        }),
      lastId: Effect.sync(() => state.lastId),
      list: () => Effect.succeed({ rows: [], next: undefined }),
      count: () => Effect.undefined,
      byId: () => Effect.undefined,
      byRequestId: () => Effect.undefined,
      prune: () => Effect.succeed(0)
    })
  )
  const around = Layer.mergeAll(repository, Settings.layerOf(variables))
  return { written, state, recorder: RequestRecorder.layer.pipe(Layer.provideMerge(around)) }
}

const principal: Principal = {
  userId: "usr_1",
  clientId: "cli_1",
  companyId: "cmp_1",
  role: "buyer",
  scopes: [],
  kind: "user",
  status: "active"
}

/** An exchange that was answered. */
const exchange = (method: string, id: string, address = "10.0.0.1") => {
  const facts = new RequestFacts(address)
  facts.id = id
  facts.path = "/v1/funds"
  facts.route = "/v1/funds/:id"
  facts.identity = { _tag: "Verified", principal: { ...principal, userId: `usr_${address}` } }
  return new Exchange(new Request("http://localhost/v1/funds?a=1", { method }), facts, 1_000, 5n)
}

const OK = ofJson(200, "{}")
const REFUSED = ofJson(409, JSON.stringify({ message: "Not now.", code: "conflict" }))

describe("RequestRecorder", () => {
  itEffect("writes what the server answered every second", () => {
    const { recorder, written } = fake()
    return Effect.gen(function* () {
      const note = yield* AnsweredRequests
      note(exchange("POST", "one"), OK, 1_500_000n)
      note(exchange("GET", "two"), REFUSED, 2_000n)
      note(exchange("GET", "three"), OK, 2_000n)
      note(exchange("OPTIONS", "four"), OK, 2_000n)
      yield* TestClock.adjust(FLUSH_INTERVAL)
      expect(written.map(({ requestId }) => requestId)).toEqual(["one", "two"])
      const [one, two] = written
      expect(one).toMatchObject({
        at: 1_000,
        companyId: "cmp_1",
        operation: "POST /v1/funds/{id}",
        path: "/v1/funds",
        query: undefined,
        status: 200,
        code: undefined,
        durationMicros: 1_500,
        responseBytes: 2,
        eventSeqs: [],
        phases: undefined
      })
      expect(two).toMatchObject({ status: 409, code: "conflict", query: "a=[removed]" })
      expect((two?.id ?? 0) > (one?.id ?? 0)).toBe(true)
    }).pipe(
      Effect.provide(Layer.mergeAll(RequestRecorder.noting, RequestRecorder.running).pipe(Layer.provideMerge(recorder)))
    )
  })

  for (const [kinds, expected] of [
    ["all", ["POST 200", "GET 200", "GET 409"]],
    ["changes", ["POST 200", "GET 409"]],
    ["refused", ["GET 409"]],
    ["off", []]
  ] as const) {
    itEffect(`logs ${kinds} where the setting says so`, () => {
      const { recorder, written } = fake({ REQUEST_LOG: kinds })
      return Effect.gen(function* () {
        const { flush, note } = yield* RequestRecorder
        note(exchange("POST", "a"), OK, 1n)
        note(exchange("GET", "b"), OK, 1n)
        note(exchange("GET", "c"), REFUSED, 1n)
        yield* flush
        expect(written.map(({ operation, status }) => `${operation.split(" ")[0]} ${status}`)).toEqual([...expected])
      }).pipe(Effect.provide(recorder))
    })
  }

  itEffect("tells of an answer that came too late what its caller got", () => {
    const { recorder, written } = fake()
    return Effect.gen(function* () {
      const { flush, note } = yield* RequestRecorder
      const late = exchange("GET", "late")
      late.isLate = true
      note(late, OK, 1n)
      yield* flush
      expect(written).toMatchObject([{ status: 503, code: "unavailable" }])
    }).pipe(Effect.provide(recorder))
  })

  itEffect("drops and counts a flood, and neither blocks nor loses others", () => {
    const { recorder, written } = fake()
    return Effect.gen(function* () {
      const { flush, note } = yield* RequestRecorder
      for (let one = 0; one < 5_000; one++) note(exchange("POST", `flood-${one}`), REFUSED, 1n)
      note(exchange("POST", "quiet", "10.0.0.2"), OK, 1n)
      yield* flush
      expect([written.length, written.at(-1)?.requestId]).toEqual([MAX_OF_A_CALLER + 1, "quiet"])
      expect(yield* droppedSoFar).toBeGreaterThanOrEqual(5_000 - MAX_OF_A_CALLER)
    }).pipe(Effect.provide(recorder))
  })

  itEffect("keeps what cannot be written now, and writes the rest at the end", () => {
    const { recorder, state, written } = fake()
    return Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(recorder, scope)
      const { flush, note } = yield* Effect.provideContext(RequestRecorder, context)
      state.broken = true
      note(exchange("POST", "one"), OK, 1n)
      yield* flush
      note(exchange("POST", "two"), OK, 1n)
      yield* flush
      expect(written).toEqual([])
      state.broken = false
      yield* flush
      expect(written.map(({ requestId }) => requestId)).toEqual(["one", "two"])
      note(exchange("POST", "three"), OK, 1n)
      yield* Scope.close(scope, Exit.void)
      expect(written.at(-1)?.requestId).toBe("three")
    })
  })

  itEffect("gives ids that are larger than those that are there, whatever the clock says", () => {
    const { recorder, state, written } = fake()
    state.lastId = 7e15
    return Effect.gen(function* () {
      const { flush, note } = yield* RequestRecorder
      note(exchange("POST", "one"), OK, 1n)
      note(exchange("POST", "two"), OK, 1n)
      yield* flush
      expect(written.map(({ id }) => id)).toEqual([7e15 + 1, 7e15 + 2])
    }).pipe(Effect.provide(recorder))
  })

  itEffect("goes on after rows that the database refuses for good", () => {
    const { recorder, state, written } = fake()
    return Effect.gen(function* () {
      const { flush, note } = yield* RequestRecorder
      state.refusing = true
      note(exchange("POST", "one"), OK, 1n)
      yield* flush
      state.refusing = false
      note(exchange("POST", "two"), OK, 1n)
      yield* flush
      expect(written.map(({ requestId }) => requestId)).toEqual(["two"])
    }).pipe(Effect.provide(recorder))
  })

  itEffect("loses no other row beside one that the database refuses for good", () => {
    const { recorder, written } = fake()
    return Effect.gen(function* () {
      const { flush, note } = yield* RequestRecorder
      const ids = ["one", "two", UNWRITABLE, "three", "four"]
      for (const id of ids) note(exchange("POST", id), OK, 1n)
      yield* flush
      expect(written.map(({ requestId }) => requestId)).toEqual(["one", "two", "three", "four"])
    }).pipe(Effect.provide(recorder))
  })

  itEffect("has a trace whose id a caller made short, and none that is no id", () => {
    const { recorder, written } = fake()
    return Effect.gen(function* () {
      const { flush, note } = yield* RequestRecorder
      for (const traceId of ["80f198ee56343ba8", "f".repeat(32), "f".repeat(40), "no id"]) {
        const answered = exchange("POST", traceId)
        answered.facts.traceId = traceId
        note(answered, OK, 1n)
      }
      yield* flush
      expect(written.map(({ traceId }) => traceId)).toEqual([
        `${"0".repeat(16)}80f198ee56343ba8`,
        "f".repeat(32),
        undefined,
        undefined
      ])
    }).pipe(Effect.provide(recorder))
  })

  itEffect("tells one refusal by a rate limit of a caller and minute", () => {
    const { recorder, written } = fake()
    return Effect.gen(function* () {
      const { flush, note } = yield* RequestRecorder
      for (let one = 0; one < 50; one++) note(exchange("GET", `${one}`), ofJson(429, "{}"), 1n)
      note(exchange("GET", "other", "10.0.0.2"), ofJson(429, "{}"), 1n)
      yield* flush
      expect(written.map(({ requestId }) => requestId)).toEqual(["0", "other"])
    }).pipe(Effect.provide(recorder))
  })

  itEffect("does not wait for ever at the end", () => {
    const { recorder, state } = fake()
    return Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(recorder, scope)
      const { note } = yield* Effect.provideContext(RequestRecorder, context)
      state.stuck = true
      note(exchange("POST", "one"), OK, 1n)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust(Duration.seconds(2))
      yield* Fiber.join(closing)
    })
  })
})

/** What the metric of dropped requests has counted in this process. */
const droppedSoFar = Effect.map(Metric.snapshot, (found) => {
  const metric = found.find(({ id }) => id === "emporion_request_log_dropped")
  return metric?.type === "Counter" ? Number(metric.state.count) : 0
})
