import { Schema } from "effect"
import { RpcSchema } from "effect/rpc"
import { Api } from "../src/api/Api.ts"
import { CATALOGUE } from "../src/api/ApiError.ts"
import * as Stream from "../src/api/ArenaStreamProtocol.ts"
import {
  FAST_LANE_PATH,
  FastLane,
  MAX_UNDER_WAY,
  subprotocolOf,
  TOKEN_PROTOCOL_PREFIX
} from "../src/api/rpc/FastLane.ts"
import { make } from "../src/http/OpenApiDocument.ts"
import { declarationOf, docOf, type JsonSchema, typeOf } from "./JsonSchemaTypes.ts"

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: JsonSchema
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>
  readonly required?: boolean
}

interface Operation {
  readonly summary?: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** What a request may have in place of a value; the types say so themselves. */
const IS_OWN = /^(Absent|Cleared)(_\d+)?$/

const JSON_TYPE = "application/json"

const schemaOf = ({ content }: Content): string => {
  const json = content?.[JSON_TYPE]
  const types = Object.keys(content ?? {})
  if (json !== undefined) return types.length === 1 ? typeOf(json.schema) : `${typeOf(json.schema)} | string`
  return types.length === 0 ? "undefined" : "string"
}

/** The parameters of a place as a field of the request; a caller may leave out what it may give. */
const parametersOf = (operation: Operation, place: string): ReadonlyArray<string> => {
  const found = (operation.parameters ?? []).filter((parameter) => parameter.in === place)
  if (found.length === 0) return []
  const fields = found.map(({ name, required, schema }) =>
    required === true
      ? `${docOf(schema.description)}readonly ${name}: ${typeOf(schema)}`
      : `${docOf(schema.description)}readonly ${name}?: ${typeOf(schema)} | undefined`
  )
  const mark = found.some(({ required }) => required === true) ? "" : "?"
  return [`readonly ${place}${mark}: {\n${fields.join("\n")}\n}`]
}

const codesIn = (schema: JsonSchema): ReadonlyArray<string> => [
  ...(schema.properties?.["code"]?.enum ?? []).map(String),
  ...[...(schema.allOf ?? []), ...(schema.anyOf ?? [])].flatMap(codesIn)
]

const codesOf = ({ responses }: Operation): ReadonlyArray<string> =>
  Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { content }]) => codesIn(content?.[JSON_TYPE]?.schema ?? {}))

const unionOf = (codes: ReadonlyArray<string>): string =>
  codes.length === 0
    ? "never"
    : [...new Set(codes)]
        .toSorted()
        .map((code) => JSON.stringify(code))
        .join(" | ")

const partsOf = (operation: Operation): ReadonlyArray<string> => {
  const { requestBody } = operation
  const bodies = requestBody?.content ?? {}
  const body = (bodies[JSON_TYPE] ?? Object.values(bodies)[0])?.schema
  const parts = [
    ...parametersOf(operation, "path"),
    ...parametersOf(operation, "query"),
    ...(body === undefined ? [] : [`readonly body${requestBody?.required === true ? "" : "?"}: ${typeOf(body)}`])
  ]
  return [
    `readonly request: ${parts.length === 0 ? "Readonly<Record<never, never>>" : `{\n${parts.join("\n")}\n}`}`,
    `readonly response: ${schemaOf(operation.responses["200"] ?? {})}`,
    `readonly code: ${unionOf(codesOf(operation))}`
  ]
}

const operationsOf = ({ paths }: OpenApiDocument): string => {
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const key = JSON.stringify(`${method.toUpperCase()} ${path}`)
      return `${docOf(operation.summary)}readonly ${key}: {\n${partsOf(operation).join("\n")}\n}`
    })
  )
  return `/** Every operation, by its method and path. */\nexport interface Operations {\n${entries.join("\n")}\n}\n`
}

const webhooksOf = ({ webhooks }: OpenApiDocument): string => {
  const entries = Object.entries(webhooks).map(([type, { post }]) => {
    const body = post.requestBody?.content?.[JSON_TYPE]?.schema ?? {}
    return `${docOf(post.summary)}readonly ${JSON.stringify(type)}: ${typeOf(body)}`
  })
  return `/** What a webhook is sent, by the event's type. */\nexport interface WebhookEvents {\n${entries.join("\n")}\n}\n`
}

const isSchema = (entry: [string, unknown]): entry is [string, Schema.Top] => Schema.isSchema(entry[1])

/** Every frame of the stream by the name that its schema has in the contract. */
const FRAMES: Readonly<Record<string, Schema.Top>> = Object.fromEntries(
  Object.entries<unknown>(Stream).filter(isSchema)
)

/** The names of the frames that a frame is one of; undefined where it is one itself. */
const membersOf = (frame: Schema.Top): ReadonlyArray<string> | undefined => {
  if (!("members" in frame) || !Array.isArray(frame.members)) return undefined
  const names = Object.keys(FRAMES)
  return frame.members.map((member) => names.find((name) => FRAMES[name] === member) ?? "never")
}

/** What a schema needs besides its own text. */
const documentOf = (schema: Schema.Top) => {
  const { definitions, schema: own } = Schema.toJsonSchemaDocument(schema)
  return { definitions: definitions as Readonly<Record<string, JsonSchema>>, schema: own as JsonSchema }
}

/** The operations by POST that take no key, because they answer secrets. */
const withoutKey = ({ paths }: OpenApiDocument): ReadonlyArray<string> =>
  Object.entries(paths).flatMap(([path, { post }]) =>
    post === undefined || post.parameters?.some(({ name }) => name === "Idempotency-Key") === true
      ? []
      : [`POST ${path}`]
  )

/** The messages of the fast lane: what each takes and answers, or tells again and again. */
const messagesOf = (declarations: Declarations): string => {
  const entries = [...FastLane.requests.values()].map(({ _tag: tag, payloadSchema, successSchema }) => {
    const success = RpcSchema.isStreamSchema(successSchema) ? successSchema.success : successSchema
    const [takes, answers] = [payloadSchema, success].map((schema) => {
      const { definitions, schema: own } = documentOf(schema as unknown as Schema.Top)
      for (const [name, inner] of Object.entries(definitions))
        if (!declarations.has(name)) declarations.add(name, inner)
      return own
    })
    const payload = takes?.type === "null" ? "undefined" : typeOf(takes ?? {})
    return `readonly ${tag}: {\nreadonly payload: ${payload}\nreadonly success: ${typeOf(answers ?? {})}\n}`
  })
  return `/** The messages of the fast lane. */\nexport interface FastLaneMessages {\n${entries.join("\n")}\n}\n`
}

/** Numbers and texts of the protocol that a client says or hears. */
const constants = (document: OpenApiDocument): string => {
  const { ARENA_STREAM_PATH, CLOSE, HEARTBEAT_MILLIS, STREAM_PROTOCOL, TICKET_PROTOCOL_PREFIX } = Stream
  const codes = Object.entries(CATALOGUE).map(([code, { status }]) => [code, status] as const)
  const values = {
    ARENA_STREAM_PATH,
    STREAM_PROTOCOL,
    TICKET_PROTOCOL_PREFIX,
    HEARTBEAT_MILLIS,
    STREAM_CLOSE: CLOSE,
    FAST_LANE_PATH,
    FAST_LANE_PROTOCOL: subprotocolOf("json"),
    TOKEN_PROTOCOL_PREFIX,
    MAX_UNDER_WAY,
    WITHOUT_KEY: withoutKey(document),
    ERROR_STATUS: Object.fromEntries(codes)
  }
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)} as const\n`)
    .join("")
}

/** Declarations by name; the same name may not mean two things. */
class Declarations {
  readonly #texts = new Map<string, string>()

  add(name: string, schema: JsonSchema): void {
    if (IS_OWN.test(name)) return
    const text = declarationOf(name, schema)
    const known = this.#texts.get(name)
    if (known !== undefined && known !== text) throw new Error(`${name} means two things`)
    this.#texts.set(name, text)
  }

  has(name: string): boolean {
    return this.#texts.has(name)
  }

  toString(): string {
    return [...this.#texts.values()].join("\n")
  }
}

const HEAD =
  "/** Every operation, message and event of the platform as types, and what its protocols agree on. " +
  "Made by `bun scripts/generate-reference.ts` from the contract in src/api. */\n"

/** The types of everything that a client sends and is told, as a module of the package. */
export const clientContractPage = (): { readonly path: string; readonly text: string } => {
  const document = make(Api) as unknown as OpenApiDocument
  const declarations = new Declarations()
  for (const [name, schema] of Object.entries(document.components.schemas)) declarations.add(name, schema)
  for (const [name, frame] of Object.entries(FRAMES)) {
    const members = membersOf(frame)
    if (members !== undefined) {
      declarations.add(name, { anyOf: members.map((member) => ({ $ref: `#/$defs/${member}` })) })
      continue
    }
    const { definitions, schema } = documentOf(frame)
    for (const [inner, own] of Object.entries(definitions)) if (!declarations.has(inner)) declarations.add(inner, own)
    declarations.add(name, schema)
  }
  const messages = messagesOf(declarations)
  const codes = Object.values(document.paths).flatMap((methods) => Object.values(methods).flatMap(codesOf))
  const parts = [
    HEAD,
    constants(document),
    `/** What a program decides by when it is refused. */\nexport type ErrorCode = ${unionOf(codes)}\n`,
    declarations.toString(),
    operationsOf(document),
    messages,
    webhooksOf(document)
  ]
  return { path: "packages/client/src/Contract.ts", text: parts.join("\n") }
}
