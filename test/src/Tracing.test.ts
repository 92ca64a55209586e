import { describe, expect } from "bun:test"
import { Effect, Layer, Option } from "effect"
import { Settings } from "../../src/Config.ts"
import * as Tracing from "../../src/Tracing.ts"
import { itLive } from "../lib/Effects.ts"

interface Collected {
  readonly path: string
  readonly body: string
}

const collector = Effect.acquireRelease(
  Effect.sync(() => {
    const collected: Array<Collected> = []
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        collected.push({ path: new URL(request.url).pathname, body: await request.text() })
        return Response.json({})
      }
    })
    return { collected, server }
  }),
  ({ server }) => Effect.promise(() => server.stop(true))
)

const traced = (variables: Readonly<Record<string, string>>) =>
  Effect.currentSpan.pipe(
    Effect.option,
    Effect.withSpan("Arena.commit"),
    Effect.provide(Tracing.layer.pipe(Layer.provide(Settings.layerOf(variables)))),
    Effect.map(Option.exists(({ sampled }) => sampled))
  )

describe("Tracing", () => {
  itLive("sends spans to the collector that is named, below a path of its own too", () =>
    Effect.gen(function* () {
      const { collected, server } = yield* collector
      for (const path of ["", "/otlp", "/otlp/"]) {
        expect(yield* traced({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.port}${path}` })).toBe(true)
      }
      expect(collected.map(({ path }) => path)).toEqual(["/v1/traces", "/otlp/v1/traces", "/otlp/v1/traces"])
      for (const { body } of collected) {
        expect(body).toContain("Arena.commit")
        expect(body).toContain("emporion")
      }
    })
  )

  itLive("makes no spans without one", () =>
    Effect.gen(function* () {
      expect(yield* traced({})).toBe(false)
    })
  )
})
