import { Effect, Layer, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import { Settings } from "./Config.ts"

const TRACES_PATH = "v1/traces"

const exporting = (endpoint: URL) =>
  OtlpTracer.layer({
    url: new URL(TRACES_PATH, endpoint.href.endsWith("/") ? endpoint : `${endpoint.href}/`).href,
    resource: { serviceName: "emporion" }
  }).pipe(Layer.provide(OtlpSerialization.layerJson), Layer.provide(FetchHttpClient.layer))

/** Sends spans to the collector that the settings name (OpenTelemetry protocol, OTLP/HTTP); makes none without one. */
export const layer = Layer.unwrap(
  Effect.map(Settings, ({ observability: { otlpEndpoint } }) =>
    otlpEndpoint === undefined ? Layer.succeed(References.TracerEnabled, false) : exporting(otlpEndpoint)
  )
)
