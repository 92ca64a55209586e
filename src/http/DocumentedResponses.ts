import { body, CATALOGUE } from "../api/ApiError.ts"
import type { Code, Shape } from "../api/ApiError.ts"
import { MAX_FIELD_ERRORS } from "../api/FieldError.ts"
import { isObject } from "./DocumentJson.ts"
import type { Json, JsonObject } from "./DocumentJson.ts"
import { refTo } from "./SpecifiedSchemas.ts"

/** The facts that decide which answers an operation has beside its own. */
export interface AnsweringOperation {
  readonly shape: Shape
  readonly method: string
  readonly hasBody: boolean
  /** Whether it takes `Idempotency-Key`. */
  readonly keyed: boolean
  /** Whether it answers a list by pages. */
  readonly isPaged: boolean
}

const integer = (description: string): JsonObject => ({ description, required: true, schema: { type: "integer" } })

/** Headers that answers refer to. */
export const HEADERS: JsonObject = {
  "X-RateLimit-Limit": integer("Requests a minute."),
  "X-RateLimit-Remaining": integer("Requests left in this minute."),
  "X-RateLimit-Reset": integer("Unix seconds at which the minute ends."),
  "X-Request-Id": {
    description: "The request's id: the caller's own X-Request-Id, or one made here.",
    required: true,
    schema: { type: "string", minLength: 1, maxLength: 64 }
  },
  "Retry-After": integer("Seconds to wait."),
  "WWW-Authenticate": {
    description: "How to authenticate. RFC 6750, section 3.",
    required: true,
    schema: { type: "string" }
  },
  "X-Total-Count": integer("The rows of all pages."),
  Link: {
    description: 'The address of the next page: <…>; rel="next". The last page has none. RFC 8288.',
    schema: { type: "string" }
  },
  "Idempotency-Replayed": {
    description: "true where the answer was given before under the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] }
  }
}

const headerRefs = (...names: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The total of a list that is not always counted. */
const SOMETIMES_COUNTED: JsonObject = {
  "X-Total-Count": {
    description: "The rows of all pages; none where they are too many to count.",
    schema: { type: "integer" }
  }
}

/** The headers of every answer. */
export const COMMON_HEADERS = headerRefs(
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id"
)

const statusHeaders = (status: number): JsonObject =>
  status === 401 ? headerRefs("WWW-Authenticate") : status === 429 || status === 503 ? headerRefs("Retry-After") : {}

const replayHeaders = (keyed: boolean, status: number): JsonObject =>
  keyed && status < 429 && status !== 401 && status !== 403 ? headerRefs("Idempotency-Replayed") : {}

/** Statuses of refusals that may be about a request's fields. */
const NAMES_FIELDS: ReadonlySet<number> = new Set([400, 409, 422])

const FAULTS: JsonObject = {
  errors: {
    type: "array",
    minItems: 1,
    maxItems: MAX_FIELD_ERRORS,
    description: "Every faulty field, where the message is about one: it names the first.",
    items: {
      type: "object",
      required: ["field", "expected"],
      properties: { field: { type: "string" }, expected: { type: "string" } }
    }
  },
  request_id: { type: "string", description: "The X-Request-Id of the request, beside errors." }
}

/** The schema of an error body that has one of the codes. */
const errorSchema = (shape: Shape, codes: ReadonlyArray<Code>): JsonObject => {
  const fields = Object.keys(body(shape, "internal", ""))
  const properties: Record<string, Json> = {}
  for (const field of fields) {
    properties[field] =
      field === "success"
        ? { type: "boolean", enum: [false] }
        : field === "code" || field === "error"
          ? { type: "string", enum: codes }
          : { type: "string" }
  }
  const named = codes.some((code) => NAMES_FIELDS.has(CATALOGUE[code].status)) ? FAULTS : {}
  return {
    allOf: [refTo("ResponseError"), { type: "object", required: fields, properties: { ...properties, ...named } }]
  }
}

/** The answer of one status with the codes that it may carry. */
export const errorResponse = (shape: Shape, codes: ReadonlyArray<Code>, headers: JsonObject = {}): JsonObject => {
  const [first] = codes
  const status = first === undefined ? 500 : CATALOGUE[first].status
  return {
    description: codes.map((code) => `${code}: ${CATALOGUE[code].sentence}`).join(" "),
    headers: { ...COMMON_HEADERS, ...statusHeaders(status), ...headers },
    content: { "application/json": { schema: errorSchema(shape, codes) } }
  }
}

const commonCodes = ({ hasBody, keyed, method }: AnsweringOperation): ReadonlyArray<Code> => [
  "invalid_request",
  ...(keyed ? (["conflict", "unprocessable"] as const) : []),
  ...(method === "get" ? [] : (["payload_too_large"] as const)),
  ...(hasBody ? (["unsupported_media_type"] as const) : []),
  "rate_limited",
  "internal",
  "unavailable"
]

const isCode = (value: Json): value is Code => typeof value === "string" && Object.hasOwn(CATALOGUE, value)

/** The codes that an error's schema names. */
const codesOf = (schema: Json | undefined): ReadonlyArray<Code> => {
  if (Array.isArray(schema)) return schema.flatMap(codesOf)
  if (!isObject(schema)) return []
  const properties = isObject(schema["properties"]) ? schema["properties"] : {}
  const code = isObject(properties["code"]) ? properties["code"]["enum"] : undefined
  return [...(Array.isArray(code) ? code.filter(isCode) : []), ...codesOf(schema["anyOf"])]
}

const contentCodes = (response: JsonObject): ReadonlyArray<Code> =>
  isObject(response["content"])
    ? Object.values(response["content"]).flatMap((media) => (isObject(media) ? codesOf(media["schema"]) : []))
    : []

/**
 * The answers of an operation: its own, and those that the conventions add. An error of any status lists the codes that
 * it may carry, in the shape of the path.
 */
export const responsesOf = (declared: JsonObject, operation: AnsweringOperation): JsonObject => {
  const responses: Record<string, Json> = {}
  const codes = new Map<number, Set<Code>>()
  const add = (code: Code) => {
    const { status } = CATALOGUE[code]
    codes.set(status, (codes.get(status) ?? new Set()).add(code))
  }
  for (const [status, response] of Object.entries(declared)) {
    if (!isObject(response)) continue
    const own = Number(status) < 400 ? [] : contentCodes(response)
    for (const code of own) add(code)
    if (own.length > 0) continue
    const { "x-total-count": total, ...headers } = isObject(response["headers"]) ? response["headers"] : {}
    const replay = replayHeaders(operation.keyed, Number(status))
    const isOptional = isObject(total) && total["required"] !== true
    const counted = total === undefined ? {} : isOptional ? SOMETIMES_COUNTED : headerRefs("X-Total-Count")
    const linked = operation.isPaged ? headerRefs("Link") : {}
    responses[status] = { ...response, headers: { ...COMMON_HEADERS, ...replay, ...counted, ...linked, ...headers } }
  }
  for (const code of commonCodes(operation)) add(code)
  for (const [status, found] of codes) {
    const headers = replayHeaders(operation.keyed, status)
    responses[status] ??= errorResponse(operation.shape, [...found].toSorted(), headers)
  }
  return responses
}
