import type { Code } from "../api/ApiError.ts"
import { CATALOGUE } from "../api/ApiError.ts"
import { COMMON_HEADERS, errorResponse } from "./DocumentedResponses.ts"
import type { Json, JsonObject } from "./DocumentJson.ts"
import { OPEN_METRICS, PLAIN } from "./OpenMetrics.ts"

const NAME = "Service pages"

/** The tag of the paths beside the contract. */
export const TAG: JsonObject = { name: NAME, description: "What the server answers beside its contract." }

const refusals = (...codes: ReadonlyArray<Code>): JsonObject =>
  Object.fromEntries(codes.map((code) => [CATALOGUE[code].status, errorResponse("platform", [code])]))

const COMMON = refusals("rate_limited", "internal", "unavailable")

const answer = (description: string, schema: Json, ...contentTypes: ReadonlyArray<string>): JsonObject => ({
  description,
  headers: COMMON_HEADERS,
  content: Object.fromEntries(contentTypes.map((type) => [type, { schema }]))
})

const TEXT: JsonObject = { type: "string" }

interface Page {
  readonly operationId: string
  readonly summary: string
  readonly security?: Json
  readonly responses: JsonObject
}

const page = ({ operationId, responses, security = [], summary }: Page): JsonObject => ({
  get: { tags: [NAME], operationId, summary, security, "x-extension": true, responses: { ...responses, ...COMMON } }
})

/** The paths that are served beside the contract: the documentation's, the metrics' and the stream's. */
export const PATHS: JsonObject = {
  "/openapi.json": page({
    operationId: "service.openapi",
    summary: "This document",
    responses: { "200": answer("OpenAPI 3.1", { type: "object" }, "application/json") }
  }),
  "/docs": page({
    operationId: "service.docs",
    summary: "This document as a page",
    responses: { "200": answer("The page", TEXT, "text/html; charset=utf-8") }
  }),
  "/docs/style.css": page({
    operationId: "service.docsStyle",
    summary: "The page's style sheet",
    responses: { "200": answer("The style sheet", TEXT, "text/css; charset=utf-8") }
  }),
  "/metrics": page({
    operationId: "service.metrics",
    summary: "Metrics, for callers on the same machine and administrators",
    security: [{}, { bearer: ["admin"] }],
    responses: {
      "200": answer("Prometheus' text format, or OpenMetrics where `Accept` asks for it", TEXT, PLAIN, OPEN_METRICS),
      ...refusals("unauthorized", "access_denied")
    }
  }),
  "/ws/arena": page({
    operationId: "service.arenaStream",
    summary: "The arena's event stream, by WebSocket",
    security: [{}, { bearer: [] }, { session: [] }],
    responses: {
      "101": { description: "The connection is a WebSocket now.", headers: COMMON_HEADERS },
      ...refusals("invalid_request", "unauthorized")
    }
  })
}
