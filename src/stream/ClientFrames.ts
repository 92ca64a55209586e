import { Result, Schema } from "effect"
import { type ClientFrame, MAX_REQUEST_ID, Ping, Subscribe, Unsubscribe } from "../api/ArenaStreamProtocol.ts"
import * as ValidationErrors from "../http/ValidationErrors.ts"

/** Why a frame is refused, and which request that answers. */
export interface FrameRefused {
  readonly id: string | undefined
  readonly message: string
}

const NOT_TEXT = "Send frames as text."
const NOT_JSON = 'Send one JSON object, such as {"type":"ping"}.'
const UNKNOWN_TYPE = "type: Expected subscribe, unsubscribe or ping"

/** Problems named in one message, and its greatest length. */
const MAX_ISSUES = 5
const MAX_MESSAGE = 1_000

const parse = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))
const asObject = Schema.decodeUnknownResult(
  Schema.Struct({ type: Schema.optionalKey(Schema.Unknown), id: Schema.optionalKey(Schema.Unknown) })
)

/** A misspelt filter must not subscribe to everything. */
const STRICT = { onExcessProperty: "error" } as const

const byType: Readonly<Record<string, (input: unknown) => Result.Result<ClientFrame, Schema.SchemaError>>> = {
  subscribe: Schema.decodeUnknownResult(Subscribe, STRICT),
  unsubscribe: Schema.decodeUnknownResult(Unsubscribe, STRICT),
  ping: Schema.decodeUnknownResult(Ping, STRICT)
}

const sentence = (error: Schema.SchemaError): string =>
  ValidationErrors.at("", error.issue)
    .slice(0, MAX_ISSUES)
    .map(({ expected, field }) => `${field}: Expected ${expected}`)
    .join("; ")
    .slice(0, MAX_MESSAGE)

const refused = (message: string, id?: unknown): Result.Result<never, FrameRefused> =>
  Result.fail({ message, id: typeof id === "string" && id.length <= MAX_REQUEST_ID ? id : undefined })

/** Reads any frame that a client sends. */
export const readFrame = (sent: string | Uint8Array): Result.Result<ClientFrame, FrameRefused> => {
  if (typeof sent !== "string") return refused(NOT_TEXT)
  const json = parse(sent)
  if (Result.isFailure(json)) return refused(NOT_JSON)
  const object = asObject(json.success)
  if (Result.isFailure(object) || Array.isArray(json.success)) return refused(NOT_JSON)
  const { id, type } = object.success
  const read = typeof type === "string" && Object.hasOwn(byType, type) ? byType[type] : undefined
  if (read === undefined) return refused(UNKNOWN_TYPE, id)
  const frame = read(json.success)
  return Result.isFailure(frame) ? refused(sentence(frame.failure), id) : Result.succeed(frame.success)
}
