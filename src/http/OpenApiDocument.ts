import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import type { HttpApiGroup } from "effect/http-api"
import { body, CATALOGUE, shapeOf } from "../api/ApiError.ts"
import type { Code, Shape } from "../api/ApiError.ts"
import { SESSION_COOKIE } from "../api/Authorization.ts"
import { AnswersSecret } from "../api/Conventions.ts"
import { MAX_KEY_LENGTH } from "./Idempotency.ts"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

type JsonObject = { readonly [key: string]: Json }

interface EndpointFacts {
  readonly strict: boolean
  readonly answersSecret: boolean
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const METHODS: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete"])

const REF = "#/components/schemas/"

/** The document says that no object takes further fields; that holds only where an endpoint refuses them. */
const opened = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(opened)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !(key === "additionalProperties" && inner === false))
      .map(([key, inner]) => [key, opened(inner)])
  )
}

const errorSchema = (shape: Shape): JsonObject => {
  const example = body(shape, "invalid_request", CATALOGUE.invalid_request.sentence)
  const properties: Record<string, Json> = {}
  for (const key of Object.keys(example)) properties[key] = { type: key === "success" ? "boolean" : "string" }
  return { type: "object", required: Object.keys(example), properties }
}

const SHAPES: ReadonlyArray<Shape> = ["platform", "arena", "oauth"]

const errorName = (shape: Shape): string => `${shape.charAt(0).toUpperCase()}${shape.slice(1)}Error`

const RATE_HEADERS: JsonObject = {
  "X-RateLimit-Limit": { description: "Requests a minute.", required: true, schema: { type: "integer" } },
  "X-RateLimit-Remaining": {
    description: "Requests left in this minute.",
    required: true,
    schema: { type: "integer" }
  },
  "X-RateLimit-Reset": {
    description: "Unix seconds at which the minute ends.",
    required: true,
    schema: { type: "integer" }
  }
}

const RETRY_HEADER: JsonObject = {
  "Retry-After": { description: "Seconds to wait.", required: true, schema: { type: "integer" } }
}

const errorResponse = (shape: Shape, code: Code): JsonObject => ({
  description: `${code}: ${CATALOGUE[code].sentence}`,
  headers: code === "rate_limited" || code === "unavailable" ? { ...RATE_HEADERS, ...RETRY_HEADER } : RATE_HEADERS,
  content: { "application/json": { schema: { $ref: `${REF}${errorName(shape)}` } } }
})

const KEY_PARAMETER: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Within 24 hours the same key and body answer the same; another body is refused with 422.",
  schema: { type: "string", minLength: 1, maxLength: MAX_KEY_LENGTH }
}

/** The codes that an operation can answer with beside its own. */
const commonCodes = (operation: JsonObject, keyed: boolean): ReadonlyArray<Code> => [
  ...(operation["parameters"] !== undefined || operation["requestBody"] !== undefined || keyed
    ? (["invalid_request"] as const)
    : []),
  ...(keyed ? (["conflict", "unprocessable"] as const) : []),
  ...(operation["requestBody"] === undefined ? [] : (["payload_too_large", "unsupported_media_type"] as const)),
  "rate_limited",
  "internal",
  "unavailable"
]

const EXTRA_FIELDS: Readonly<Record<Shape, JsonObject>> = {
  platform: {},
  arena: { success: { type: "boolean", enum: [false] } },
  oauth: { error: { type: "string" }, error_description: { type: "string" } }
}

/** A schema whose members are errors, each with the fields that the path's shape adds. */
const reshaped = (shape: Shape, value: Json): Json => {
  if (Array.isArray(value)) return value.map((member) => reshaped(shape, member))
  if (!isObject(value)) return value
  const { anyOf, properties, required } = value
  if (Array.isArray(anyOf)) {
    const members = anyOf.map((member) => reshaped(shape, member))
    const different = [...new Map(members.map((member) => [JSON.stringify(member), member])).values()]
    return different.length === 1 ? (different[0] ?? {}) : { ...value, anyOf: different }
  }
  if (!isObject(properties) || properties["code"] === undefined || properties["message"] === undefined) return value
  const names = Array.isArray(required) ? required : []
  return {
    ...value,
    properties: { ...EXTRA_FIELDS[shape], ...properties },
    required: [...new Set([...Object.keys(EXTRA_FIELDS[shape]), ...names])]
  }
}

const contentOf = (shape: Shape, content: Json): Json =>
  isObject(content)
    ? Object.fromEntries(
        Object.entries(content).map(([type, media]) => [
          type,
          isObject(media) && media["schema"] !== undefined
            ? { ...media, schema: reshaped(shape, media["schema"]) }
            : media
        ])
      )
    : content

const responsesOf = (operation: JsonObject, shape: Shape, keyed: boolean): JsonObject => {
  const own = isObject(operation["responses"]) ? operation["responses"] : {}
  const responses: Record<string, Json> = {}
  for (const [status, response] of Object.entries(own)) {
    if (!isObject(response)) continue
    const headers = isObject(response["headers"]) ? response["headers"] : {}
    const content = response["content"]
    const reshape = Number(status) >= 400 && content !== undefined ? { content: contentOf(shape, content) } : {}
    responses[status] = { ...response, ...reshape, headers: { ...RATE_HEADERS, ...headers } }
  }
  for (const code of commonCodes(operation, keyed)) responses[CATALOGUE[code].status] ??= errorResponse(shape, code)
  return responses
}

/** How a session is presented, instead of a token, where it serves. Specification 5, point 7. */
const SESSION_SCHEME: JsonObject = {
  type: "apiKey",
  in: "cookie",
  name: SESSION_COOKIE,
  description:
    `The cookie that login sets, over https with the name __Host-${SESSION_COOKIE}. With it alone, anything but GET ` +
    "needs an Origin header of this site."
}

/** Where a token is asked for, the arena also takes a session. */
const securityOf = (operation: JsonObject, shape: Shape): JsonObject => {
  const { security } = operation
  return shape === "arena" && Array.isArray(security) && security.length > 0
    ? { security: [...security, { session: [] }] }
    : {}
}

const operationOf = (operation: JsonObject, path: string, method: string, facts: EndpointFacts | undefined) => {
  const keyed = method === "post" && facts?.answersSecret === false
  const parameters = Array.isArray(operation["parameters"]) ? operation["parameters"] : []
  const strictBody = facts?.strict === true ? operation["requestBody"] : undefined
  const corrected = opened({
    ...operation,
    ...securityOf(operation, shapeOf(path)),
    ...(keyed ? { parameters: [...parameters, KEY_PARAMETER] } : {}),
    responses: responsesOf(operation, shapeOf(path), keyed)
  })
  return isObject(corrected) && strictBody !== undefined ? { ...corrected, requestBody: strictBody } : corrected
}

/** The `METHOD /path/{name}` of an endpoint, as the document names it. */
const keyOf = (method: string, path: string): string =>
  `${method.toLowerCase()} ${path.replace(/:(\w+)/g, (_, parameter: string) => `{${parameter}}`)}`

const factsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
  const facts = new Map<string, EndpointFacts>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const options =
        Context.getOrUndefined(mergedAnnotations, HttpApi.PayloadParseOptions) ??
        Context.getOrUndefined(mergedAnnotations, HttpApi.ParseOptions)
      facts.set(keyOf(endpoint.method, endpoint.path), {
        strict: options?.onExcessProperty === "error",
        answersSecret: Context.get(mergedAnnotations, AnswersSecret)
      })
    }
  })
  return facts
}

/** Names of the schemas that some strict endpoint takes as its body. */
const strictSchemas = (paths: JsonObject, facts: ReadonlyMap<string, EndpointFacts>): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const [path, item] of Object.entries(paths)) {
    if (!isObject(item)) continue
    for (const [method, operation] of Object.entries(item)) {
      if (facts.get(`${method} ${path}`)?.strict !== true || !isObject(operation)) continue
      for (const [, name] of JSON.stringify(operation["requestBody"] ?? null).matchAll(
        /#\/components\/schemas\/([^"]+)/g
      )) {
        if (name !== undefined) names.add(name)
      }
    }
  }
  return names
}

const pathsOf = (paths: JsonObject, facts: ReadonlyMap<string, EndpointFacts>): JsonObject =>
  Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      isObject(item)
        ? Object.fromEntries(
            Object.entries(item).map(([method, operation]) => [
              method,
              METHODS.has(method) && isObject(operation)
                ? operationOf(operation, path, method, facts.get(`${method} ${path}`))
                : operation
            ])
          )
        : item
    ])
  )

/**
 * The OpenAPI document of a contract, with what the conventions add to every operation: the rate limit's headers, the
 * shared errors, and `Idempotency-Key`.
 */
export const make = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): JsonObject => {
  const spec: JsonObject = JSON.parse(JSON.stringify(OpenApi.fromApi(api)))
  const facts = factsOf(api)
  const paths = isObject(spec["paths"]) ? spec["paths"] : {}
  const components = isObject(spec["components"]) ? spec["components"] : {}
  const strict = strictSchemas(paths, facts)
  const schemas: Record<string, Json> = {}
  for (const shape of SHAPES) schemas[errorName(shape)] = errorSchema(shape)
  for (const [name, schema] of Object.entries(isObject(components["schemas"]) ? components["schemas"] : {})) {
    schemas[name] = strict.has(name) ? schema : opened(schema)
  }
  const schemes = isObject(components["securitySchemes"]) ? components["securitySchemes"] : {}
  return {
    servers: [{ url: "/" }],
    ...spec,
    paths: pathsOf(paths, facts),
    components: { ...components, schemas, securitySchemes: { ...schemes, session: SESSION_SCHEME } }
  }
}
