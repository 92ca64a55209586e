/** What the contract says, for makers of clients in any language. */
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
import { declarationOf, type JsonSchema } from "./JsonSchemaTypes.ts"

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

/** One operation of the OpenAPI document. */
export interface Operation {
  readonly operationId?: string
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

/** An operation by its method and path, such as `GET /api/arena/orders`. */
export interface NamedOperation {
  readonly name: string
  readonly operation: Operation
}

/** A message of the fast lane: what it takes, and what it answers or tells again and again. */
export interface LaneMessage {
  readonly tag: string
  readonly payload: JsonSchema
  readonly success: JsonSchema
}

/** What a webhook is sent. */
export interface WebhookBody {
  readonly type: string
  readonly summary: string | undefined
  readonly schema: JsonSchema
}

/** All that a client is made of. */
export interface ContractModel {
  readonly constants: Readonly<Record<string, unknown>>
  /** Codes that any operation refuses with. */
  readonly codes: ReadonlyArray<string>
  readonly schemas: ReadonlyMap<string, JsonSchema>
  readonly operations: ReadonlyArray<NamedOperation>
  readonly messages: ReadonlyArray<LaneMessage>
  readonly webhooks: ReadonlyArray<WebhookBody>
}

export const JSON_TYPE = "application/json"

/** What a request may have in place of a value; the types say so themselves. */
const IS_OWN = /^(Absent|Cleared)(_\d+)?$/

/** The schema of what is sent as JSON, else as anything else. */
export const bodyOf = ({ content = {} }: Content): JsonSchema | undefined =>
  (content[JSON_TYPE] ?? Object.values(content)[0])?.schema

const codesIn = (schema: JsonSchema): ReadonlyArray<string> => [
  ...(schema.properties?.["code"]?.enum ?? []).map(String),
  ...[...(schema.allOf ?? []), ...(schema.anyOf ?? [])].flatMap(codesIn)
]

const sorted = (codes: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(codes)].toSorted()

/** The codes with which an operation may refuse, each once. */
export const codesOf = ({ responses }: Operation): ReadonlyArray<string> =>
  sorted(
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([, { content }]) => codesIn(content?.[JSON_TYPE]?.schema ?? {}))
  )

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

/** Schemas by name; the same name may not mean two things. */
class NamedSchemas {
  readonly all = new Map<string, JsonSchema>()

  add(name: string, schema: JsonSchema): void {
    if (IS_OWN.test(name)) return
    const known = this.all.get(name)
    if (known !== undefined && declarationOf(name, known) !== declarationOf(name, schema))
      throw new Error(`${name} means two things`)
    this.all.set(name, schema)
  }

  /** A schema's own text; what it needs besides is added where it is new. */
  own(schema: Schema.Top): JsonSchema {
    const { definitions, schema: own } = documentOf(schema)
    for (const [name, inner] of Object.entries(definitions)) if (!this.all.has(name)) this.add(name, inner)
    return own
  }
}

/** The operations by POST that take no key, because they answer secrets. */
const withoutKey = (operations: ReadonlyArray<NamedOperation>): ReadonlyArray<string> =>
  operations
    .filter(({ name, operation: { parameters } }) => {
      const isKeyed = parameters?.some((parameter) => parameter.name === "Idempotency-Key") === true
      return name.startsWith("POST ") && !isKeyed
    })
    .map(({ name }) => name)

/** Numbers and texts of the protocol that a client says or hears. */
const constantsOf = (operations: ReadonlyArray<NamedOperation>): ContractModel["constants"] => {
  const { ARENA_STREAM_PATH, CLOSE, HEARTBEAT_MILLIS, STREAM_PROTOCOL, TICKET_PROTOCOL_PREFIX } = Stream
  return {
    ARENA_STREAM_PATH,
    STREAM_PROTOCOL,
    TICKET_PROTOCOL_PREFIX,
    HEARTBEAT_MILLIS,
    STREAM_CLOSE: CLOSE,
    FAST_LANE_PATH,
    FAST_LANE_PROTOCOL: subprotocolOf("json"),
    TOKEN_PROTOCOL_PREFIX,
    MAX_UNDER_WAY,
    WITHOUT_KEY: withoutKey(operations),
    ERROR_STATUS: Object.fromEntries(Object.entries(CATALOGUE).map(([code, { status }]) => [code, status]))
  }
}

/** The contract of REST, the stream, the fast lane and webhooks. */
export const contractModel = (): ContractModel => {
  const { components, paths, webhooks } = make(Api) as unknown as OpenApiDocument
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation }))
  )
  const schemas = new NamedSchemas()
  for (const [name, schema] of Object.entries(components.schemas)) schemas.add(name, schema)
  for (const [name, frame] of Object.entries(FRAMES)) {
    const members = membersOf(frame)
    schemas.add(
      name,
      members === undefined ? schemas.own(frame) : { anyOf: members.map((member) => ({ $ref: `#/$defs/${member}` })) }
    )
  }
  const messages = [...FastLane.requests.values()].map(({ _tag: tag, payloadSchema, successSchema }) => {
    const success = RpcSchema.isStreamSchema(successSchema) ? successSchema.success : successSchema
    const own = (schema: unknown) => schemas.own(schema as Schema.Top)
    return { tag, payload: own(payloadSchema), success: own(success) }
  })
  return {
    constants: constantsOf(operations),
    codes: sorted(operations.flatMap(({ operation }) => codesOf(operation))),
    schemas: schemas.all,
    operations,
    messages,
    webhooks: Object.entries(webhooks).map(([type, { post }]) => ({
      type,
      summary: post.summary,
      schema: bodyOf(post.requestBody ?? {}) ?? {}
    }))
  }
}
