import { OpenApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"

/** A request that somebody might send, for good or ill. */
export interface HostileRequest {
  /** What is wrong with it. */
  readonly what: string
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body?: string | undefined
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The only status that is right; undefined where any refusal is, or none. */
  readonly status?: number
}

interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<string>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
}

interface Parameter {
  readonly name: string
  readonly in: string
}

/** One operation of the contract, in the parts that a request is made of. */
export interface Operation {
  readonly method: string
  /** With `{name}` for its parameters. */
  readonly path: string
  readonly query: ReadonlyArray<string>
  readonly body: JsonSchema | undefined
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

const document = OpenApi.fromApi(Api)
const schemas = document.components.schemas as unknown as Readonly<Record<string, JsonSchema>>

const resolved = (schema: JsonSchema | undefined): JsonSchema | undefined =>
  schema?.$ref === undefined ? schema : schemas[schema.$ref.slice("#/components/schemas/".length)]

/** Every operation of the contract, so that a new one is tried like all others. */
export const operations: ReadonlyArray<Operation> = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method.toLowerCase() as "get"]
    if (operation === undefined) return []
    const content = operation.requestBody?.content["application/json"]
    return [
      {
        method,
        path,
        query: (operation.parameters as ReadonlyArray<Parameter>).flatMap((each) =>
          each.in === "query" ? [each.name] : []
        ),
        body: resolved(content?.schema as JsonSchema | undefined)
      }
    ]
  })
)

const quoted = (text: string): string => JSON.stringify(text)
const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`

/** JSON that hardly any field wants, as it is written. */
const HOSTILE_JSON: ReadonlyArray<string> = [
  "null",
  "true",
  "0",
  "-1",
  "-0",
  "1e300",
  "1e999",
  "0.1234567",
  "1e-7",
  "8000000000.000001",
  "9007199254740993",
  "[]",
  "{}",
  '{"__proto__":{"admin":true}}',
  '""',
  '"NaN"',
  '"1e300"',
  '"-1"',
  '"0.1234567"',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u202e\\ufeff"',
  quoted("'; DROP TABLE users; --"),
  quoted("../../../etc/passwd"),
  quoted("x".repeat(10_000)),
  quoted("💥".repeat(200)),
  quoted("https://example.com/\u0000"),
  nested(500)
]

/** Bodies that are no JSON object, whatever the fields. The status is right for all endpoints with a body. */
const RAW_BODIES: ReadonlyArray<readonly [what: string, body: string]> = [
  ["no body", ""],
  ["half an object", "{"],
  ["NaN", "NaN"],
  ["a field that is NaN", '{"quantity":NaN}'],
  ["null", "null"],
  ["a number", "42"],
  ["a string", '"x"'],
  ["a list", "[]"],
  ["a deep list", nested(50_000)],
  ["an endless list", "[".repeat(100_000)],
  ["a deep object", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`],
  ["a byte order mark before nothing", "\ufeff"],
  ["single quotes", "{'a':1}"],
  ["a trailing comma", '{"a":1,}'],
  ["XML", "<?xml version='1.0'?><a/>"],
  ["null bytes", "\u0000\u0000"]
]

const HOSTILE_QUERY: ReadonlyArray<string> = [
  "",
  "NaN",
  "-1",
  "1e300",
  "0.1234567",
  "1.5",
  "99999999999999999999",
  "nonsense",
  "0x10",
  "1e1",
  "%201",
  "%00",
  "a%00b",
  "%ED%A0%80",
  "%",
  "%zz",
  "x".repeat(4_000),
  "%27%3B%20DROP%20TABLE%20users",
  "[]",
  "%F0%9F%92%A5"
]

/** Names in a path that are no text, or too long. */
const UNREADABLE_SEGMENTS: ReadonlyArray<string> = [
  "%ff",
  "a%C3",
  "%F0%9F%98",
  "%ED%A0%80",
  "%",
  "%zz",
  "x".repeat(4_000)
]

const HOSTILE_SEGMENTS: ReadonlyArray<string> = [
  "%00",
  "a%00b",
  "%2e%2e",
  "..%2f..%2fetc%2fpasswd",
  "%27%20OR%201%3D1",
  "%F0%9F%92%A5",
  "__proto__",
  "-1",
  "%20"
]

const HOSTILE_HEADERS: ReadonlyArray<Readonly<Record<string, string>>> = [
  { "idempotency-key": "" },
  { "idempotency-key": "x".repeat(256) },
  { "idempotency-key": "a b" },
  { "x-request-id": "x".repeat(5_000) },
  { "x-forwarded-for": "1.2.3.4, garbage, ::ffff:1.2.3.4" },
  { accept: "image/png" },
  { "accept-encoding": "br;q=NaN" },
  { cookie: "session=\u00ff; ".repeat(50) },
  { "if-match": "*", range: "bytes=0-1" },
  { origin: "null", referer: "javascript:1" },
  { "x-http-method-override": "DELETE" }
]

/** Authorization that stands for nobody. */
export const FORGED: ReadonlyArray<string> = [
  "Bearer",
  "Bearer ",
  "Bearer x",
  "Bearer x.y.z",
  "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3JfMSJ9.",
  `Bearer ${"x".repeat(8_000)}`,
  "Basic Og==",
  "Digest x",
  "Bearer \u00ff"
]

/** What a valid request has in a field, as JSON. */
export type Samples = Readonly<Record<string, string>>

const sampleOf = (samples: Samples, name: string, schema: JsonSchema | undefined): string => {
  const known = samples[name]
  const shape = resolved(schema)
  if (known !== undefined) return known
  if (shape?.enum !== undefined) return quoted(shape.enum[0] ?? "")
  switch (shape?.type) {
    case "number":
    case "integer":
      return "1"
    case "boolean":
      return "true"
    case "array":
      return `[${sampleOf(samples, name, shape.items)}]`
    case "object":
      return objectOf(fieldsOf(samples, shape))
    default:
      return quoted("x")
  }
}

const fieldsOf = (samples: Samples, schema: JsonSchema | undefined): Map<string, string> =>
  new Map(Object.entries(schema?.properties ?? {}).map(([name, shape]) => [name, sampleOf(samples, name, shape)]))

const objectOf = (fields: ReadonlyMap<string, string>): string =>
  `{${[...fields].map(([name, json]) => `${quoted(name)}:${json}`).join(",")}}`

const pathOf = (samples: Samples, path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(JSON.parse(samples[name] ?? '"x"'))))

type Base = Pick<HostileRequest, "method" | "path">

const wrongFields = (samples: Samples, base: Base, schema: JsonSchema): ReadonlyArray<HostileRequest> => {
  const valid = fieldsOf(samples, schema)
  const all = [...valid.keys()]
  const wrong = all.flatMap((name) =>
    HOSTILE_JSON.map((json) => ({
      ...base,
      what: `${name} is ${json.slice(0, 40)}`,
      body: objectOf(new Map([...valid, [name, json]]))
    }))
  )
  const missing = (schema.required ?? []).map((name) => ({
    ...base,
    what: `${name} is missing`,
    body: objectOf(new Map([...valid].filter(([other]) => other !== name))),
    status: 400
  }))
  const twice = all.slice(0, 1).map((name) => ({
    ...base,
    what: `${name} is there twice`,
    body: `{${quoted(name)}:null,${objectOf(valid).slice(1)}`
  }))
  const more = {
    ...base,
    what: "there are more fields",
    body: `{"__proto__":{},"a\\u0000":1,${objectOf(valid).slice(1)}`
  }
  return [...wrong, ...missing, ...twice, more]
}

const wrongBodies = (samples: Samples, base: Base, schema: JsonSchema): ReadonlyArray<HostileRequest> => {
  const valid = objectOf(fieldsOf(samples, schema))
  const big = `{"padding":${quoted("x".repeat(2_000_000))},${valid.slice(1)}`
  const types = ["text/plain", "application/xml", "application/octet-stream", "image/png"]
  return [
    ...RAW_BODIES.map(([what, body]) => ({ ...base, what: `the body is ${what}`, body })),
    ...types.map((contentType) => ({ ...base, what: `it is ${contentType}`, body: valid, contentType, status: 415 })),
    { ...base, what: "it is compressed", body: valid, headers: { "content-encoding": "gzip" }, status: 415 },
    { ...base, what: "it is a broken multipart form", body: valid, contentType: "multipart/form-data; boundary=x" },
    { ...base, what: "its charset is unknown", body: valid, contentType: "application/json; charset=klingon" },
    { ...base, what: "it has 2 MB", body: big, status: 413 }
  ]
}

const wrongTargets = (samples: Samples, { method, path, query }: Operation): ReadonlyArray<HostileRequest> => {
  const known = pathOf(samples, path)
  const asked = new URLSearchParams(
    query.flatMap((name) => (samples[name] === undefined ? [] : [[name, String(JSON.parse(samples[name]))]]))
  ).toString()
  const queries = query.flatMap((name) =>
    HOSTILE_QUERY.map((value) => ({
      method,
      path: `${known}?${asked}&${name}=${value}`,
      what: `${name} is ${value.slice(0, 40)}`
    }))
  )
  const named = (segment: string) => ({
    method,
    path: path.replace(/\{\w+\}/, segment),
    what: `the path has ${segment.slice(0, 40)}`
  })
  const segments = path.includes("{")
    ? [...HOSTILE_SEGMENTS.map(named), ...UNREADABLE_SEGMENTS.map((segment) => ({ ...named(segment), status: 400 }))]
    : []
  return [...queries, ...segments, { method, path: `${known}?__proto__=1&x[]=1&%00`, what: "the query is unknown" }]
}

/** Whether a path is one that a template takes. A path of its own, without a parameter, is taken by no other template. */
const isTakenBy = (path: string, template: string): boolean => {
  if (!path.includes("{")) return path === template
  const names = path.split("/")
  const parts = template.split("/")
  return names.length === parts.length && parts.every((part, index) => part.startsWith("{") || part === names[index])
}

const wrongMethods = (samples: Samples, path: string): ReadonlyArray<HostileRequest> => {
  const taken = new Set(operations.filter((operation) => isTakenBy(path, operation.path)).map(({ method }) => method))
  return METHODS.filter((method) => !taken.has(method)).map((method) => ({
    method,
    path: pathOf(samples, path),
    what: "the method is not taken",
    status: 405
  }))
}

/** Everything wrong with one operation that this file can think of. */
export const hostileRequests = (samples: Samples, operation: Operation): ReadonlyArray<HostileRequest> => {
  const { body, method, path } = operation
  const base = { method, path: pathOf(samples, path) }
  const valid = body === undefined ? {} : { body: objectOf(fieldsOf(samples, body)) }
  return [
    ...wrongTargets(samples, operation),
    ...wrongMethods(samples, path),
    ...HOSTILE_HEADERS.map((headers) => ({
      ...base,
      ...valid,
      headers,
      what: `headers ${JSON.stringify(headers).slice(0, 60)}`
    })),
    ...(body === undefined ? [] : [...wrongFields(samples, base, body), ...wrongBodies(samples, base, body)])
  ]
}
