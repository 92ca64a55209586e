import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { HttpApi } from "effect/http-api"
import manifest from "../../../package.json" with { type: "json" }
import { Conventions } from "../../../src/api/Conventions.ts"
import { SystemApi } from "../../../src/api/System.ts"
import * as HttpServer from "../../../src/http/HttpServer.ts"
import * as HttpApp from "../../../src/http/HttpApp.ts"
import { Readiness } from "../../../src/http/Readiness.ts"
import * as SystemHandlers from "../../../src/http/SystemHandlers.ts"
import { TokenVerifier } from "../../../src/http/TokenVerifier.ts"
import * as TestRuntime from "../../lib/TestRuntime.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as MemoryIdempotency from "../../lib/MemoryIdempotency.ts"
import { settings } from "../../lib/ProbeServer.ts"
import { send } from "../../lib/Requests.ts"
import { quiet } from "../../lib/Quiet.ts"

const system = HttpApi.make("emporion").add(SystemApi).middleware(Conventions)

const verifier = Layer.succeed(
  TokenVerifier,
  TokenVerifier.of({ known: () => undefined, isSigned: () => false, verify: () => Effect.die("no token is sent") })
)

let away = false

const it = withLayer(
  HttpServer.layer(
    HttpApp.layer(system).pipe(
      Layer.provide(SystemHandlers.layer),
      Layer.provide(HttpApp.middleware),
      Layer.provide(Layer.mergeAll(verifier, MemoryIdempotency.layer))
    )
  ).pipe(
    Layer.provideMerge(Readiness.layer(Effect.suspend(() => (away ? Effect.fail("away") : Effect.void)))),
    Layer.provide(TestRuntime.layer),
    Layer.provide(Layer.merge(settings(), quiet))
  )
)

const ask = (path: string) => Effect.flatMap(HttpServer.HttpServer, ({ url }) => send(`${url}${path}`))

describe("The system group", () => {
  it("tells what serves", () =>
    Effect.gen(function* () {
      const { json, status } = yield* ask("/v1/info")
      expect(status).toBe(200)
      expect(json).toEqual({
        name: "Emporion",
        version: "v1.0",
        release: manifest.version,
        mode: "sandbox",
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        documentation: "/docs"
      })
    }))

  it("is alive while the database is away, and not ready", () =>
    Effect.gen(function* () {
      expect((yield* ask("/health/ready")).json).toEqual({ status: "ok" })
      away = true
      const { headers, json, status } = yield* ask("/health/ready")
      expect([status, headers.get("retry-after")]).toEqual([503, "1"])
      expect(json).toMatchObject({ code: "unavailable" })
      expect((yield* ask("/health/live")).json).toEqual({ status: "ok" })
    }))
})
