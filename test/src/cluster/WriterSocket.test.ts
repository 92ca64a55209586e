import { describe, expect } from "bun:test"
import { Clock, Context, Duration, Effect, Fiber, Layer, type Scope } from "effect"
import fc from "fast-check"
import { elsewhere, restored } from "../../../src/cluster/ForwardedRequest.ts"
import { Forwarding } from "../../../src/cluster/Forwarding.ts"
import type { Settings } from "../../../src/Config.ts"
import { itLive } from "../../lib/Effects.ts"
import { runs } from "../../lib/Property.ts"
import {
  type Answering,
  asked,
  COMMIT,
  forwarded,
  forwardingTo,
  pathOf,
  withWritingNodes,
  WritingNodes
} from "../../lib/WritingNodes.ts"

const USUAL = { "content-type": "application/json", host: "emporion.example" }

const commit = (headers: Record<string, string> = {}) => asked("POST", COMMIT, { ...USUAL, ...headers })

const textOf = (response: Response) => Effect.promise(() => response.text())

/** Once the node's own connection is there. */
const connected = (nodes: WritingNodes) => Effect.repeat(commit(), { until: () => nodes.carried > 0 })

/** A request as the app of the node that writes sees it, without what an HTTP client adds. */
const seenBy = async (given: Request) => {
  const request = restored(given)
  const headers = Object.fromEntries(request.headers)
  for (const name of ["accept", "connection", "idempotency-key"]) delete headers[name]
  if (headers["accept-encoding"] === "identity") delete headers["accept-encoding"]
  if (headers["user-agent"] === "") delete headers["user-agent"]
  return { method: request.method, path: pathOf(request), headers, body: await request.text() }
}

const shown = async (response: Response) => ({
  status: response.status,
  headers: [...response.headers],
  body: await response.text()
})

const value = fc.stringMatching(/^[ -~]{0,20}$/).map((text) => text.trim())
const name = fc.constantFrom("authorization", "cookie", "origin", "x-forwarded-for", "x-a", "te", "x-emporion-peer")
const host = fc.constantFrom("emporion.example", "EMPORION.example:3000", "127.0.0.1:1", "[::1]:3000")
const sent = fc.record({
  host,
  headers: fc.dictionary(
    name,
    value.filter((text) => text !== "")
  ),
  key: fc.option(fc.stringMatching(/^[a-z]{1,9}$/), { nil: undefined }),
  body: fc.oneof(fc.string({ unit: "grapheme", minLength: 1 }), fc.constant("\uFEFF{}"), fc.json())
})
const given = fc.record({
  status: fc.constantFrom(200, 201, 400, 401, 402, 404, 409, 422, 429),
  headers: fc.array(
    fc.tuple(fc.constantFrom("set-cookie", "retry-after", "connection", "idempotency-replayed", "x-b"), value),
    { maxLength: 4 }
  ),
  body: fc.oneof(fc.string({ unit: "grapheme", minLength: 1 }), fc.json())
})

const exchange = fc.record({ asks: sent, answers: given })

type Exchange = typeof exchange extends fc.Arbitrary<infer A> ? A : never

/** What one way makes of a request and its answer. */
const through = Effect.fnUntraced(function* (carries: boolean) {
  const nodes = new WritingNodes()
  const context = yield* Layer.build(forwardingTo(nodes))
  let answer: Answering = () => new Response("{}")
  yield* Effect.provideContext(
    nodes.next((request) => answer(request), { carries }),
    context
  )
  const run = <A>(effect: Effect.Effect<A, never, Forwarding>) =>
    Effect.provideContext(effect, Context.pick(Forwarding)(context))
  if (carries) yield* run(connected(nodes))
  const of = Effect.fnUntraced(function* ({ answers, asks }: Exchange) {
    let seen: unknown
    answer = async (request) => {
      seen = await seenBy(request)
      const headers = [["content-type", "application/json"], ...answers.headers] as Array<[string, string]>
      return new Response(answers.body, { status: answers.status, headers })
    }
    const headers = {
      ...USUAL,
      host: asks.host,
      ...asks.headers,
      ...(asks.key === undefined ? {} : { "idempotency-key": asks.key })
    }
    const response = yield* run(
      Effect.suspend(() =>
        forwarded(new Request(`http://emporion.example${COMMIT}`, { method: "POST", headers, body: asks.body }))
      )
    )
    return { seen, response: yield* Effect.promise(() => shown(response)) }
  })
  return { nodes, of }
})

describe("A node's own connection to the one that writes", () => {
  itLive("carries requests and answers as if each had gone by itself", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const [carried, plain] = [yield* through(true), yield* through(false)]
        const before = carried.nodes.carried
        const samples = fc.sample(exchange, runs())
        for (const sample of samples) expect(yield* carried.of(sample)).toEqual(yield* plain.of(sample))
        expect([carried.nodes.carried - before, plain.nodes.carried]).toEqual([samples.length, 0])
      })
    )
  )

  withWritingNodes("gives everybody their own answer, whichever comes first", (nodes) =>
    Effect.gen(function* () {
      const late: Array<() => void> = []
      yield* nodes.next((request) => {
        const response = new Response(request.headers.get("x-number") ?? "")
        if (late.length === 0 && request.headers.has("x-number")) {
          return new Promise((resolve) => late.push(() => resolve(response)))
        }
        for (const answer of late.splice(0)) setImmediate(answer)
        return response
      })
      yield* connected(nodes)
      const numbers = Array.from({ length: 250 }, (_, index) => String(index))
      const texts = yield* Effect.forEach(
        numbers,
        (number) => Effect.flatMap(commit({ "x-number": number }), (response) => Effect.promise(() => response.text())),
        { concurrency: "unbounded" }
      )
      expect(texts).toEqual(numbers)
      expect(nodes.carried).toBeGreaterThanOrEqual(250)
    })
  )

  withWritingNodes("loses no request that was on it when the other node died, and has each executed once", (nodes) =>
    Effect.gen(function* () {
      const executed = new Map<string, number>()
      const execute = (request: Request): Response => {
        const key = request.headers.get("idempotency-key") ?? ""
        const isReplayed = executed.has(key)
        if (!isReplayed) executed.set(key, executed.size)
        return new Response(String(executed.get(key)), {
          headers: isReplayed ? { "idempotency-replayed": "true" } : {}
        })
      }
      const count = 40
      let taken = 0
      const died = Promise.withResolvers<void>()
      const first = yield* nodes.next((request) => {
        const response = execute(request)
        if (!request.headers.has("x-number")) return response
        taken += 1
        if (taken > count / 2) {
          if (taken === count / 2 + 1) void first.stop(true).then(() => died.resolve())
          return new Promise<Response>(() => undefined)
        }
        return response
      })
      yield* connected(nodes)
      executed.clear()
      const numbers = Array.from({ length: count }, (_, index) => String(index))
      const [responses] = yield* Effect.all(
        [
          Effect.forEach(numbers, (number) => commit({ "x-number": number }), { concurrency: "unbounded" }),
          Effect.andThen(
            Effect.promise(() => died.promise),
            nodes.next(execute)
          )
        ],
        { concurrency: "unbounded" }
      )
      const texts = yield* Effect.promise(() => Promise.all(responses.map((response) => response.text())))
      expect(responses.map(({ status }) => status)).toEqual(numbers.map(() => 200))
      expect(responses.some(({ headers }) => headers.has("idempotency-replayed"))).toBe(false)
      expect([executed.size, new Set(texts).size]).toEqual([count, count])
    })
  )

  /** A node that says how far its journal goes, so that others name what they send from then on. */
  const positioned =
    (body: string): Answering =>
    () =>
      new Response(body, { headers: { "emporion-position": "log-5", "idempotency-replayed": "true" } })

  withWritingNodes("names a request without a key, and sends it again by that name on a connection alone", (nodes) =>
    Effect.gen(function* () {
      const dead = Promise.withResolvers<void>()
      let isDying = false
      const first = yield* nodes.next((request) => {
        if (!isDying) return positioned("first")(request)
        void first.stop(true).then(() => dead.resolve())
        return new Promise<Response>(() => undefined)
      })
      yield* connected(nodes)
      yield* commit()
      expect(nodes.keys.at(-1)).toBeNull()
      expect(nodes.sendings.at(-1)?.name).toStartWith("@5/")
      yield* commit({ "idempotency-key": "mine" })
      expect([nodes.keys.at(-1), nodes.sendings.at(-1)]).toEqual(["mine", undefined])
      isDying = true
      const asking = yield* Effect.forkChild(commit())
      yield* Effect.promise(() => dead.promise)
      const sent = nodes.sendings.at(-1)
      expect(sent?.isFirst).toBe(true)
      const before = nodes.keys.length
      yield* nodes.next(positioned("alone"), { carries: false })
      // It reaches that one, and what has a name does not go there.
      expect(yield* Effect.flatMap(asked("GET", "/v1/info"), textOf)).toBe("alone")
      expect(nodes.keys.length).toBe(before + 1)
      yield* nodes.next(positioned("second"))
      const response = yield* Fiber.join(asking)
      expect([yield* textOf(response), response.headers.has("idempotency-replayed")]).toEqual(["second", false])
      expect(nodes.keys.at(-1)).toBeNull()
      expect(nodes.sendings.at(-1)).toMatchObject({ name: sent?.name, isFirst: false })
    })
  )

  withWritingNodes("is left for another node where that one says that it does not write", (nodes) =>
    Effect.gen(function* () {
      const refused = Promise.withResolvers<void>()
      let writes = true
      yield* nodes.next(() => {
        if (writes) return new Response("first")
        refused.resolve()
        return elsewhere()
      })
      yield* connected(nodes)
      writes = false
      const second = nodes.next(() => new Response("second"))
      const [response] = yield* Effect.all(
        [
          commit(),
          Effect.andThen(
            Effect.promise(() => refused.promise),
            second
          )
        ],
        {
          concurrency: "unbounded"
        }
      )
      expect(yield* Effect.promise(() => response.text())).toBe("second")
    })
  )

  /** A node that answers once it is asked again, and a clock that may go ahead. All pauses are short. */
  const withSilence = (
    name: string,
    body: (silence: {
      readonly nodes: WritingNodes
      /** Nobody is answered, until one request arrived. */
      readonly begin: () => Promise<void>
      readonly goAhead: () => void
    }) => Effect.Effect<void, never, Forwarding | Settings | Scope.Scope>
  ) =>
    itLive(name, () =>
      Effect.suspend(() => {
        const nodes = new WritingNodes()
        let ahead = 0n
        const clock = Effect.map(Clock.Clock, (real) =>
          Object.assign(Object.create(real) as Clock.Clock, {
            monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe() + ahead,
            sleep: (pause: Duration.Duration) => real.sleep(Duration.min(pause, Duration.millis(5)))
          })
        )
        let silent: PromiseWithResolvers<void> | undefined
        const begin = () => (silent = Promise.withResolvers<void>()).promise
        const goAhead = () => void (ahead = 11_000_000_000n)
        const played = Effect.gen(function* () {
          yield* nodes.next(() => {
            if (silent === undefined) return new Response("answered")
            silent.resolve()
            silent = undefined
            return Promise.withResolvers<Response>().promise
          })
          yield* connected(nodes)
          yield* body({ nodes, begin, goAhead })
        })
        return Effect.scoped(played).pipe(
          Effect.provide(forwardingTo(nodes)),
          Effect.provideServiceEffect(Clock.Clock, clock)
        )
      })
    )

  withSilence(
    "is given up where an answer is overdue, and what was on it goes another way",
    ({ begin, goAhead, nodes }) =>
      Effect.gen(function* () {
        const arrived = begin()
        const first = yield* Effect.forkChild(commit())
        yield* Effect.promise(() => arrived)
        goAhead()
        const responses = [yield* commit(), yield* Fiber.join(first)]
        expect(yield* Effect.promise(() => Promise.all(responses.map((response) => response.text())))).toEqual([
          "answered",
          "answered"
        ])
        expect(nodes.carried).toBeGreaterThan(0)
      })
  )

  withSilence("is given up and made again also where nobody else asks", ({ begin, goAhead, nodes }) =>
    Effect.gen(function* () {
      const arrived = begin()
      const first = yield* Effect.forkChild(commit())
      yield* Effect.promise(() => arrived)
      const before = nodes.carried
      goAhead()
      expect(yield* Effect.flatMap(Fiber.join(first), (response) => Effect.promise(() => response.text()))).toBe(
        "answered"
      )
      yield* Effect.repeat(commit(), { until: () => nodes.carried > before })
    })
  )

  withWritingNodes("takes nothing unusual, which goes by itself", (nodes) =>
    Effect.gen(function* () {
      yield* nodes.next(() => new Response("{}"))
      yield* connected(nodes)
      const before = nodes.carried
      yield* commit()
      expect(nodes.carried).toBe(before + 1)
      yield* asked("POST", `${COMMIT}?a=b`, USUAL)
      yield* asked("POST", COMMIT, { "content-type": "application/json" })
      yield* asked("POST", "/v1/webhooks", USUAL)
      yield* asked("GET", COMMIT)
      const long = { method: "POST", headers: USUAL, body: " ".repeat(16_385) }
      yield* forwarded(new Request(`http://emporion.example${COMMIT}`, long))
      yield* forwarded(new Request(`http://emporion.example${COMMIT}`, { method: "POST", headers: USUAL }))
      expect(nodes.carried).toBe(before + 1)
      expect(nodes.keys.length).toBeGreaterThanOrEqual(before + 7)
    })
  )
})
