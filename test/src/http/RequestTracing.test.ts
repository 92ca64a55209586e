import { describe, expect, it } from "bun:test"
import { Effect, Option, Tracer } from "effect"
import { HttpServerRequest } from "effect/http"
import fc from "fast-check"
import { ofJson } from "../../../src/http/PlainResponse.ts"
import { parentOf, sampling, traced } from "../../../src/http/RequestTracing.ts"
import { RequestFacts } from "../../../src/RequestState.ts"
import { property } from "../../lib/Property.ts"

const share = fc.double({ min: 0, max: 1, noNaN: true })
const trace = fc.bigInt({ min: 1n, max: 2n ** 128n - 1n }).map((id) => id.toString(16).padStart(32, "0"))

const SPAN = "00f067aa0ba902b7"

const traceparent = (value: string): Headers => new Headers({ traceparent: value })

const named = (id: string, flags: string): Headers => traceparent(`00-${id}-${SPAN}-${flags}`)

/** Ids as callers write them, some of which name no trace. */
const written = fc.oneof(
  trace,
  trace.map((id) => id.slice(16)),
  fc.constantFrom("0".repeat(32), "1F", "")
)
const bit = fc.constantFrom("0", "1", "d", "true", "")
const w3c = fc
  .tuple(
    fc.constantFrom("00", "01", "ff"),
    written,
    fc.constantFrom(SPAN, "0".repeat(16)),
    bit,
    fc.constantFrom("", "-x")
  )
  .map(([version, id, span, flag, rest]) => `${version}-${id}-${span}-0${flag}${rest}`)

const naming = fc.oneof(
  fc.record({ traceparent: w3c }, { requiredKeys: [] }),
  fc.record({ b3: fc.tuple(written, bit).map(([id, flag]) => `${id}-${SPAN}-${flag}`) }),
  fc.record({
    traceparent: w3c,
    "x-b3-traceid": written,
    "x-b3-spanid": fc.constantFrom(SPAN, "1"),
    "x-b3-sampled": bit,
    "x-b3-flags": fc.constantFrom("0", "1")
  })
)

describe("The choice of traced requests", () => {
  it("leaves those without a trace to chance", () => {
    fc.assert(
      fc.property(share, share, fc.constantFrom("", "nonsense", "0".repeat(32)), (part, drawn, id) => {
        const isChosen = part >= 1 || drawn < part
        for (const headers of [new Headers(), traceparent(id), named(id, "01"), new Headers({ b3: `${id}-${SPAN}` })]) {
          expect(sampling(part, () => drawn)(headers)).toBe(isChosen)
        }
      }),
      property()
    )
  })

  it("chooses a caller's trace alike wherever the share is the same, and wherever it is larger", () => {
    fc.assert(
      fc.property(share, share, trace, (one, other, id) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)]
        const chosen = (part: number, drawn: number): boolean => sampling(part, () => drawn)(named(id, "01"))
        expect(chosen(less, 0)).toBe(chosen(less, 0.999))
        if (chosen(less, 0)) expect(chosen(more, 0)).toBe(true)
        expect(chosen(1, 0)).toBe(true)
        expect(chosen(0, 0)).toBe(false)
      }),
      property()
    )
  })

  it("chooses about the share of many traces", () => {
    const of = sampling(0.01, () => 0)
    const ids = Array.from({ length: 50_000 }, (_, index) => (BigInt(index) * 2_654_435_761n) % 2n ** 32n)
    const chosen = ids.filter((id) => of(named(id.toString(16).padStart(32, "0"), "01")))
    expect(Math.abs(chosen.length / ids.length - 0.01)).toBeLessThan(0.002)
  })

  it("leaves out what the caller leaves out", () => {
    fc.assert(
      fc.property(trace, (id) => {
        expect(sampling(1, () => 0)(named(id, "00"))).toBe(false)
      }),
      property()
    )
  })
})

/** The spans that one request makes, and the trace that it notes. */
const made = (request: Request) => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const facts = new RequestFacts("10.0.0.1")
  const told = traced(facts, Effect.succeed(ofJson(200, "{}"))).pipe(
    Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request)),
    Effect.provideService(Tracer.Tracer, tracer),
    Effect.scoped
  )
  Effect.runSync(told as never)
  return { spans, noted: facts.traceId }
}

describe("The caller's trace", () => {
  it("is the one that the request's span is in, and noted only where that is sent", () => {
    fc.assert(
      fc.property(naming, (headers) => {
        const request = new Request("http://localhost/", { headers })
        const { noted, spans } = made(request)
        const span = spans[0] ?? expect.unreachable()
        const parent = parentOf(request.headers)
        expect(noted).toBe(span.sampled ? span.traceId : undefined)
        if (Option.isNone(parent)) {
          expect(Option.getOrUndefined(span.parent)?.traceId ?? "0").toMatch(/^0+$/)
          return
        }
        expect(span.traceId).toBe(parent.value.traceId)
        expect(span.sampled).toBe(parent.value.sampled)
        expect(sampling(1, () => 0)(request.headers)).toBe(parent.value.sampled)
      }),
      property()
    )
  })
})
