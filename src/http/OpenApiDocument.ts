import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import type { HttpApiGroup } from "effect/http-api"
import { shapeOf } from "../api/ApiError.ts"
import type { Shape } from "../api/ApiError.ts"
import { Policy, SESSION_COOKIE, WRITE_SCOPES } from "../api/Authorization.ts"
import type { Access } from "../api/Authorization.ts"
import { AnswersSecret } from "../api/Conventions.ts"
import { MAX_NUMBER } from "../api/Money.ts"
import { isSpecified } from "../api/SpecifiedOperations.ts"
import { HEADERS, responsesOf } from "./DocumentedResponses.ts"
import { isObject } from "./DocumentJson.ts"
import type { Json, JsonObject } from "./DocumentJson.ts"
import { withExamples } from "./DocumentExamples.ts"
import * as DocumentWebhooks from "./DocumentWebhooks.ts"
import * as ExtraOperations from "./ExtraOperations.ts"
import { MAX_KEY_LENGTH } from "./Idempotency.ts"
import * as SpecifiedSchemas from "./SpecifiedSchemas.ts"

interface EndpointFacts {
  readonly strict: boolean
  readonly answersSecret: boolean
  readonly access: Access | undefined
}

const METHODS: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete"])

/** The library's document says that no object takes further fields. That holds only if an endpoint refuses them. */
const opened = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(opened)
  if (!isObject(value)) return value
  const inner = Object.entries(value)
    .filter(([key, inner]) => !(key === "additionalProperties" && inner === false))
    .map(([key, inner]) => [key, opened(inner)])
  return { ...alone(Object.fromEntries(inner)), ...extensionOf(value) }
}

/** A choice of one is no choice. */
const alone = ({ anyOf, ...rest }: JsonObject): JsonObject => {
  const only = Array.isArray(anyOf) && anyOf.length === 1 ? anyOf[0] : undefined
  if (only !== undefined && isObject(only)) return { ...only, ...rest }
  return anyOf === undefined ? rest : { anyOf, ...rest }
}

/** Marks an operation or a field that the specification does not have. */
const EXTENSION: JsonObject = { "x-extension": true }

/** A field says so itself, as the first word of its description. */
const extensionOf = ({ description }: JsonObject): JsonObject =>
  typeof description === "string" && description.startsWith("Extension") ? EXTENSION : {}

const KEY_PARAMETER: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Within 24 hours the same key, body and query answer the same; another body or query is refused with 422.",
  schema: { type: "string", minLength: 1, maxLength: MAX_KEY_LENGTH }
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

/** The registered name of a scheme is lower case, and some generators take no other. RFC 9110, section 16.4.1. */
const lowerCased = (schemes: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schemes).map(([name, scheme]) => [
      name,
      isObject(scheme) && typeof scheme["scheme"] === "string"
        ? { ...scheme, scheme: scheme["scheme"].toLowerCase() }
        : scheme
    ])
  )

/** What a token needs, as the roles of its scheme; any one of several. */
const rolesOf = (access: Access | undefined): ReadonlyArray<ReadonlyArray<string>> => {
  if (access?._tag === "AnyWrite") return WRITE_SCOPES.map((scope) => [scope])
  return [access?._tag === "Scopes" ? access.scopes : access?._tag === "Admin" ? ["admin"] : []]
}

/** If an operation of the arena needs a token, it also takes a session. */
const securityOf = (operation: JsonObject, shape: Shape, access: Access | undefined): JsonObject => {
  const { security } = operation
  if (!Array.isArray(security) || security.length === 0) return {}
  const roles = rolesOf(access)
  const schemes = security.flatMap((scheme) =>
    isObject(scheme) && "bearer" in scheme ? roles.map((bearer) => ({ ...scheme, bearer })) : [scheme]
  )
  return { security: shape === "arena" ? [...schemes, ...roles.map((session) => ({ session }))] : schemes }
}

/**
 * The meaning of a query's digits. The contract gives it as the text's format, an integer with its bounds and default.
 */
const numberOf = (format: Json | undefined): JsonObject | undefined => {
  const [type, ...bounds] = typeof format === "string" ? format.split(" ") : []
  const [minimum, maximum, usual] = bounds.map(Number)
  if (type === "decimal") return { type: "number", minimum: 0, maximum: MAX_NUMBER }
  if (type !== "integer" || minimum === undefined || maximum === undefined) return undefined
  return { type, minimum, maximum, ...(usual === undefined ? {} : { default: usual }) }
}

/** The values of an optional parameter. The description adds that an empty one counts as left out. */
const valuesOf = (schema: JsonObject): JsonObject | undefined => {
  const { anyOf, ...notes } = schema
  const [values, nothing] = Array.isArray(anyOf) ? anyOf : []
  if (!isObject(values) || !isObject(nothing) || !/\/Absent(_\d+)?$/.test(String(nothing["$ref"]))) return undefined
  return { ...values, ...notes }
}

/** A query is text, but for a client a number is one. */
const parameterOf = (parameter: Json): Json => {
  if (!isObject(parameter) || !isObject(parameter["schema"])) return parameter
  const values = valuesOf(parameter["schema"])
  const { format, ...schema } = values ?? parameter["schema"]
  const number = numberOf(format)
  return {
    ...parameter,
    ...(values === undefined ? {} : { allowEmptyValue: true }),
    schema: number === undefined ? (values ?? parameter["schema"]) : { ...schema, ...number }
  }
}

const operationOf = (operation: JsonObject, path: string, method: string, facts: EndpointFacts | undefined) => {
  const keyed = method === "post" && facts?.answersSecret === false
  const shape = shapeOf(path)
  const parameters = Array.isArray(operation["parameters"]) ? operation["parameters"].map(parameterOf) : []
  const hasBody = operation["requestBody"] !== undefined
  const declared = isObject(operation["responses"]) ? operation["responses"] : {}
  const isPaged = parameters.some((parameter) => isObject(parameter) && parameter["name"] === "after")
  const answering = { shape, method, keyed, hasBody, isPaged }
  const strictBody = facts?.strict === true ? operation["requestBody"] : undefined
  const corrected = opened({
    ...operation,
    ...(isSpecified(method, path) ? {} : EXTENSION),
    ...securityOf(operation, shape, facts?.access),
    ...(keyed || parameters.length > 0 ? { parameters: keyed ? [...parameters, KEY_PARAMETER] : parameters } : {}),
    responses: responsesOf(declared, answering)
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
        answersSecret: Context.get(mergedAnnotations, AnswersSecret),
        access: Context.getOrUndefined(mergedAnnotations, Policy)
      })
    }
  })
  return facts
}

/** Names of the schemas that a strict endpoint takes as its body. */
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
                ? withExamples(operationOf(operation, path, method, facts.get(`${method} ${path}`)), method, path)
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
  for (const [name, schema] of Object.entries(isObject(components["schemas"]) ? components["schemas"] : {})) {
    schemas[name] = strict.has(name) ? schema : opened(schema)
  }
  const schemes = isObject(components["securitySchemes"]) ? components["securitySchemes"] : {}
  return {
    servers: [{ url: "/" }],
    ...spec,
    paths: { ...pathsOf(paths, facts), ...ExtraOperations.PATHS },
    tags: [...(Array.isArray(spec["tags"]) ? spec["tags"] : []), ExtraOperations.TAG],
    components: {
      ...components,
      schemas: { ...schemas, ...SpecifiedSchemas.SCHEMAS, ...DocumentWebhooks.SCHEMAS },
      headers: HEADERS,
      parameters: DocumentWebhooks.PARAMETERS,
      securitySchemes: { ...lowerCased(schemes), session: SESSION_SCHEME }
    },
    webhooks: DocumentWebhooks.WEBHOOKS
  }
}
