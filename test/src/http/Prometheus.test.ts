import { describe, expect, it as plain } from "bun:test"
import { Context, Effect, Metric } from "effect"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { render } from "../../../src/http/Prometheus.ts"
import { withLayer } from "../../lib/Effects.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { post, send } from "../../lib/Requests.ts"

const it = withLayer(layer())

const rendered = (use: (context: Context.Context<never>) => void): string => {
  const context = Context.make(Metric.MetricRegistry, new Map()) as Context.Context<never>
  use(context)
  return render(Metric.snapshotUnsafe(context))
}

describe("Prometheus", () => {
  plain("writes counters, gauges and cumulative histograms", () => {
    const text = rendered((context) => {
      const counter = Metric.counter("jobs.done", { description: "Jobs\ndone.", incremental: true })
      Metric.withAttributes(counter, { kind: 'a "b"\\' }).updateUnsafe(3, context)
      Metric.withAttributes(counter, { kind: "c" }).updateUnsafe(1, context)
      Metric.gauge("depth").updateUnsafe(2.5, context)
      const histogram = Metric.histogram("seconds", { boundaries: [0.1, 1] })
      for (const value of [0.05, 0.5, 0.7, 9]) histogram.updateUnsafe(value, context)
    })
    expect(text).toBe(
      [
        "# HELP depth depth",
        "# TYPE depth gauge",
        "depth 2.5",
        "# HELP jobs_done_total Jobs\\ndone.",
        "# TYPE jobs_done_total counter",
        'jobs_done_total{kind="a \\"b\\"\\\\"} 3',
        'jobs_done_total{kind="c"} 1',
        "# HELP seconds seconds",
        "# TYPE seconds histogram",
        'seconds_bucket{le="0.1"} 1',
        'seconds_bucket{le="1"} 3',
        'seconds_bucket{le="+Inf"} 4',
        "seconds_sum 10.25",
        "seconds_count 4",
        ""
      ].join("\n")
    )
  })

  it("counts requests by route template and status", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      for (const id of ["7", "8"]) yield* send(`${url}/v1/probe/items/${id}`)
      yield* send(`${url}/no/such/path`)
      const { headers, text } = yield* send(`${url}/metrics`)
      expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
      expect(text).toMatch(/http_requests_total\{method="GET",route="\/v1\/probe\/items\/:id",status="404"\} \d+/)
      expect(text).toContain('http_requests_total{method="GET",route="unmatched",status="404"}')
      expect(text).not.toContain("/v1/probe/items/7")
    }))

  it("is for callers on this machine and administrators", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      const status = (headers: Record<string, string>) =>
        Effect.map(send(`${url}/metrics`, { headers }), ({ status }) => status)
      expect(yield* status({})).toBe(200)
      expect(yield* status({ "x-forwarded-for": "198.51.100.1" })).toBe(401)
      expect(yield* status({ authorization: "Bearer expired" })).toBe(401)
      expect(yield* status({ authorization: "Bearer buyer" })).toBe(403)
      expect(yield* status({ authorization: "Bearer admin", "x-forwarded-for": "198.51.100.1" })).toBe(200)
      expect((yield* send(`${url}/metrics`, post({}))).status).toBe(405)
    }))
})
