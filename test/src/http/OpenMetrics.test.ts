import { describe, expect, it } from "bun:test"
import { Context, Effect, Metric } from "effect"
import fc from "fast-check"
import { ExemplarHistogram } from "../../../src/ExemplarHistogram.ts"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { render as renderPlain } from "../../../src/http/MetricsRoute.ts"
import { render, wantsOpenMetrics } from "../../../src/http/OpenMetrics.ts"
import { withLayer } from "../../lib/Effects.ts"
import { readOpenMetrics, type ReadSample, sampleOf } from "../../lib/OpenMetricsGrammar.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { property } from "../../lib/Property.ts"
import { send } from "../../lib/Requests.ts"

const registry = () => Context.make(Metric.MetricRegistry, new Map()) as Context.Context<never>

const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom('a "b"', "back\\slash", "two\nlines"))
const amount = fc.oneof(fc.nat(1_000), fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }))
const trace = fc.bigInt({ min: 1n, max: 2n ** 128n - 1n }).map((id) => id.toString(16).padStart(32, "0"))

/** A sample without its exemplar, as both formats have it but for how a bound is written. */
const seriesOf = ({ labels, name }: ReadSample): string =>
  JSON.stringify([
    name,
    [...labels].map(([key, value]) => [key, key === "le" && value !== "+Inf" ? String(Number(value)) : value])
  ])

const valuesOf = (samples: ReadonlyArray<ReadSample>): ReadonlyMap<string, number> => {
  const values = new Map(samples.map((one) => [seriesOf(one), one.value]))
  expect(values.size).toBe(samples.length)
  return values
}

const openValues = (text: string) => valuesOf([...readOpenMetrics(text).values()].flatMap(({ samples }) => samples))

const plainValues = (text: string) =>
  valuesOf(text.split("\n").flatMap((line) => (line === "" || line.startsWith("#") ? [] : [sampleOf(line)])))

describe("OpenMetrics", () => {
  it("is what its grammar takes, with every value of every metric", () => {
    const values = fc.array(fc.tuple(amount, fc.option(trace, { nil: undefined })), { maxLength: 20 })
    const bounds = fc
      .uniqueArray(fc.oneof(fc.constantFrom(0.25, 1, 10, 1e6, 2 ** 20), amount), { minLength: 1, maxLength: 8 })
      .map((all) => all.toSorted((one, other) => one - other))
    fc.assert(
      fc.property(text, text, amount, fc.array(amount), values, bounds, (help, label, count, gauged, timed, bounds) => {
        const context = registry()
        const described = { description: help, attributes: { "a.b": label } }
        Metric.counter("jobs.done", { ...described, incremental: true }).updateUnsafe(count, context)
        Metric.counter("all_total", described).updateUnsafe(count, context)
        for (const one of gauged) Metric.gauge("2depth", described).updateUnsafe(one, context)
        Metric.frequency("kinds", described).updateUnsafe(label, context)
        const own = new ExemplarHistogram(bounds)
        for (const [value, id] of timed) own.add(value, id === undefined ? undefined : { id, at: 1_764_155_000_123 })
        Metric.registerUnsafe(Metric.histogram("seconds", { ...described, boundaries: bounds }), context, {
          get: () => own.state,
          update: () => {},
          modify: () => {}
        })
        expect(openValues(render(context))).toEqual(plainValues(renderPlain(context)))
        const families = readOpenMetrics(render(context))
        const samples = (name: string) => families.get(name)?.samples.map(({ value }) => value)
        expect(samples("jobs_done")).toEqual([count])
        expect(samples("all")).toEqual([count])
        expect(samples("_2depth")).toEqual(gauged.length === 0 ? undefined : [gauged.at(-1) ?? 0])
        expect(samples("kinds")).toEqual([1])
        const { buckets, count: all, exemplars, sum } = own.state
        expect(samples("seconds")).toEqual([...buckets.map(([, upTo]) => upTo), all, sum, all])
        expect(
          families.get("seconds")?.samples.flatMap(({ exemplar }) => exemplar?.labels.get("trace_id") ?? [])
        ).toEqual(exemplars.flatMap((one) => one?.traceId ?? []))
      }),
      property()
    )
  })

  it("names a trace behind its bucket", () => {
    const context = registry()
    const own = new ExemplarHistogram([0.1, 1])
    own.add(0.05)
    own.add(0.5, { id: "4bf92f3577b34da6a3ce929d0e0e4736", at: 1_764_155_000_123 })
    Metric.registerUnsafe(
      Metric.withAttributes(Metric.histogram("seconds", { boundaries: [0.1, 1] }), { phase: "append" }),
      context,
      { get: () => own.state, update: () => {}, modify: () => {} }
    )
    expect(render(context)).toBe(
      [
        "# TYPE seconds histogram",
        'seconds_bucket{phase="append",le="0.1"} 1',
        'seconds_bucket{phase="append",le="1.0"} 2 # {trace_id="4bf92f3577b34da6a3ce929d0e0e4736"} 0.5 1764155000.123',
        'seconds_bucket{phase="append",le="+Inf"} 2',
        'seconds_sum{phase="append"} 0.55',
        'seconds_count{phase="append"} 2',
        "# EOF",
        ""
      ].join("\n")
    )
  })

  it("writes bounds as the specification's canonical numbers", () => {
    const context = registry()
    const bounds = [1e-10, 1e-5, 0.0001, 0.001, 0.1, 1, 10, 100_000, 1e6, 2 ** 20, 1e10, 1e21]
    Metric.histogram("bytes", { boundaries: bounds }).updateUnsafe(1, context)
    expect([...render(context).matchAll(/le="([^"]+)"/g)].map(([, bound]) => bound)).toEqual([
      "1e-10",
      "1e-05",
      "0.0001",
      "0.001",
      "0.1",
      "1.0",
      "10.0",
      "100000.0",
      "1e+06",
      "1.048576e+06",
      "1e+10",
      "1e+21",
      "+Inf"
    ])
  })

  it("is for those who want it at least as much as plain text", () => {
    const prometheus =
      "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"
    const wanted = [prometheus, "application/openmetrics-text", "Application/OpenMetrics-Text; q=1, text/plain"]
    expect(wanted.map(wantsOpenMetrics)).toEqual(wanted.map(() => true))
    const unwanted = [
      undefined,
      null,
      "",
      "*/*",
      "application/*",
      "text/plain",
      "application/openmetrics-text;q=0",
      "application/openmetrics-text;q=0.2, text/plain;q=0.4",
      "application/openmetrics-texts"
    ]
    expect(unwanted.map(wantsOpenMetrics)).toEqual(unwanted.map(() => false))
  })
})

describe("/metrics as OpenMetrics", () => {
  const served = withLayer(layer())

  served("has the same samples as the plain text, under its own type", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      yield* send(`${url}/v1/probe/items/7`)
      const scrape = (accept: string) => send(`${url}/metrics`, { headers: { accept } })
      const plain = yield* scrape("text/plain")
      const open = yield* scrape("application/openmetrics-text; version=1.0.0")
      const later = yield* scrape("text/plain")
      expect(open.headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8")
      expect(plain.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
      expect(plain.text).not.toContain("# EOF")
      const families = readOpenMetrics(open.text)
      expect(families.get("http_requests")?.type).toBe("counter")
      const [before, values, after] = [plainValues(plain.text), openValues(open.text), plainValues(later.text)]
      expect([...before.keys()].filter((series) => !values.has(series))).toEqual([])
      expect([...values.keys()].filter((series) => !after.has(series))).toEqual([])
      // What only rises and is the same before and after was not moved by the scrapes.
      const rising = [...families.values()].filter(({ type }) => type === "counter" || type === "histogram")
      const still = rising
        .flatMap(({ samples }) => samples.map(seriesOf))
        .filter((one) => before.get(one) === after.get(one))
      expect(still.some((series) => series.includes("/v1/probe/items/") && (before.get(series) ?? 0) > 0)).toBe(true)
      expect(still.map((series) => [series, values.get(series)])).toEqual(still.map((one) => [one, before.get(one)]))
    })
  )
})
