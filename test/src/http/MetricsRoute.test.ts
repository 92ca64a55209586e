import { describe, expect, it as plain } from "bun:test"
import { Context, Effect, Metric } from "effect"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { render } from "../../../src/http/MetricsRoute.ts"
import { withLayer } from "../../lib/Effects.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { post, send } from "../../lib/Requests.ts"

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(HttpServer, ({ url }) => send(`${url}${path}`, { headers }))

const statuses = (tries: ReadonlyArray<Readonly<Record<string, string>>>) =>
  Effect.forEach(tries, (headers) => Effect.map(get("/metrics", headers), ({ status }) => status))

/** Headers by which proxies, balancers and networks for content tell of whom they forward. */
const FORWARDING = [
  "forwarded",
  "via",
  "x-forwarded",
  "x-forwarded-for",
  "x-forwarded-by",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
  "x-forwarded-server",
  "x-original-forwarded-for",
  "x-original-host",
  "x-original-url",
  "x-rewrite-url",
  "x-real-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-envoy-external-address",
  "x-envoy-internal",
  "x-amzn-trace-id",
  "x-amz-cf-id",
  "x-azure-clientip",
  "x-arr-clientip",
  "x-cloud-trace-context",
  "x-appengine-user-ip",
  "cf-connecting-ip",
  "cf-ray",
  "cf-visitor",
  "cdn-loop",
  "client-ip",
  "true-client-ip",
  "fastly-client-ip",
  "fly-client-ip",
  "akamai-origin-hop",
  "ali-cdn-real-ip",
  "incap-client-ip",
  "proxy-authorization",
  "x-nobody-knows-me-yet"
]

describe("/metrics", () => {
  const it = withLayer(layer())

  it("answers what a scraper on this machine sends, also through another node", () =>
    Effect.gen(function* () {
      const scraped = {
        "user-agent": "Prometheus/3.0",
        accept: "text/plain;version=0.0.4",
        "x-prometheus-scrape-timeout-seconds": "10"
      }
      const forwarded = { "emporion-position": "log-5" }
      const hosts = ["localhost", "localhost:3000", "127.0.0.1:9", "127.9.9.9", "[::1]:3000", "LOCALHOST"]
      const own = [{}, scraped, forwarded, ...hosts.map((host) => ({ host }))]
      expect(yield* statuses(own)).toEqual(own.map(() => 200))
    }))

  it("wants a token behind any proxy, known or not, and under any other name", () =>
    Effect.gen(function* () {
      const hosts = [
        "emporion.example",
        "evil.example:3000",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "10.0.0.1"
      ]
      const foreign = [...FORWARDING.map((name) => ({ [name]: "198.51.100.7" })), ...hosts.map((host) => ({ host }))]
      expect(yield* statuses(foreign)).toEqual(foreign.map(() => 401))
      const administered = foreign.map((headers) => ({ ...headers, authorization: "Bearer admin" }))
      expect(yield* statuses(administered)).toEqual(foreign.map(() => 200))
    }))

  it("has one way to write it, as every path", () =>
    Effect.gen(function* () {
      const aliases = [
        "/metrics;a",
        "/metrics;",
        "/metrics;/..",
        "/%6detrics",
        "/metric%73",
        "/metrics%3b",
        "/%2Fmetrics"
      ]
      const others = [
        "/v1/probe/items;a=b",
        "/v1/probe/%69tems",
        "/v1/probe/items/%31",
        "/docs;x",
        "/health/live;x",
        "/v1/%70robe/secrets"
      ]
      for (const path of [...aliases, ...others]) expect([path, (yield* get(path)).status]).toEqual([path, 404])
      const { url } = yield* HttpServer
      expect((yield* send(`${url}/v1/%70robe/secrets`, post({}))).status).toBe(404)
      expect((yield* get("/v1/probe/items?x=%61;b")).status).not.toBe(404)
    }))
})

describe("/metrics where a proxy is known", () => {
  const named = withLayer(layer({ TRUSTED_PROXIES: "10.0.0.0/8, 127.0.0.1" }))

  named("wants a token from its address, also without any header", () =>
    Effect.gen(function* () {
      expect(yield* statuses([{}, { host: "localhost" }])).toEqual([401, 401])
    })
  )
})

describe("/metrics where the public address ends elsewhere", () => {
  const ended = withLayer(layer({ PUBLIC_URL: "https://emporion.example" }))

  ended("wants a token from this machine too", () =>
    Effect.gen(function* () {
      expect(yield* statuses([{}, { host: "localhost" }, { authorization: "Bearer admin" }])).toEqual([401, 401, 200])
    })
  )
})

const rendered = (use: (context: Context.Context<never>) => void): string => {
  const context = Context.make(Metric.MetricRegistry, new Map()) as Context.Context<never>
  use(context)
  return render(context)
}

describe("The text of metrics", () => {
  const it = withLayer(layer())

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
        "# HELP jobs_done_total Jobs\\ndone.",
        "# TYPE jobs_done_total counter",
        'jobs_done_total{kind="a \\"b\\"\\\\"} 3',
        'jobs_done_total{kind="c"} 1',
        "# TYPE depth gauge",
        "depth 2.5",
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
